/** JSON values and JSON text that must keep its exact spelling. Values are walked without recursion, since hostile ones overflow the stack. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/**
 * JSON as text. Numbers keep their spelling and keys their order only in this form:
 * 12345678901234567890, 3.0 and integer-like keys do not survive a JavaScript object.
 */
export type JsonText = string;

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

/** Returns the value with `instead` in place of objects and arrays that are nested more than `levels` deep; the value itself if there are none. */
export function cutBelow(value: Json, levels: number, instead: Json): Json {
  return deeperThan(value, levels) ? cut(value, levels, instead) : value;
}

function cut(value: Json, levels: number, instead: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return instead;
  const cutChild = (child: Json): Json => cut(child, levels - 1, instead);
  if (Array.isArray(value)) return value.map(cutChild);
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, cutChild(child)]));
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
    if (typeof item !== 'object' || item === null) continue;
    if (!Array.isArray(item)) yield item;
    for (const child of Object.values(item)) waiting.push(child);
  }
}
