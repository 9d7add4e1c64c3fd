/** Files of other frameworks, with the tools and results that they must give. */
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../../scripts/dist.mjs';
import type { Json, JsonObject } from '../../src/runtime/spec/json.ts';

const folder = join(projectFolder, 'workers/python/tests/foreign');

interface ExpectedTool {
  readonly name: string;
  readonly parameters: JsonObject;
}

interface ExpectedCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly result: Json;
}

/** The expected tools and calls of each file, as its framework infers them. */
export async function expectedTools(): Promise<
  Record<string, { readonly tools: ExpectedTool[]; readonly calls: ExpectedCall[] }>
> {
  // The test of the Python code checks the shape of this file.
  return JSON.parse(await readFile(join(folder, 'expected.json'), 'utf8')) as Awaited<
    ReturnType<typeof expectedTools>
  >;
}

export async function foreignFiles(): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.py'));
  const texts = names.map((name) => readFile(join(folder, name), 'utf8'));
  return Object.fromEntries((await Promise.all(texts)).map((text, at) => [names[at] ?? '', text]));
}

/** The id that a tool has in the app: names with spaces are kept as labels. */
export function toolId(file: string, name: string): string {
  return `${file.replace(/\.py$/, '')}:${name.replaceAll(' ', '_')}`;
}

/** The value of a result: its JSON, or its text. */
export function valueOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
