/**
 * Lists the fields of an object or list, which are the declared ones and others that the value has, and finds the values in
 * all arguments that the user must still enter.
 */

import type { Json } from '../../../../runtime/spec/json.ts';
import type { ArgumentPath } from './argument-place.ts';
import type { FormSchema, Shape } from './form-schema.ts';
import type { ArrayValue, JsonValue, ObjectValue } from './json-value.ts';
import type { ArgumentForm } from './argument-form.svelte.ts';
import { controlOf } from './field-control.ts';
import { findNeededNames } from './schema-properties.ts';

export interface GroupEntry {
  readonly schema: Json;
  readonly path: ArgumentPath;
  readonly value: JsonValue | undefined;
  readonly required: boolean;
}

/**
 * Declared properties first, then names that are required, may be required, or are present without being declared.
 * @param before the earlier entries of this group; unchanged ones are reused, so that their fields are not updated
 */
export function groupEntries(
  schema: FormSchema,
  shape: Shape,
  path: ArgumentPath,
  value: ObjectValue | ArrayValue,
  before: readonly GroupEntry[] = [],
): readonly GroupEntry[] {
  return presentEntries(schema, shape, path, value).map((entry, index) => {
    const last = before[index];
    return last?.path.at(-1) === entry.path.at(-1) &&
      last?.value === entry.value &&
      last?.schema === entry.schema &&
      last.required === entry.required
      ? last
      : entry;
  });
}

/** The index of the entry of a group at `path` that is or contains the value at `target`; negative if there is none. */
export function entryTowards(
  target: ArgumentPath | null,
  path: ArgumentPath,
  entries: readonly GroupEntry[],
): number {
  if (target === null || path.some((step, at) => step !== target[at])) return -1;
  return entries.findIndex((entry) => entry.path.at(-1) === target[path.length]);
}

/**
 * Divides entries into blocks of `size`.
 * @param before the earlier blocks of this group; unchanged ones are reused, so that their fields are not compared again
 */
export function splitIntoBlocks(
  entries: readonly GroupEntry[],
  size: number,
  before: readonly (readonly GroupEntry[])[] = [],
): readonly (readonly GroupEntry[])[] {
  return Array.from({ length: Math.ceil(entries.length / size) }, (_, index) => {
    const block = entries.slice(index * size, (index + 1) * size);
    const last = before[index];
    return last?.length === block.length && block.every((entry, at) => entry === last[at])
      ? last
      : block;
  });
}

/**
 * The values that the user must enter before the arguments can be sent: required values that are missing, and incomplete
 * values, in the order of their fields.
 */
export function findMissingValues(form: ArgumentForm): readonly ArgumentPath[] {
  const missing: ArgumentPath[] = [];
  const walk = (path: ArgumentPath, outer: Shape, value: JsonValue): void => {
    if (value.kind !== 'object' && value.kind !== 'array') return;
    const { shape } = form.choosers(path, outer, value);
    if (path.length > 0 && controlOf(shape, value, path.length) !== value.kind) return;
    const isAllowed = (name: string): boolean => form.schema.memberSchema(shape, name) !== false;
    const needed = value.kind === 'object' ? findNeededNames(shape.needs, value, isAllowed) : null;
    for (const entry of groupEntries(form.schema, shape, path, value)) {
      if (entry.value === undefined) {
        if (entry.required || needed?.has(String(entry.path.at(-1))) === true)
          missing.push(entry.path);
      } else if (form.unfinished(entry.value) !== undefined) missing.push(entry.path);
      else walk(entry.path, form.schema.shape(entry.schema), entry.value);
    }
  };
  if (typeof form.value !== 'string') walk([], form.schema.root, form.value);
  return missing;
}

function presentEntries(
  schema: FormSchema,
  shape: Shape,
  path: ArgumentPath,
  value: ObjectValue | ArrayValue,
): readonly GroupEntry[] {
  if (value.kind === 'array')
    return value.items.map((item, index) => ({
      schema: schema.itemSchema(shape, index),
      path: [...path, index],
      value: item,
      required: false,
    }));
  const names = new Set([
    ...shape.properties.keys(),
    ...shape.required,
    ...shape.needs.flat(2),
    ...value.members.keys(),
  ]);
  return Array.from(names, (name) => ({
    schema: schema.memberSchema(shape, name),
    path: [...path, name],
    value: value.members.get(name),
    required: shape.required.has(name),
  })).filter((entry) => entry.schema !== false || entry.value !== undefined);
}
