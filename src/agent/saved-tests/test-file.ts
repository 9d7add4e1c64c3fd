/** Changes the text of a test file, and leaves the rest of it as its author wrote it. */

import { ToolError } from '../../runtime/spec/error.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import { nodesIn, rootNode, type JsonNode } from '../../runtime/spec/json-tokens.ts';
import type { SavedTest } from '../../runtime/spec/saved-test.ts';

export type NewTest = Pick<SavedTest, 'name' | 'tool' | 'arguments' | 'expect'>;

export function testPath(tool: string): string {
  const module = tool.split(':')[0] ?? '';
  const isPlain = /^[\p{L}\p{N}_-]+$/u.test(module);
  return `tests/${isPlain ? module : 'tools'}.json`;
}

/** @param file null if there is no file yet @throws {ToolError} `bad-input` if the file is not a list */
export function withTest(file: string | null, test: NewTest): string {
  const added = indentLines(testText(test), '  ');
  if (file === null || file.trim() === '') return `[\n  ${added}\n]\n`;
  const { root, items } = itemsOf(file);
  const last = items.at(-1);
  if (last === undefined)
    return `${file.slice(0, root.start)}[\n  ${added}\n]${file.slice(root.end)}`;
  return `${file.slice(0, last.end)},\n  ${added}${file.slice(last.end)}`;
}

/**
 * The file with another expectation for a test.
 * @throws {ToolError} `bad-input` if the test is no longer at its place
 */
export function withExpect(
  file: string,
  test: Pick<SavedTest, 'index' | 'tool' | 'arguments' | 'expect'>,
  expect: JsonText,
): string {
  const item = itemsOf(file).items[test.index];
  const members = item === undefined ? [] : nodesIn(file, item, 100).nodes;
  // As for `JSON.parse`, the last member of a name counts.
  const named = members.findLast(({ key }) => key === 'tool');
  const last = members.at(-1);
  const old = members.findLast(({ key }) => key === 'expect');
  const args = members.findLast(({ key }) => key === 'arguments');
  if (
    last === undefined ||
    named === undefined ||
    JSON.parse(file.slice(named.start, named.end)) !== test.tool
  )
    throw notThere();
  // Another test of the same tool may have taken this one's place.
  if (
    textAt(file, args) !== (args && test.arguments) ||
    textAt(file, old) !== (test.expect ?? undefined)
  )
    throw notThere();
  const text = indentLines(expect, '    ');
  if (old !== undefined) return file.slice(0, old.start) + text + file.slice(old.end);
  return `${file.slice(0, last.end)},\n    "expect": ${text}${file.slice(last.end)}`;
}

function testText({ name, tool, arguments: args, expect }: NewTest): string {
  const members = [
    ['name', JSON.stringify(name)],
    ['tool', JSON.stringify(tool)],
    ['arguments', args.trim()],
    ...(expect === null ? [] : [['expect', expect.trim()]]),
  ];
  const lines = members.map(([key, text = '']) => `  "${key ?? ''}": ${indentLines(text, '  ')}`);
  return `{\n${lines.join(',\n')}\n}`;
}

/** Indents all lines but the first. Strings of JSON have no line breaks. */
function indentLines(text: string, indent: string): string {
  return text.replaceAll('\n', `\n${indent}`);
}

function itemsOf(file: string): { readonly root: JsonNode; readonly items: readonly JsonNode[] } {
  try {
    if (!Array.isArray(JSON.parse(file))) throw notThere();
  } catch {
    throw notThere();
  }
  const root = rootNode(file);
  return { root, items: nodesIn(file, root, Infinity).nodes };
}

function textAt(text: string, node: JsonNode | undefined): string | undefined {
  return node && text.slice(node.start, node.end);
}

function notThere(): ToolError {
  return new ToolError(
    'bad-input',
    'The test file has changed in the meantime, or is not a JSON list of tests',
    'Check the problems of this file, then try again.',
  );
}
