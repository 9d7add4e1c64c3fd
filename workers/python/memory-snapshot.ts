/** Python's memory, taken before any tool code has come near it, and given to Pythons that start later. */

import type { PyodideAPI } from 'pyodide';
import type { ToolWorkerAssets } from '../../src/protocol/python.ts';
import type { MemorySnapshot } from '../../src/spec/snapshot.ts';
import { loadPyodideFrom } from './load-pyodide.ts';
import { packImage, unpackImage } from './sparse-image.ts';
import { writeLoader } from './write-loader.ts';

/** Part of Pyodide's experimental side, which its types leave out. */
interface Snapshotting {
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
}

/** The heap that Pyodide begins with: a memory that has outgrown it could not be put into another. */
const firstHeapBytes = 32 * 1024 * 1024;

/** @throws {Error} where Python holds an object of the host, which no other could be given */
export async function makeSnapshot(assets: ToolWorkerAssets): Promise<MemorySnapshot> {
  const pyodide = await loadPyodideFrom(assets, firstHeapBytes, { _makeSnapshot: true });
  await writeLoader(pyodide, assets);
  // Not by pyimport, which would leave a proxy behind; and nothing is connected yet, for the same reason.
  pyodide.runPython('import cloche.main, cloche.renewal, gc; gc.collect()');
  const image = (pyodide as PyodideAPI & Snapshotting).makeMemorySnapshot();
  const content = new Blob(packImage(image));
  return { content, sha256: await sha256(await content.arrayBuffer()) };
}

/** The memory in the form that Pyodide takes. @throws {Error} where the content is not the one that was stored */
export async function readSnapshot(
  { content, sha256: expected }: MemorySnapshot,
  heapBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const packed = await content.arrayBuffer();
  if ((await sha256(packed)) !== expected) throw new Error('the snapshot was changed');
  return unpackImage(packed, heapBytes);
}

async function sha256(bytes: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
