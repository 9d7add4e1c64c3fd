/** The answer of the resolver of packages: what it needs to know first, or the wheels that satisfy what is declared. */

import type { Problem } from '../problem.ts';
import { integer, list, literal, object, oneOf, orNull, string, type Schema } from './schema.ts';

const name = string({ minLength: 1, maxLength: 300 });
const names = list(name, { maxItems: 5_000 });
const path = string({ maxLength: 1_000 });
const text = string({ maxLength: 4_000 });
const place = orNull(integer(1, 100_000_000));

const problem: Schema<Problem> = object({
  severity: literal('error', 'warning'),
  code: name,
  file: path,
  line: place,
  column: place,
  message: text,
  expected: text,
  hint: text,
});

export const resolvedWheel = object({
  name,
  version: name,
  filename: name,
  from: literal('folder', 'site', 'distribution', 'index'),
  /** SHA-256 hashes in hexadecimal that the requirements allow; empty if any file is allowed. */
  hashes: list(string({ pattern: '^[0-9a-f]{64}$' }), { maxItems: 100 }),
  /** Files that need it, directly or indirectly. */
  neededBy: list(path, { maxItems: 5_000 }),
});

/** The information that the resolver needs before it can continue. */
const need = object({ need: object({ projects: names, metadata: names }) });

export const resolved = object({
  wheels: list(resolvedWheel, { maxItems: 1_000 }),
  /** Problems of files; a file with an error cannot be imported. */
  problems: list(problem, { maxItems: 10_000 }),
  /** Requirements that files declare, and that are unmet only because nothing may be fetched. */
  wanted: list(object({ file: path, requirement: text }), { maxItems: 10_000 }),
});

export const resolution = oneOf(need, resolved);
