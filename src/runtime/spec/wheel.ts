/** A wheel: an installable Python package, and the reason why it or its metadata is not available. */

/** Where a wheel comes from: the tools folder, this site, Pyodide's distribution, or a package index. */
export type WheelSource = 'folder' | 'site' | 'distribution' | 'index';

export interface Wheel {
  readonly filename: string;
  /** `site`: a package that is imported. `dynlib`: a shared library that other packages use. */
  readonly target: 'site' | 'dynlib';
  readonly content: Blob;
  /** Hash of the content, hexadecimal. */
  readonly sha256: string;
}

/** Whether a package is pure Python, so that installing it only writes files. */
export function isPure({ filename, target }: Pick<Wheel, 'filename' | 'target'>): boolean {
  return target === 'site' && filename.endsWith('-none-any.whl');
}

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
