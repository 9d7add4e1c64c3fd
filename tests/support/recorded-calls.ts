/** The samples' recorded calls, with arguments exactly as written in the file. */

import { readdir, readFile } from 'node:fs/promises';
import { objectMembers } from '../../src/runtime/spec/json-reader.ts';
import { nodesIn, rootNode } from '../../src/runtime/spec/json-tokens.ts';

export interface RecordedCall {
  readonly name: string;
  readonly tool: string;
  /** JSON text, cut out of the file: `2.0` stays `2.0`. */
  readonly arguments: string;
  readonly expect: Readonly<Record<string, unknown>>;
}

const folder = new URL('../../tools-samples/calls/', import.meta.url);

/** Each file of recorded calls, which run in order in a fresh interpreter. */
export async function recordedFiles(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
}

export async function recordedCalls(file: string): Promise<RecordedCall[]> {
  const text = await readFile(new URL(file, folder), 'utf8');
  const calls = JSON.parse(text) as Omit<RecordedCall, 'arguments'>[];
  const texts = objectTexts(text);
  return calls.map((call, index) => ({
    ...call,
    arguments: objectMembers(texts[index] ?? '')?.get('arguments') ?? '{}',
  }));
}

/** The texts of the objects in a list of objects. */
function objectTexts(list: string): string[] {
  return nodesIn(list, rootNode(list), Infinity).nodes.map(({ start, end }) =>
    list.slice(start, end),
  );
}
