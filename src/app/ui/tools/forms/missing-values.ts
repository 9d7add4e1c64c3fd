/** Finds the values that the user must enter before the arguments can be sent. */

import type { ArgumentForm } from './argument-form.svelte.ts';
import type { ArgumentPath } from './argument-place.ts';
import { controlOf } from './field-control.ts';
import type { Shape } from './form-schema.ts';
import { groupEntries } from './group-entries.ts';
import type { JsonValue } from './json-value.ts';
import { findNeededNames } from './needed-names.ts';

/** Required values that are missing, and incomplete values, in the order of their fields. */
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
