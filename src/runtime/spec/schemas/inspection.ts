/**
 * The result of inspecting one tool file in the sandbox. Hostile code may have written it, so everything is bounded.
 * Honest reports stay below every limit. The second argument of `object` has the members that may be absent.
 */

import type { Inspection, Tool } from '../tool.ts';
import type { Problem } from '../folder.ts';
import type { Setting } from '../setting.ts';
import {
  anyObject,
  boolean,
  integer,
  list,
  literal,
  number,
  object,
  orNull,
  string,
  type Schema,
} from './schema.ts';

const path = string({ minLength: 1, maxLength: 4_096 });
const line = integer(1, 2_147_483_647);
const text = string({ maxLength: 100_000 });
const decision = literal(true, false, 'callable');

const setting: Schema<Setting> = object({
  group: literal('Valves', 'UserValves', 'environment'),
  name: string({ minLength: 1, maxLength: 1_000 }),
  schema: anyObject,
  required: boolean,
  secret: boolean,
});

const problem: Schema<Problem> = object(
  {
    severity: literal('error', 'warning'),
    code: string({ minLength: 1, maxLength: 100 }),
    file: string({ maxLength: 4_096 }),
    line: orNull(line),
    column: orNull(line),
    message: text,
    expected: text,
    hint: text,
  },
  { tool: string({ minLength: 1, maxLength: 1_000 }) },
);

const origins = list(string({ maxLength: 1_000 }), { maxItems: 20 });

const tool: Schema<Tool> = object(
  {
    name: string({ minLength: 3, maxLength: 256 }),
    label: text,
    description: string({ minLength: 1, maxLength: 100_000 }),
    parameters: anyObject,
    source: object({ file: path, line, column: orNull(line) }),
    handler: object({
      kind: literal('function', 'async', 'generator', 'async-generator'),
      name: text,
      file: orNull(string({ maxLength: 4_096 })),
      line: orNull(line),
    }),
    takesContext: boolean,
    timeout_s: number({ exclusiveMinimum: 0 }),
    requires_approval: decision,
    concurrency_safe: decision,
    stateless: boolean,
    background_safe: boolean,
    interrupt: literal('cancel', 'block'),
    deferred: boolean,
    prompt_hint: text,
    prompt_guides: list(text, { maxItems: 10_000 }),
    examples: list(anyObject, { maxItems: 10_000 }),
    returns: orNull(anyObject),
    annotations: { ...anyObject, maxProperties: 50_000 },
  },
  {
    takesMore: literal(true),
    app: object({ file: path, connectDomains: origins, resourceDomains: origins }),
    framework: object({
      name: string({ minLength: 1, maxLength: 100 }),
      standIns: list(string({ minLength: 1, maxLength: 200 }), { maxItems: 100 }),
    }),
  },
);

export const inspection: Schema<Inspection> = object(
  {
    file: path,
    tools: list(tool, { maxItems: 20_000 }),
    problems: list(problem, { maxItems: 1_000 }),
    noSpecs: boolean,
    imports: list(path, { maxItems: 5_000 }),
    output: string({ maxLength: 20_000 }),
    durationMs: number({ minimum: 0, maximum: 1e12 }),
  },
  {
    extension: literal(true),
    implied: list(string({ maxLength: 1_000 }), { maxItems: 20_000 }),
    reason: object({ line, message: text, hint: text }, { listsOthers: literal(true) }),
    settings: list(setting, { maxItems: 2_000 }),
  },
);
