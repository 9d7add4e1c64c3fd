/** Parses a document in JSON or YAML. Integers that JavaScript cannot hold become `bigint`. */

import { Lexer, parseDocument } from 'yaml';
import type { ImportFault } from '../../src/runtime/protocol/imports.ts';
import { maxImportChars } from '../../src/runtime/protocol/imports.ts';
import { errorText } from '../../src/runtime/spec/error.ts';

/** Deeper texts could overflow the stack, which can end the whole worker. */
const maxLevels = 200;
/** More tokens of YAML than any document of the allowed length needs. */
const maxTokens = 4_000_000;
/**
 * Characters of the document, times the uses of one alias. Merge keys copy what an alias stands for, so that aliases
 * can multiply a text. Some uses are allowed in documents of any length.
 */
const maxAliasChars = 100_000_000;
const minAliasUses = 100;
const maxAliasUses = 10_000;

export type ReadDocument = { readonly value: unknown } | ImportFault;

/** Reads JSON or YAML, within limits. */
export function readDocument(written: string): ReadDocument {
  const text = written.replace(/^\uFEFF/, '');
  if (text.length > maxImportChars)
    return {
      fault: `The document is longer than ${maxImportChars / 1024 / 1024} MB`,
      hint: 'Import a part of it: remove paths that you do not need.',
    };
  if (text.trim() === '') return { fault: 'The document is empty', hint: wanted };
  try {
    return { value: /^\s*[[{]/.test(text) ? json(text) : yaml(text) };
  } catch (thrown) {
    return {
      fault: `The document cannot be read: ${errorText(thrown).slice(0, 500)}`,
      hint: wanted,
    };
  }
}

export const wanted =
  'Import an OpenAPI document (2.0, 3.0 or 3.1, in JSON or YAML) or a list of MCP tools in JSON.';

/** Reads JSON, or what begins like it: a JSON message on each line, or YAML in braces. */
function json(text: string): unknown {
  if (tooDeep(text)) throw new Error(`it is nested deeper than ${maxLevels} levels`);
  let value: unknown;
  try {
    value = /\d{16}/.test(text) ? JSON.parse(text, withExactIntegers) : JSON.parse(text);
  } catch (thrown) {
    // A line for each message, as traces have.
    const lines = jsonLines(text);
    if (lines !== null) return lines;
    // YAML in braces is no JSON.
    if (/^\s*\{/.test(text)) return yaml(text, thrown);
    throw thrown;
  }
  return value;
}

function withExactIntegers(
  _: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  return typeof value === 'number' &&
    Number.isInteger(value) &&
    !Number.isSafeInteger(value) &&
    /^-?\d+$/.test(context?.source ?? '')
    ? BigInt(context?.source ?? 0)
    : value;
}

function jsonLines(text: string): unknown[] | null {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return null;
  try {
    return lines.map((line) => JSON.parse(line) as unknown);
  } catch {
    return null;
  }
}

/** @param first what is thrown if the text is no YAML either */
function yaml(text: string, first?: unknown): unknown {
  // Levels that take one character each are counted before the document is parsed; those by indentation, which take far
  // more, in `plain`.
  let count = 0;
  let openBrackets = 0;
  /** Lists that begin one in another on the same line. */
  let inLine = 0;
  for (const token of new Lexer().lex(text)) {
    count += 1;
    if (token === '[' || token === '{') openBrackets += 1;
    if (token === ']' || token === '}') openBrackets -= 1;
    if (token === '\n' || token === '\r\n') inLine = 0;
    if (token === '-' || token === '?') inLine += 1;
    if (count > maxTokens) throw new Error('it has too many values');
    if (openBrackets > maxLevels || inLine > maxLevels)
      throw new Error(`it is nested deeper than ${maxLevels} levels`);
  }
  const document = parseDocument(text, { intAsBigInt: true, merge: true });
  const [mistake] = document.errors;
  if (mistake !== undefined) throw first instanceof Error ? first : new Error(mistake.message);
  const uses = Math.max(minAliasUses, Math.floor(maxAliasChars / text.length));
  const maxAliasCount = Math.min(maxAliasUses, uses);
  return plain(document.toJS({ maxAliasCount }), new Map()).value;
}

/** A value as JSON has it, and how many levels of objects and lists it has. */
interface Plain {
  readonly value: unknown;
  readonly levels: number;
}

/**
 * Small integers as numbers, and dates as texts. What aliases share stays shared.
 * @param done the copies; null while the value is being copied
 */
function plain(value: unknown, done: Map<object, Plain | null>): Plain {
  if (typeof value === 'bigint')
    return { value: Number.isSafeInteger(Number(value)) ? Number(value) : value, levels: 0 };
  if (typeof value !== 'object' || value === null) return { value, levels: 0 };
  if (value instanceof Date) return { value: value.toISOString(), levels: 0 };
  const known = done.get(value);
  if (known === null) throw new Error('an alias stands for a value that it is a part of');
  if (known !== undefined) return known;
  const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [] : {};
  let levels = 0;
  done.set(value, null);
  for (const [key, item] of Object.entries(value)) {
    const read = plain(item, done);
    levels = Math.max(levels, read.levels);
    // Assigning a key `__proto__` would set the prototype.
    Object.defineProperty(copy, key, {
      value: read.value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  levels += 1;
  if (levels > maxLevels) throw new Error(`it is nested deeper than ${maxLevels} levels`);
  const made = { value: copy, levels };
  done.set(value, made);
  return made;
}

/** Returns whether JSON is nested too deeply for the code that walks it. */
function tooDeep(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(/"[^"\\]*(?:\\[^][^"\\]*)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth > maxLevels) return true;
  }
  return false;
}
