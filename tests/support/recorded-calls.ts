/** The samples' recorded calls, with arguments exactly as written in the file. */

import { readdir, readFile } from 'node:fs/promises';
import { scanObject } from '../../src/api/json-scanner.ts';

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
    arguments: members(texts[index] ?? '').get('arguments') ?? '{}',
  }));
}

function members(text: string): Map<string, string> {
  const scan = scanObject(text);
  for (;;) {
    const { done, value } = scan.next();
    if (done === true) return value;
  }
}

/** The texts of the objects in a list of objects. */
function objectTexts(list: string): string[] {
  const texts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: token, index } of list.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (token === '{') {
      if (depth === 0) start = index;
      depth += 1;
    } else if (token === '}') {
      depth -= 1;
      if (depth === 0) texts.push(list.slice(start, index + 1));
    }
  }
  return texts;
}
