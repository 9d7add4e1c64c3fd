/** Which edition of JSON Schema a tool's schema is written in. */

import type { JsonObject } from '../spec/json.ts';

/** `any`: it says nothing, so that it may be valid as either. */
export type SchemaDraft = '2020-12' | '7' | 'any';

/** By its `$schema`; whatever is older than 2020-12 is read as draft 7. */
export function schemaDraft(schema: JsonObject): SchemaDraft {
  const address = schema.$schema;
  if (typeof address !== 'string') return 'any';
  return /draft-0?[3-7]|draft\/2019-09/.test(address) ? '7' : '2020-12';
}

/** Draft 4 says `exclusiveMinimum: true` beside a `minimum`, where later drafts have a number. */
export function isDraft4(schema: JsonObject): boolean {
  return /draft-0?[34]/.test(typeof schema.$schema === 'string' ? schema.$schema : '');
}
