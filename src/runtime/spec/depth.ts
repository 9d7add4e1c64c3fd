/** Walks JSON values without recursion, since hostile values overflow the stack. */

import { isObject } from './guards.ts';
import type { Json, JsonObject } from './json.ts';

/** Returns whether objects and arrays are nested more than `levels` deep; `[]` is one level. */
export function deeperThan(value: Json, levels: number): boolean {
  let layer: Json[] = [value];
  for (let level = 0; level <= levels; level += 1) {
    const inner: Json[] = [];
    for (const item of layer) {
      if (typeof item === 'object' && item !== null) {
        for (const child of Object.values(item)) inner.push(child);
        if (level === levels) return true;
      }
    }
    layer = inner;
  }
  return false;
}

/** Returns whether `value` contains more than `max` values, including itself and those at any depth. */
export function moreThan(value: Json, max: number): boolean {
  const waiting: Json[] = [value];
  let count = 0;
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    count += 1;
    if (count > max) return true;
    if (typeof item !== 'object' || item === null) continue;
    for (const child of Object.values(item)) waiting.push(child);
  }
  return false;
}

/** The objects in a value, itself included, outer ones before those in them. */
export function* objectsIn(value: Json | undefined): Generator<JsonObject> {
  const waiting: (Json | undefined)[] = [value];
  while (waiting.length > 0) {
    const item = waiting.pop();
    if (isObject(item)) yield item;
    if (typeof item !== 'object' || item === null) continue;
    for (const child of Object.values(item)) waiting.push(child);
  }
}
