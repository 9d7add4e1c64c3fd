/** Reads fields of a request's body, whatever it contains. */

export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object; an empty one where it is none. */
export function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** The value as a list of objects; what is none becomes an empty one. */
export function list(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fields) : [];
}

/** The value as a text; empty where it is none. */
export function word(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Whether it is an object. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
