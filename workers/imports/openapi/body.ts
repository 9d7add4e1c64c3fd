/** Reads how the body of an operation is sent: its media type, and the fields that become arguments. */

import { asFields, isStrings, stringsIn, type Fields } from '../../../src/runtime/spec/guards.ts';
import { asText } from '../../../src/runtime/spec/lenient.ts';
import type { ApiDocument, Operation } from './document.ts';
import { isReadOnly, resolveReference } from './references.ts';

/** Bodies with more fields become one argument. */
const maxFields = 30;
const maxParts = 10;
/** Limit of schemas and properties that are searched for the fields of a body: parts of parts multiply. */
const maxCollected = 2_000;

export interface BodyField {
  readonly name: string;
  readonly schema: unknown;
  readonly required: boolean;
  /** The form of a list or object; see `listStyle`. */
  readonly style: string;
  /** Whether its value is written as JSON in a form. */
  readonly isJson: boolean;
}

export interface Body {
  readonly kind: 'json' | 'form' | 'multipart' | 'text' | 'bytes';
  readonly mediaType: string;
  readonly required: boolean;
  readonly description: unknown;
  readonly schema: unknown;
  /** Null if the body is one argument. */
  readonly fields: readonly BodyField[] | null;
}

/** Returns null if the operation has no body, or one that the document does not describe. */
export function bodyOf(document: ApiDocument, operation: Operation): Body | null {
  return document.isSwagger ? swaggerBody(document, operation) : modernBody(document, operation);
}

/** The body in OpenAPI 3. */
function modernBody({ root }: ApiDocument, { fields: own }: Operation): Body | null {
  const body = resolveReference(root, own.requestBody);
  const content = Object.entries(asFields(body?.content)).slice(0, 50);
  const best = bestType(content.map(([type]) => type));
  if (body === null || best === null) return null;
  const media = asFields(content.find(([type]) => type === best)?.[1]);
  const required = body.required === true;
  const kind = kindOf(best);
  const { schema } = media;
  const encodings = asFields(media.encoding);
  const parts = kind === 'text' || kind === 'bytes' ? null : objectParts(root, schema);
  // An optional JSON body with required properties stays one argument: its properties are required only if it is sent.
  const isSplit = parts !== null && (required || kind !== 'json' || parts.required.size === 0);
  return {
    kind,
    mediaType: kind === 'json' && best.includes('*') ? 'application/json' : best,
    required,
    description: body.description,
    schema,
    fields: isSplit
      ? [...parts.properties].map(([name, property]) => ({
          name,
          schema: property,
          required: required && parts.required.has(name),
          style: listStyle(asFields(encodings[name]), { isSwagger: false }),
          isJson:
            kind === 'form' && kindOf(asText(asFields(encodings[name]).contentType)) === 'json',
        }))
      : null,
  };
}

/** The body in Swagger 2, where it is a parameter, or parameters for the fields of a form. */
function swaggerBody({ root }: ApiDocument, { fields: own, parameters }: Operation): Body | null {
  const consumes = stringsIn(own.consumes ?? root.consumes);
  const body = parameters.find((parameter) => parameter.in === 'body');
  if (body !== undefined) {
    const mediaType = bestType(consumes) ?? 'application/json';
    const kind = kindOf(mediaType);
    const isJson = kind === 'json' || kind === 'form' || kind === 'multipart';
    const parts = isJson ? objectParts(root, body.schema) : null;
    const required = body.required === true;
    return {
      kind: isJson ? 'json' : kind,
      mediaType:
        kind === 'form' || kind === 'multipart' || mediaType.includes('*')
          ? 'application/json'
          : mediaType,
      required,
      description: body.description,
      schema: body.schema,
      fields:
        parts !== null && (required || parts.required.size === 0)
          ? [...parts.properties].map(([name, schema]) => ({
              name,
              schema,
              required: required && parts.required.has(name),
              style: 'multi',
              isJson: false,
            }))
          : null,
    };
  }
  const form = parameters.filter((parameter) => parameter.in === 'formData');
  if (form.length === 0) return null;
  const isMultipart =
    form.some(({ type }) => type === 'file') ||
    (consumes.includes('multipart/form-data') && !consumes.some((type) => kindOf(type) === 'form'));
  return {
    kind: isMultipart ? 'multipart' : 'form',
    mediaType: isMultipart ? 'multipart/form-data' : 'application/x-www-form-urlencoded',
    required: true,
    description: undefined,
    schema: {},
    fields: form.map((field) => ({
      name: String(field.name),
      schema: field,
      required: field.required === true,
      style: listStyle(field, { isSwagger: true }),
      isJson: false,
    })),
  };
}

