/** Where packages come from, in words. */

import type { WheelSource } from '../../spec/wheel.ts';

export const sourceWords: Readonly<Record<WheelSource, string>> = {
  folder: 'wheels/ of this folder',
  site: 'this site',
  distribution: 'Pyodide’s distribution',
  index: 'the package index',
};

/** The hosts that are asked when packages are fetched from an index, so far as it is known where that keeps its files. */
export function hostsOf(index: string): readonly string[] {
  const { host } = new URL(index);
  const files = host === 'pypi.org' ? 'files.pythonhosted.org' : `hosts that ${host} names`;
  return [...new Set([host, files, 'cdn.jsdelivr.net'])];
}
