/**
 * Reads the mutants that stand beside the guards in the sources:
 *
 *     // @mutant NAME => MUTATION [TESTS]
 *
 * A marker applies to the next line. MUTATION: `removed` (the line), `never` (the condition of its `if` is false),
 * `without TEXT` or `TEXT -> OTHER TEXT`, where the line contains TEXT once. TESTS: `FILE…`, `python MODULE…` or
 * `PROJECT FILE TITLE` of a browser test; the default is the unit test beside the file. Long markers continue on further
 * comment lines.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../dist.mjs';

/** @typedef {import('./types.ts').Mutant} Mutant */

const marker = /^\s*(?:\/\/|#) @mutant /;
const continued = /^\s*(?:\/\/|#) {3}/;
const tests = /\[((?:src|workers|scripts)\/[^\]]+|(?:python|app|component|cold) .+)\]$/;
const form = /^(?<name>.+?) => (?<mutation>.+)$/;

/**
 * @returns {Promise<Mutant[]>}
 * @throws {Error} if a mutation does not fit the next line
 */
export async function markedMutants() {
  const lists = ['src', 'workers', 'scripts'].map(async (folder) => {
    const names = await readdir(join(projectFolder, folder), { recursive: true });
    const files = names.filter((name) => /\.(ts|py)$/.test(name)).map((name) => join(folder, name));
    return Promise.all(
      files.map(async (file) => mutantsOf(file, await readFile(join(projectFolder, file), 'utf8'))),
    );
  });
  return (await Promise.all(lists)).flat(2);
}

/**
 * @param {string} file
 * @param {string} text
 * @returns {Mutant[]}
 */
export function mutantsOf(file, text) {
  const lines = text.split('\n');
  const isMarker = (/** @type {string} */ line) => marker.test(line) || continued.test(line);
  return lines.flatMap((line, at) => {
    if (!marker.test(line)) return [];
    const own = lines.slice(at + 1).findIndex((next) => !continued.test(next)) + at + 1;
    const target = lines.slice(at).findIndex((next) => !isMarker(next)) + at;
    const parts = lines.slice(at, own).map((part) => part.trim().replace(/^(\/\/|#) +/, ''));
    const words = parts.join(' ').slice('@mutant '.length);
    const { name, mutation } = form.exec(words.replace(tests, '').trim())?.groups ?? {};
    if (name === undefined || mutation === undefined)
      throw new Error(`${file}:${at + 1}: expected “@mutant NAME => MUTATION”.`);
    const changed = mutated(lines[target] ?? '', mutation);
    if (changed === null)
      throw new Error(`${file}:${at + 1}: “${mutation}” does not fit the line after the marker.`);
    return {
      name,
      file,
      find: lines.slice(at, target + 1).join('\n'),
      replace: [...lines.slice(at, target), changed].join('\n'),
      tests: testsOf(file, tests.exec(words)?.[1]),
    };
  });
}

/**
 * @param {string} line
 * @param {string} mutation
 * @returns {string | null} null if it does not fit
 */
function mutated(line, mutation) {
  if (mutation === 'removed') return line.trim() === '' ? null : '';
  if (mutation === 'never') return withoutCondition(line);
  const [, removed] = /^without (.+)$/.exec(mutation) ?? [];
  const [before, after = ''] = removed === undefined ? mutation.split(' -> ') : [removed];
  const parts = line.split(before ?? '');
  return parts.length === 2 ? parts.join(after) : null;
}

/** Makes the condition false, or returns null if it does not end on this line. @param {string} line an `if` with its whole condition */
function withoutCondition(line) {
  if (/^\s*(el)?if .+:$/.test(line)) return line.replace(/if .+:$/, 'if False:');
  const from = line.indexOf('if (') + 'if ('.length;
  let depth = 1;
  for (let at = from; at < line.length; at++) {
    depth += { '(': 1, ')': -1 }[line[at] ?? ''] ?? 0;
    if (depth === 0) return `${line.slice(0, from)}false${line.slice(at)}`;
  }
  return null;
}

/**
 * @param {string} file
 * @param {string} [words]
 * @returns {Mutant['tests']}
 */
function testsOf(file, words) {
  if (words === undefined) return { unit: [file.replace(/(\.svelte)?\.ts$/, '.test.ts')] };
  const [first = '', ...others] = words.split(' ');
  if (first === 'python') return { python: others };
  if (first.includes('/')) return { unit: [first, ...others] };
  const [path = '', ...title] = others;
  return { browser: { project: first, file: path, title: title.join(' ') } };
}
