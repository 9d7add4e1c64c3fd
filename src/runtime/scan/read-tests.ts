/** Reads the saved tests of a folder, `tests/*.json`, and reports what is wrong with these files. */

import { tests as areTests } from 'virtual:cloche/page-validators';
import type { ValidatorError } from 'virtual:cloche/validators';
import { createPacer, type Pacer } from '../async/pace.ts';
import { showPath } from '../folder/path-rules.ts';
import { deeperThan, type Json } from '../spec/json.ts';
import type { FolderFile, FolderSnapshot, Problem } from '../spec/folder.ts';
import { isObject } from '../spec/guards.ts';
import { nodesIn, rootNode, type JsonNode } from '../spec/json-tokens.ts';
import { JsonReader } from '../spec/json-reader.ts';
import type { SavedTest } from '../spec/saved-test.ts';

export interface FolderTests {
  /** All tests, by file, then in the order of the file. */
  readonly tests: readonly SavedTest[];
  readonly problems: readonly Problem[];
}

/** Limits: bytes of one file, tests of a folder, reported problems of one file, levels of nesting. */
const maxBytes = 2_000_000;
const maxTests = 2_000;
const maxProblems = 20;
const maxLevels = 500;

const example =
  '[{"name": "adds", "tool": "sums:add", "arguments": {"a": 1}, "expect": {"equals": 2}}]';

export function isTestFile(path: string): boolean {
  return /^tests\/[^./][^/]*\.json$/.test(path);
}

/** A bad file, or a bad test of a file, does not affect others. */
export async function readTests(
  folder: Pick<FolderSnapshot, 'files'>,
  pacer: Pacer = createPacer(),
): Promise<FolderTests> {
  const tests: SavedTest[] = [];
  const problems: Problem[] = [];
  for (const file of folder.files) {
    if (!isTestFile(file.path)) continue;
    if (pacer.mustRest()) await pacer.rest();
    const read = readFile(file);
    problems.push(...read.problems);
    const left = read.tests.length - (maxTests - tests.length);
    if (left > 0)
      problems.push(
        problem(
          file.path,
          1,
          `tests above the limit are ignored: ${left}`,
          `at most ${maxTests} tests in a folder`,
        ),
      );
    // @mutant tests of a folder are bounded => ...read.tests.slice(0, maxTests - tests.length) -> ...read.tests
    tests.push(...read.tests.slice(0, maxTests - tests.length));
  }
  return { tests, problems };
}

function readFile({ path, size, bytes }: FolderFile): FolderTests {
  const invalidTests = (
    line: number,
    message: string,
    expected = 'a JSON array of tests',
  ): FolderTests => ({
    tests: [],
    problems: [problem(path, line, message, expected)],
  });
  // @mutant the size limit of a test file => never
  if (size > maxBytes)
    return invalidTests(1, `the file has ${size} bytes`, `at most ${maxBytes} bytes: split it`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return invalidTests(1, 'the file is not UTF-8', 'JSON in UTF-8');
  }
  let items: Json;
  try {
    items = JSON.parse(text) as Json;
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return invalidTests(
      1 + linesIn(text, 0, mistakeIn(text)),
      `the file is not JSON: ${reason.slice(0, 200)}`,
    );
  }
  if (!Array.isArray(items)) return invalidTests(1, 'the file is not a JSON array');
  if (deeperThan(items, maxLevels)) return invalidTests(1, 'the file is nested too deeply');
  return readItems(path, text, items);
}

function readItems(path: string, text: string, items: readonly Json[]): FolderTests {
  const tests: SavedTest[] = [];
  const problems: Problem[] = [];
  const { nodes } = nodesIn(text, rootNode(text), items.length);
  let line = 1;
  let reached = 0;
  for (const [index, item] of items.entries()) {
    const node = nodes[index];
    if (node === undefined) break;
    line += linesIn(text, reached, node.start);
    reached = node.start;
    if (areTests([item])) tests.push(toTest(path, text, node, index, line, item));
    else {
      // @mutant problems of a test file are bounded => without .slice(0, maxProblems - problems.length)
      const faults = (areTests.errors ?? []).slice(0, maxProblems - problems.length);
      for (const fault of faults)
        problems.push(
          problem(path, line, errorSentence(fault, index), 'a test such as in the docs'),
        );
    }
  }
  return { tests, problems };
}

function toTest(
  file: string,
  text: string,
  node: JsonNode,
  index: number,
  line: number,
  item: Json,
): SavedTest {
  // Arguments and expectation keep the spelling of their numbers.
  const members = new Map(
    nodesIn(text, node, 100).nodes.map(({ key, start, end }) => [key, text.slice(start, end)]),
  );
  const { name, tool } = isObject(item) ? item : {};
  return {
    id: `${file}#${index}`,
    file,
    index,
    line,
    name: typeof name === 'string' && name !== '' ? name : `test ${index + 1}`,
    tool: typeof tool === 'string' ? tool : '',
    arguments: members.get('arguments') ?? '{}',
    expect: members.get('expect') ?? null,
  };
}

/** Describes an error, such as `$[2].expect has the unknown key "equal"`. */
function errorSentence(
  { keyword, instancePath, params, message }: ValidatorError,
  index: number,
): string {
  // The validator got the test alone, in a list.
  const steps = instancePath.split('/').slice(2);
  const at = `$[${index}]${steps.map((step) => `.${step}`).join('')}`;
  if (keyword === 'required') return `${at} has no "${String(params.missingProperty)}"`;
  if (keyword === 'additionalProperties')
    return `${at} has the unknown key ${JSON.stringify(params.additionalProperty).slice(0, 100)}`;
  return `${at} ${message ?? 'is not valid'}`;
}

function mistakeIn(text: string): number {
  const reached = new JsonReader(text).advance(text.length + 1);
  return typeof reached === 'string' ? text.length : reached.offset;
}

function linesIn(text: string, from: number, until: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < until; at = text.indexOf('\n', at + 1))
    count += 1;
  return count;
}

function problem(file: string, line: number, message: string, expected: string): Problem {
  return {
    severity: 'error',
    code: 'bad-test',
    file,
    line,
    column: null,
    expected,
    message: `“${showPath(file)}”: ${message}.`,
    hint: `Write the file as ${example}. The other tests are not affected.`,
  };
}
