/** A wheel: a package in the form in which it is installed. */

/** Where it came from: beside the tools, built into this site, Pyodide's distribution, or a package index. */
export type WheelSource = 'folder' | 'site' | 'distribution' | 'index';

export interface Wheel {
  readonly filename: string;
  /** `dynlib`: a library that other packages are linked with. */
  readonly target: 'site' | 'dynlib';
  readonly content: Blob;
}
