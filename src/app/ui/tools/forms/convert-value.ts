/** Converts the value of a field when the user switches to another alternative of its schema. */

import type { JsonText } from '../../../../runtime/spec/json.ts';
import { firstText } from './argument-template.ts';
import type { FormSchema, Shape } from './form-schema.ts';
import { withValue } from './json-edit.ts';
import { contentOf, type JsonValue, type ObjectValue } from './json-value.ts';
import { isOfType, isSame } from './value-types.ts';

/**
 * Returns the value for the alternative `target`: the same value, if it fits or can be converted, else the schema's first
 * value; null if the user has to enter one.
 */
export function convertValue(
  value: JsonValue | undefined,
  target: Shape,
  schema: FormSchema,
): JsonText | null {
  const first = firstText(schema, target);
  if (value === undefined) return first;
  if (target.choices !== null)
    return target.choices.some(({ text }) => isSame(value, text)) ? value.text : first;
  const [type] = target.types ?? [];
  if (value.kind === 'object')
    return type === 'object' ? keepMembers(value, target, schema, first ?? '{}') : first;
  // The items of a list are not converted.
  if (value.kind === 'array') return first;
  if (value.kind === 'string' && (type === 'number' || type === 'integer')) {
    const content = contentOf(value);
    return isNumber(content) ? content : first;
  }
  if (value.kind === 'number' && type === 'string') return JSON.stringify(value.text);
  return isOfType(value, target.types) ? value.text : first;
}

/** Keeps the members that the alternative declares, if their values fit: puts them into the alternative's first value. */
function keepMembers(
  { members }: ObjectValue,
  target: Shape,
  schema: FormSchema,
  first: JsonText,
): JsonText {
  let text = first;
  for (const [name, member] of members) {
    const property = target.properties.get(name);
    if (property === undefined) continue;
    const { choices, types } = schema.shape(property);
    if (choices === null && isOfType(member, types)) text = withValue(text, [name], member.text);
  }
  return text;
}

/** Returns whether the text is a number as JSON writes it. */
export function isNumber(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
}
