/** The reason why a package or its metadata is not available. The user sees it with the file that needs the package. */

export class PackageFault extends Error {
  readonly code: 'package-unreachable' | 'package-integrity' | 'package-limit' | 'package-broken';
  readonly hint: string;

  constructor(code: PackageFault['code'], message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
