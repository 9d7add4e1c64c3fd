/** Determines the JSON Schema draft of a tool's schema. */

import type { JsonObject } from '../spec/json.ts';

/** `any` means that the schema does not say, so it may be valid by either. */
export type SchemaDraft = '2020-12' | '7' | 'any';

/** Reads `$schema`. Drafts older than 2020-12 are treated as draft 7. */
export function schemaDraft(schema: JsonObject): SchemaDraft {
  const address = schema.$schema;
  if (typeof address !== 'string') return 'any';
  return /draft-0?[3-7]|draft\/2019-09/.test(address) ? '7' : '2020-12';
}

/** Draft 4 uses `exclusiveMinimum: true` beside `minimum`, where later drafts use a number. */
export function isDraft4(schema: JsonObject): boolean {
  return /draft-0?[34]/.test(typeof schema.$schema === 'string' ? schema.$schema : '');
}
