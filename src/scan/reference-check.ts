/** Checks where each `$ref` of a JSON Schema leads: to nothing, in a circle, or outside the schema. */

import type { JsonObject } from '../spec/json.ts';
import type { Pacer } from '../async/pace.ts';
import { isObject } from '../spec/guards.ts';
import { pointerKeys, schemaNodes, valueAt, type SchemaNode } from '../spec/schema-walk.ts';

export interface ReferenceFault {
  readonly kind: 'unresolved' | 'circular' | 'remote';
  /** Keys from the root schema to the `$ref`. */
  readonly path: readonly string[];
  readonly reference: string;
}

/** Returns every `$ref` that cannot be resolved inside the schema, at most `most`. */
export async function referenceFaults(
  root: JsonObject,
  most: number,
  pacer: Pacer,
): Promise<ReferenceFault[]> {
  const places = new Map<string, JsonObject>();
  const references: (SchemaNode & { reference: string })[] = [];
  for (const node of schemaNodes(root)) {
    if (pacer.mustRest()) await pacer.rest();
    name(node, places);
    const reference = node.schema.$ref;
    if (typeof reference === 'string') references.push({ ...node, reference });
  }
  const leadsTo = new Map<JsonObject, JsonObject>();
  const faults: ReferenceFault[] = [];
  for (const { schema, path, base, reference } of references) {
    if (pacer.mustRest()) await pacer.rest();
    if (faults.length >= most) return faults;
    const target = resolve(reference, base, places);
    if (typeof target === 'string') {
      faults.push({ kind: target, path: [...path, '$ref'], reference });
    } else if (target !== true) {
      leadsTo.set(schema, target);
    }
  }
  const circling = circles(leadsTo);
  for (const { schema, path, reference } of references) {
    if (faults.length >= most) break;
    if (circling.has(schema)) faults.push({ kind: 'circular', path: [...path, '$ref'], reference });
  }
  return faults;
}

/** Registers a schema under its address and its anchors. */
function name({ schema, path, base }: SchemaNode, places: Map<string, JsonObject>): void {
  const id = schema.$id;
  if (path.length === 0 || (typeof id === 'string' && !id.startsWith('#'))) {
    if (!places.has(base)) places.set(base, schema);
  }
  const anchors = [schema.$anchor, schema.$dynamicAnchor];
  if (typeof id === 'string' && id.startsWith('#')) anchors.push(id.slice(1));
  for (const anchor of anchors) {
    if (typeof anchor === 'string') places.set(`${base}#${anchor}`, schema);
  }
}

/** Resolves a reference to its schema, or to the reason why there is none; `true` for a boolean schema. */
function resolve(
  reference: string,
  base: string,
  places: ReadonlyMap<string, JsonObject>,
): JsonObject | true | 'unresolved' | 'remote' {
  const url = URL.parse(reference, base);
  if (url === null) return 'unresolved';
  const fragment = decoded(url.hash.slice(1));
  const resource = places.get(url.href.replace(/#.*$/s, ''));
  if (resource === undefined) return reference.startsWith('#') ? 'unresolved' : 'remote';
  if (fragment === '') return resource;
  if (fragment === undefined) return 'unresolved';
  if (!fragment.startsWith('/')) {
    return places.get(`${url.href.replace(/#.*$/s, '')}#${fragment}`) ?? 'unresolved';
  }
  const target = valueAt(resource, pointerKeys(fragment));
  if (typeof target === 'boolean') return true;
  return isObject(target) ? target : 'unresolved';
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** Returns the schemas from which a chain of `$ref`s leads back to themselves. */
function circles(leadsTo: ReadonlyMap<JsonObject, JsonObject>): Set<JsonObject> {
  const circling = new Set<JsonObject>();
  const done = new Set<JsonObject>();
  for (const start of leadsTo.keys()) {
    const path = new Set<JsonObject>();
    let at: JsonObject | undefined = start;
    while (at !== undefined && !done.has(at) && !path.has(at)) {
      path.add(at);
      at = leadsTo.get(at);
    }
    if (at !== undefined && path.has(at)) {
      for (let round: JsonObject | undefined = at; round !== undefined && !circling.has(round);) {
        circling.add(round);
        round = leadsTo.get(round);
      }
    }
    for (const schema of path) done.add(schema);
  }
  return circling;
}
