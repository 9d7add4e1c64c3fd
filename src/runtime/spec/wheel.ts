/** A wheel: an installable Python package. */

/** Where a wheel comes from: the tools folder, this site, Pyodide's distribution, or a package index. */
export type WheelSource = 'folder' | 'site' | 'distribution' | 'index';

export interface Wheel {
  readonly filename: string;
  /** `dynlib`: a shared library that other packages use. */
  readonly target: 'site' | 'dynlib';
  readonly content: Blob;
}
