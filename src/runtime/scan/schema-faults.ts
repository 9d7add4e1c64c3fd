/**
 * Finds the faults of a JSON Schema, in slices: subschemas that break the rules of its draft, and references that lead
 * nowhere, lead in a circle, or cannot be followed.
 */

import type { Pacer } from '../async/pace.ts';
import type { JsonObject } from '../spec/json.ts';
import { holdsSchemas, schemaDraft, type SchemaDraft, schemaNodes } from '../spec/schema-walk.ts';
import { rulesOf } from './meta-rules.ts';
import { isObject } from '../spec/guards.ts';
import { hasReference, type NoTarget, SchemaReferences } from '../spec/schema-references.ts';

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
    if (draft === null && draftsOf(schema).some((one) => nodeFaults(schema, one).next().done))
      continue;
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

export interface ReferenceFault {
  readonly kind: NoTarget | 'circular';
  /** Keys from the root schema to the reference. */
  readonly path: readonly string[];
  readonly reference: string;
}

/** Returns the references that cannot be resolved inside the schema, at most `max`. */
export async function referenceFaults(
  root: JsonObject,
  max: number,
  pacer: Pacer,
): Promise<ReferenceFault[]> {
  const references = new SchemaReferences(root);
  const nodes = [];
  for (const node of schemaNodes(root)) {
    if (pacer.mustRest()) await pacer.rest();
    references.add(node);
    if (hasReference(node.schema)) nodes.push(node);
  }
  const followed: ({ schema: JsonObject } & Omit<ReferenceFault, 'kind'>)[] = [];
  const leadsTo = new Map<JsonObject, JsonObject>();
  const faults: ReferenceFault[] = [];
  for (const node of nodes) {
    if (pacer.mustRest()) await pacer.rest();
    for (const { keyword, reference, target } of references.of(node)) {
      if (faults.length >= max) return faults;
      const path = [...node.path, keyword];
      if (typeof target === 'string') faults.push({ kind: target, path, reference });
      else if (isObject(target)) {
        leadsTo.set(node.schema, target);
        followed.push({ schema: node.schema, path, reference });
      }
    }
  }
  const circling = schemasInCircles(leadsTo);
  for (const { schema, path, reference } of followed) {
    if (faults.length >= max) break;
    if (circling.has(schema)) faults.push({ kind: 'circular', path, reference });
  }
  return faults;
}

/** Returns the schemas from which a chain of `$ref`s leads back to themselves. */
function schemasInCircles(leadsTo: ReadonlyMap<JsonObject, JsonObject>): Set<JsonObject> {
  const inCircles = new Set<JsonObject>();
  const done = new Set<JsonObject>();
  for (const start of leadsTo.keys()) {
    const path = new Set<JsonObject>();
    let schema: JsonObject | undefined = start;
    while (schema !== undefined && !done.has(schema) && !path.has(schema)) {
      path.add(schema);
      schema = leadsTo.get(schema);
    }
    const endsInCircle = schema !== undefined && path.has(schema);
    while (endsInCircle && schema !== undefined && !inCircles.has(schema)) {
      inCircles.add(schema);
      schema = leadsTo.get(schema);
    }
    for (const visited of path) done.add(visited);
  }
  return inCircles;
}
