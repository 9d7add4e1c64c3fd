/** Why a package, or what is said of one, could not be had: told to the person beside the file that needs it. */

export class PackageFault extends Error {
  readonly code: 'package-unreachable' | 'package-integrity' | 'package-limit' | 'package-broken';
  readonly hint: string;

  constructor(code: PackageFault['code'], message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}