/** The form of a list in a query or form: `multi` repeats the name, `deep` writes `name[key]`, others are separators. */
export function listStyle(
  { style, explode, collectionFormat }: Fields,
  { isSwagger }: { isSwagger: boolean },
): string {
  if (isSwagger) {
    if (collectionFormat === 'multi') return 'multi';
    if (collectionFormat === 'ssv') return '%20';
    if (collectionFormat === 'tsv') return '%09';
    return collectionFormat === 'pipes' ? '%7C' : ',';
  }
  if (style === 'deepObject') return 'deep';
  if (explode === true || (explode !== false && (style === undefined || style === 'form')))
    return 'multi';
  return style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ',';
}

/** The media type that is easiest to send; null if there is none. */
function bestType(types: readonly string[]): string | null {
  const order = ['json', 'form', 'multipart', 'text', 'bytes'];
  const isPlain = (type: string): boolean => /^application\/json\b/i.test(type);
  const ranked = [...types].sort(
    (a, b) =>
      Number(isPlain(b)) - Number(isPlain(a)) ||
      order.indexOf(kindOf(a)) - order.indexOf(kindOf(b)),
  );
  return ranked[0]?.slice(0, 200) ?? null;
}

/** How a body of a media type is written. */
export function kindOf(mediaType: string): Body['kind'] {
  const type = mediaType.toLowerCase().split(';')[0]?.trim() ?? '';
  if (/^(application\/json|\*\/\*|application\/\*)$|[+/]json$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type.startsWith('multipart/')) return 'multipart';
  return /^text\/|[+/](xml|yaml|x-ndjson|graphql|javascript)$/.test(type) ? 'text' : 'bytes';
}

interface ObjectParts {
  readonly properties: Map<string, unknown>;
  readonly required: Set<string>;
}

interface Collected extends ObjectParts {
  /** How many more schemas and properties are read. */
  left: number;
}

/** The properties of an object that has no others; null if the schema says more than that. */
function objectParts(root: Fields, given: unknown): ObjectParts | null {
  const properties = new Map<string, unknown>();
  const required = new Set<string>();
  if (!collect(root, given, { properties, required, left: maxCollected }, 0)) return null;
  for (const [name, property] of properties)
    if (isReadOnly(root, property)) {
      properties.delete(name);
      required.delete(name);
    }
  // If a required name is not described, the function takes the whole body as one argument.
  const isWhole = [...required].every((name) => properties.has(name));
  return isWhole && properties.size > 0 && properties.size <= maxFields
    ? { properties, required }
    : null;
}

/** Adds the properties of an object and of its parts (`allOf`). Returns false if the schema says more, or too much. */
function collect(root: Fields, given: unknown, found: Collected, level: number): boolean {
  const schema = resolveReference(root, given);
  found.left -= 1;
  if (schema === null || level > maxParts || found.left < 0) return false;
  const isObject = schema.type === undefined || schema.type === 'object';
  const says = ['oneOf', 'anyOf', 'not', 'if', 'patternProperties', 'nullable', 'dependentSchemas'];
  const { additionalProperties: others } = schema;
  const isOpen = others === true || Object.keys(asFields(others)).length > 0;
  const saysMore = says.some((key) => schema[key] !== undefined && schema[key] !== false);
  if (!isObject || isOpen || saysMore) return false;
  const parts = Array.isArray(schema.allOf) ? schema.allOf.slice(0, maxParts) : [];
  if (!parts.every((part) => collect(root, part, found, level + 1))) return false;
  const own = Object.entries(asFields(schema.properties));
  found.left -= own.length;
  for (const [name, property] of own) found.properties.set(name, property);
  if (isStrings(schema.required)) for (const name of schema.required) found.required.add(name);
  return true;
}
