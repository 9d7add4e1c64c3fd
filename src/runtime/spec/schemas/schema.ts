/** Builds JSON Schemas of stored and received values, each with the type of the values that it accepts. */

import type { JsonObject } from '../json.ts';

declare const accepted: unique symbol;

/** A JSON Schema; a value that it accepts is a `T`. */
export type Schema<T> = JsonObject & { readonly [accepted]?: T };

export type Accepted<S> = S extends Schema<infer T> ? T : never;

export type Members = Readonly<Record<string, Schema<unknown>>>;
type ObjectOf<Required extends Members, Optional extends Members | undefined> = {
  readonly [K in keyof Required]: Accepted<Required[K]>;
} & (Optional extends Members
  ? { readonly [K in keyof Optional]?: Accepted<Optional[K]> }
  : unknown);
type Flat<T> = { readonly [K in keyof T]: T[K] };

interface Range {
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}
interface Lengths {
  readonly minItems?: number;
  readonly maxItems?: number;
}

export const boolean: Schema<boolean> = { type: 'boolean' };
export const anyObject: Schema<JsonObject> = { type: 'object' };

export function string(
  limits: { minLength?: number; maxLength?: number; pattern?: string } = {},
): Schema<string> {
  return { type: 'string', ...limits };
}

export function integer(minimum: number, maximum: number): Schema<number> {
  return { type: 'integer', minimum, maximum };
}

export function number(range: Range = {}): Schema<number> {
  return { type: 'number', ...range };
}

export function literal<const T extends readonly (string | number | boolean)[]>(
  ...values: T
): Schema<T[number]> {
  const [first] = values;
  return first !== undefined && values.length === 1 ? { const: first } : { enum: [...values] };
}

export function list<T>(items: Schema<T>, lengths: Lengths = {}): Schema<readonly T[]> {
  return { type: 'array', items, ...lengths };
}

export function pair<A, B>(first: Schema<A>, second: Schema<B>): Schema<readonly [A, B]> {
  return { type: 'array', prefixItems: [first, second], items: false, minItems: 2 };
}

/** An object with the required members, maybe some of the optional ones, and no others. */
export function object<R extends Members, O extends Members | undefined = undefined>(
  required: R,
  optional?: O,
): Schema<Flat<ObjectOf<R, O>>> {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...optional },
  };
}

export function oneOf<S extends readonly Schema<unknown>[]>(
  ...schemas: S
): Schema<Accepted<S[number]>> {
  return { oneOf: [...schemas] };
}

/** A union of objects, which a member that all have tells apart. */
export function tagged<S extends readonly Schema<unknown>[]>(
  propertyName: string,
  ...schemas: S
): Schema<Accepted<S[number]>> {
  // The union checks `type: 'object'` once, so its members need not.
  const oneOf = schemas.map(({ type: _, ...members }) => members);
  return { type: 'object', discriminator: { propertyName }, oneOf };
}

export function orNull<T>(schema: Schema<T>): Schema<T | null> {
  return { ...schema, type: [schema.type ?? null, 'null'] };
}
