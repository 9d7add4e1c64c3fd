/** Finds the parts of a schema that apply only to some values: `if`, `dependentSchemas`, `dependentRequired`, `dependencies`. */

import { asObject, isObject } from '../../../../runtime/spec/guards.ts';
import type { Json, JsonObject } from '../../../../runtime/spec/json.ts';
import { memberOf } from '../page/schema-node.ts';
import type { JsonValue } from './json-value.ts';
import { matches } from './schema-match.ts';

const dependent = ['dependentSchemas', 'dependentRequired', 'dependencies'] as const;

export function isConditional(part: JsonObject): boolean {
  return ['if', ...dependent].some((key) => Object.hasOwn(part, key));
}

/**
 * The schemas that a part adds for a value.
 * @param root the document to which references are relative
 */
export function findAddedSchemas(
  part: JsonObject,
  value: JsonValue,
  root: JsonObject,
): readonly JsonObject[] {
  const added: (Json | undefined)[] = [];
  const condition = memberOf(part, 'if');
  if (condition !== undefined) {
    const then = memberOf(part, 'then');
    const otherwise = memberOf(part, 'else');
    const holds = matches(condition, value, root);
    if (holds === null) added.push(fieldsOfBoth(then, otherwise));
    else added.push(holds ? then : otherwise);
  }
  for (const key of dependent) {
    const operand = memberOf(part, key);
    if (value.kind !== 'object' || !isObject(operand)) continue;
    for (const [name, each] of Object.entries(operand))
      if (value.members.has(name)) added.push(Array.isArray(each) ? { required: each } : each);
  }
  return added.filter(isObject);
}

/** The fields of both branches, none of them required, because it is unknown which branch applies. */
function fieldsOfBoth(then: Json | undefined, otherwise: Json | undefined): Json {
  const propertiesOf = (each: Json | undefined): JsonObject =>
    asObject(memberOf(asObject(each), 'properties'));
  return { properties: { ...propertiesOf(otherwise), ...propertiesOf(then) } };
}
