/** Prepares a schema for the argument check: only keywords, without what ECMAScript or the validator rejects. */

import { type Json, type JsonObject, objectsIn } from '../../src/runtime/spec/json.ts';
import { asObject, isObject } from '../../src/runtime/spec/guards.ts';
import { asList } from '../../src/runtime/spec/lenient.ts';
import {
  hasReference,
  SchemaReferences,
  type Reference,
} from '../../src/runtime/spec/schema-references.ts';
import {
  decodeFragment,
  holdsSchemas,
  isSchemaKeyword,
  mapSchemas,
  pointerKeys,
  schemaDraft,
  schemaNodes,
  type Holds,
} from '../../src/runtime/spec/schema-walk.ts';
import type { Reading } from './readable-pattern.ts';

/** Keywords whose value is data, not a schema. */
const dataKeywords = new Set([
  '$schema',
  'type',
  'enum',
  'const',
  'required',
  'dependentRequired',
  'format',
  'multipleOf',
  'uniqueItems',
  'maximum',
  'minimum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'maxContains',
  'minContains',
  'maxProperties',
  'minProperties',
]);

export interface Checkable {
  readonly schema: Json;
  /** The schemas of the copy to which references lead, by the anchor that each has in the copy. */
  readonly targets: ReadonlyMap<string, JsonObject>;
}

/**
 * Returns a copy of the schema for the validator. References are resolved here, and lead to an anchor in the copy,
 * because the validator does not know all kinds. The scan has already warned about patterns and references that are
 * left out. The `$comment` beside a pattern is the pattern as the author wrote it.
 */
export function checkable(schema: Json, reading: Reading): Checkable {
  if (!isObject(schema)) return { schema, targets: new Map() };
  const pointedAt = pointerSteps(schema);
  // A reference may point into a keyword that no draft defines, so the values of such keywords count as schemas, too.
  const holds: Holds = (key, shape) =>
    isSchemaKeyword(key)
      ? holdsSchemas(key, shape)
      : shape !== 'map' && pointedAt.has(key) && !dataKeywords.has(key);
  const draft = schemaDraft(schema);
  const ignoresSiblings = draft !== null && draft <= 7;
  const { referencesOf, anchorOf } = resolvedReferences(schema, holds);
  const isLeftOut = (part: JsonObject): boolean =>
    referencesOf.get(part)?.some(({ target }) => typeof target === 'string') === true;
  const isIncomplete = leavesOutPart(schema, reading, isLeftOut);
  const targets = new Map<string, JsonObject>();

  /** What the copy has in place of a keyword. */
  const keptEntries = (key: string, value: Json): [string, Json][] => {
    if (key === 'patternProperties') return [[key, readPatternNames(value, reading)]];
    if (key === 'pattern' && typeof value === 'string') {
      const pattern = reading(value);
      return pattern === null ? [] : Object.entries({ pattern, $comment: value });
    }
    if (dataKeywords.has(key) || isSchemaKeyword(key)) return [[key, value]];
    // The validator looks for schemas only in lists of known keywords.
    if (pointedAt.has(key))
      return [[key, Array.isArray(value) ? Object.fromEntries(value.entries()) : value]];
    return [];
  };
  /** @param changed the schema with copies of the schemas inside it */
  const copyOf = (changed: JsonObject, original: JsonObject): JsonObject => {
    // Defines own properties, also for a name such as `__proto__`.
    const entries = Object.entries(changed).flatMap(([key, value]) => keptEntries(key, value));
    const kept: JsonObject = Object.fromEntries(entries);
    const copy = draft === 4 ? kept : withReadFlags(kept);
    const own = isIncomplete ? withoutStricter(copy, original, reading, isLeftOut) : copy;
    const followed = (referencesOf.get(original) ?? []).flatMap(({ target }): Json[] => {
      if (typeof target === 'string') return [];
      return [typeof target === 'boolean' ? target : { $ref: `#${anchorOf.get(target) ?? ''}` }];
    });
    // Ignored siblings of a reference stay in the copy, since references may lead into them.
    const siblings: JsonObject =
      ignoresSiblings && typeof original.$ref === 'string' ? { $defs: { siblings: own } } : own;
    const [first] = followed;
    if (first === undefined) return siblings;
    if (followed.length === 1 && isObject(first)) return { ...siblings, ...first };
    return { ...siblings, allOf: [...asList(siblings.allOf), ...followed] };
  };
  const copy = mapSchemas(
    schema,
    (changed, original) => {
      const own = copyOf(changed, original);
      const anchor = anchorOf.get(original);
      if (anchor === undefined) return own;
      const target = { ...own, $anchor: anchor };
      targets.set(anchor, target);
      return target;
    },
    holds,
  );
  return { schema: copy, targets };
}

