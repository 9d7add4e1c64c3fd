/** Finds references of a JSON Schema that lead nowhere, lead in a circle, or cannot be followed. */

import type { JsonObject } from '../spec/json.ts';
import type { Pacer } from '../async/pace.ts';
import { isObject } from '../spec/guards.ts';
import { hasReference, SchemaReferences, type NoTarget } from '../spec/schema-references.ts';
import { schemaNodes } from '../spec/schema-walk.ts';

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
