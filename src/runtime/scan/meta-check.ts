/** Validates a JSON Schema: each of its subschemas by the rules of its draft, in slices. */

import type { Pacer } from '../async/pace.ts';
import type { JsonObject } from '../spec/json.ts';
import { holdsSchemas, schemaDraft, schemaNodes, type SchemaDraft } from '../spec/schema-walk.ts';
import { rulesOf } from './meta-rules.ts';

export interface SchemaFault {
  /** Keys from the root schema to the invalid value. */
  readonly path: readonly string[];
  readonly message: string;
  readonly hint: string;
}

/**
 * Returns at most `max` faults of a schema. The schema must not be nested deeper than the stack
 * allows. A schema without a draft, as in most tool files, may mix drafts: a subschema is valid if
 * one of the drafts accepts it. Otherwise, the faults are those of draft 2020-12.
 */
export async function metaFaults(
  root: JsonObject,
  max: number,
  pacer: Pacer,
): Promise<SchemaFault[]> {
  const draft = schemaDraft(root);
  const rules = draft === null ? null : rulesOf(draft);
  const faults: SchemaFault[] = [];
  const nodes = schemaNodes(
    root,
    (keyword, shape) => rules?.has(keyword) !== false && holdsSchemas(keyword, shape),
  );
  for (const { schema, path } of nodes) {
    if (pacer.mustRest()) await pacer.rest();
    if (draft === null && draftsOf(schema).some((one) => isValid(schema, one))) continue;
    for (const { path: inside, ...words } of nodeFaults(schema, draft ?? 2020)) {
      faults.push({ path: [...path, ...inside], ...words });
      if (faults.length >= max) return faults;
    }
  }
  return faults;
}

/** The drafts that a schema without `$schema` may follow. */
function draftsOf(schema: JsonObject): readonly SchemaDraft[] {
  // Only draft 4 has these flags. Without them, draft 4 is not tried, because it knows too few
  // keywords to find mistakes.
  const isDraft4 = ['exclusiveMinimum', 'exclusiveMaximum'].some(
    (keyword) => typeof schema[keyword] === 'boolean',
  );
  return isDraft4 ? [4] : [2020, 7];
}

function isValid(schema: JsonObject, draft: SchemaDraft): boolean {
  return nodeFaults(schema, draft).next().done === true;
}

/** The faults of a schema without those of its subschemas. */
function* nodeFaults(schema: JsonObject, draft: SchemaDraft): Generator<SchemaFault> {
  const rules = rulesOf(draft);
  for (const [keyword, value] of Object.entries(schema)) {
    for (const { inside, message, hint } of rules.get(keyword)?.(value, draft, schema) ?? [])
      yield {
        path: [keyword, ...inside],
        message,
        hint: hint ?? 'Write it as JSON Schema requires.',
      };
  }
}