/** The references of each schema that has some, and the anchors of their targets. */
function resolvedReferences(
  root: JsonObject,
  holds: Holds,
): {
  referencesOf: ReadonlyMap<JsonObject, readonly Reference[]>;
  anchorOf: ReadonlyMap<JsonObject, string>;
} {
  const references = new SchemaReferences(root);
  const nodes = [...schemaNodes(root, holds)];
  for (const node of nodes) references.add(node);
  const referencesOf = new Map<JsonObject, readonly Reference[]>();
  const anchorOf = new Map<JsonObject, string>();
  for (const node of nodes) {
    const found = references.of(node);
    if (found.length > 0) referencesOf.set(node.schema, found);
    for (const { target } of found)
      if (isObject(target) && !anchorOf.has(target)) anchorOf.set(target, `target${anchorOf.size}`);
  }
  return { referencesOf, anchorOf };
}

/** Draft 4 has `exclusiveMinimum: true` beside `minimum`, which is also understood where no draft is named. */
function withReadFlags(schema: JsonObject): JsonObject {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, ...read } = schema;
  if (typeof above !== 'boolean' && typeof below !== 'boolean') return schema;
  if (minimum !== undefined) read[above === true ? 'exclusiveMinimum' : 'minimum'] = minimum;
  if (maximum !== undefined) read[below === true ? 'exclusiveMaximum' : 'maximum'] = maximum;
  if (typeof above === 'number') read.exclusiveMinimum = above;
  if (typeof below === 'number') read.exclusiveMaximum = below;
  return read;
}

function readPatternNames(patterns: Json, reading: Reading): Json {
  if (!isObject(patterns)) return patterns;
  return Object.fromEntries(
    Object.entries(patterns).flatMap(([name, schema]): [string, Json][] => {
      const read = reading(name);
      return read === null ? [] : [[read, schema]];
    }),
  );
}

/** The keywords in the pointers of all references. The copy keeps them, whatever their names. */
function pointerSteps(root: JsonObject): Set<string> {
  const steps = new Set<string>();
  for (const { $ref, $dynamicRef } of objectsIn(root))
    for (const reference of [$ref, $dynamicRef]) {
      const [, pointer] = typeof reference === 'string' ? reference.split('#') : [];
      for (const step of pointerKeys(decodeFragment(pointer ?? ''))) steps.add(step);
    }
  return steps;
}

/** Returns whether a schema or a part of it has a pattern or reference that is left out of the check. */
function leavesOutPart(
  part: Json | undefined,
  reading: Reading,
  isLeftOut: (schema: JsonObject) => boolean,
): boolean {
  for (const schema of objectsIn(part)) {
    const { pattern, patternProperties } = schema;
    if (typeof pattern === 'string' && reading(pattern) === null) return true;
    if (isLeftOut(schema) || hasUnreadable(patternProperties, reading)) return true;
  }
  return false;
}

/**
 * Removes keywords from a copy that would reject valid arguments, since parts of them are left out: where an inner
 * schema allows more, `not`, `oneOf`, `if` and "all other properties" allow less.
 * @param schema the original of the copy
 */
function withoutStricter(
  copy: JsonObject,
  schema: JsonObject,
  reading: Reading,
  isLeftOut: (schema: JsonObject) => boolean,
): JsonObject {
  // The target of a reference may have parts that are left out, too, since some part of the whole schema has.
  const mayLeaveOut = (part: JsonObject): boolean => hasReference(part) || isLeftOut(part);
  const isIncomplete = (key: string): boolean => leavesOutPart(schema[key], reading, mayLeaveOut);
  const { not, oneOf, if: condition, then, else: otherwise, ...kept } = copy;
  if (not !== undefined && !isIncomplete('not')) kept.not = not;
  if (oneOf !== undefined) {
    if (isIncomplete('oneOf')) kept.allOf = [...asList(kept.allOf), { anyOf: oneOf }];
    else kept.oneOf = oneOf;
  }
  if (condition !== undefined && !isIncomplete('if')) {
    kept.if = condition;
    if (then !== undefined) kept.then = then;
    if (otherwise !== undefined) kept.else = otherwise;
  }
  if (isIncomplete('contains')) delete kept.maxContains;
  if (hasUnreadable(schema.patternProperties, reading)) delete kept.additionalProperties;
  if (leavesOutPart(schema, reading, mayLeaveOut)) {
    delete kept.unevaluatedProperties;
    delete kept.unevaluatedItems;
  }
  return kept;
}

function hasUnreadable(patterns: Json | undefined, reading: Reading): boolean {
  return Object.keys(asObject(patterns)).some((pattern) => reading(pattern) === null);
}
