/** The arguments of one operation: its parameters and the fields of its body, with names that no two of them share. */

import { asFields, isRecord, type Fields } from '../../../src/runtime/spec/guards.ts';
import { cut, FreeNames, parameterName } from '../python-text.ts';
import { kindOf, listStyle, type Body } from './body.ts';
import type { ApiDocument, Operation } from './document.ts';
import { resolveReference } from './references.ts';
import type { Schemas } from './schemas.ts';

export type Place = 'path' | 'query' | 'header' | 'body';

export interface Argument {
  readonly place: Place;
  /** The parameter's name in the request. */
  readonly name: string;
  /** The parameter's name in Python, and in the tool’s schema. */
  readonly python: string;
  readonly schema: unknown;
  readonly required: boolean;
  /** The form of its value in the request; see `listStyle` for queries and forms. */
  readonly style: string;
  /** Whether the value is written as JSON. */
  readonly isJson: boolean;
  /** Whether the value is base64 text that stands for bytes. */
  readonly isFile: boolean;
}

interface GivenArgument extends Pick<Argument, 'place' | 'name' | 'required' | 'style'> {
  /** The parameter as the document describes it, or an object with the schema of a field. */
  readonly given: Fields;
  readonly isJson?: boolean;
}

/** Headers that browsers set themselves. */
const ofBrowser =
  /^(accept-charset|accept-encoding|connection|content-length|cookie|date|dnt|expect|host|keep-alive|origin|referer|te|trailer|transfer-encoding|upgrade|user-agent|via|sec-.*|proxy-.*)$/i;
/** Headers that the document must not describe as parameters. */
const ignored = /^(accept|content-type|authorization)$/i;

export class Arguments {
  readonly list: Argument[] = [];
  readonly #names = new FreeNames();
  readonly #document: ApiDocument;
  readonly #schemas: Schemas;
  readonly #notes: Set<string>;
  readonly #maxText: number;
  #takesFiles = false;

  constructor(document: ApiDocument, schemas: Schemas, notes: Set<string>, maxText: number) {
    this.#document = document;
    this.#schemas = schemas;
    this.#notes = notes;
    this.#maxText = maxText;
  }

  /** @param pathNames in the order of the path */
  read(operation: Operation, pathNames: readonly string[], body: Body | null): void {
    const { parameters } = operation;
    for (const name of pathNames) {
      const given = parameters.find((one) => one.in === 'path' && one.name === name);
      this.#add({
        place: 'path',
        name,
        given: given ?? { schema: { type: 'string' } },
        required: true,
        style: pathStyle(given ?? {}),
      });
    }
    for (const place of ['query', 'header'] as const)
      for (const parameter of parameters)
        if (parameter.in === place) this.#parameter(place, parameter);
    for (const { in: place, name } of parameters)
      if (place === 'cookie')
        this.#notes.add(
          `The cookie ${cut(name, 100)} is not sent, because a page cannot set cookies of other sites.`,
        );
      else if (place === 'querystring')
        this.#notes.add('A parameter that is the whole query string is left out.');
    if (body !== null) this.#body(body);
  }

  #parameter(place: 'query' | 'header', parameter: Fields): void {
    const name = String(parameter.name);
    const required = parameter.required === true;
    if (place === 'header') {
      if (ignored.test(name)) return;
      if (ofBrowser.test(name) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
        this.#notes.add(`The header ${cut(name, 100)} is not sent, because a page cannot set it.`);
        return;
      }
    }
    const { isSwagger } = this.#document;
    const style = place === 'query' ? listStyle(parameter, { isSwagger }) : '';
    this.#add({ place, name, given: parameter, required, style });
  }

  #body(body: Body): void {
    this.#takesFiles = body.kind === 'multipart' || body.kind === 'bytes';
    if (body.fields === null) {
      const schema = body.kind === 'bytes' ? { type: 'string', format: 'binary' } : body.schema;
      const text = body.kind === 'text' ? { type: 'string' } : schema;
      const isPlain = isRecord(text) && Object.keys(text).length > 0;
      this.#add({
        place: 'body',
        name: 'body',
        given: {
          schema: isPlain ? text : body.kind === 'json' ? {} : { type: 'object' },
          description: body.description,
        },
        required: body.required || body.kind === 'multipart',
        style: 'multi',
      });
      return;
    }
    for (const { name, schema, required, style, isJson } of body.fields) {
      const isField = this.#document.isSwagger && asFields(schema).in === 'formData';
      const given = isField ? asFields(schema) : { schema };
      this.#add({ place: 'body', name, given, required, style, isJson });
    }
  }

  #add({ place, name, given, required, style, isJson = false }: GivenArgument): void {
    const [[mediaType, content] = ['', null]] = Object.entries(asFields(given.content));
    const raw = given.schema ?? asFields(content).schema ?? given;
    const { root } = this.#document;
    const known = resolveReference(root, raw) ?? {};
    const isFile = place === 'body' && this.#takesFiles && isBinary(root, known);
    const isFiles = isFile && known.type === 'array';
    const converted = isFile
      ? fileSchema(isFiles)
      : this.#schemas.convert(raw === given ? raw : withExamples(root, raw, [content, given]));
    const described = withDescription(
      converted,
      isFile
        ? `${cut(given.description ?? known.description, 200)} Base64 text.`.trim()
        : given.description,
      this.#maxText,
    );
    const wanted = parameterName(name);
    const free = this.#names.take(this.#names.has(wanted) ? `${place}_${wanted}` : wanted);
    this.list.push({
      place,
      name,
      python: free,
      schema: described,
      required,
      style,
      isJson: isJson || kindOf(mediaType) === 'json',
      isFile,
    });
  }
}

/** Adds the examples that stand beside a schema, if it has none: one value, or named ones. */
function withExamples(root: Fields, schema: unknown, places: readonly unknown[]): unknown {
  if (!isRecord(schema) || 'example' in schema || 'examples' in schema) return schema;
  for (const place of places.map(asFields)) {
    if (place.example !== undefined) return { ...schema, example: place.example };
    const named = Object.values(asFields(place.examples)).map((one) => resolveReference(root, one));
    const examples = named.map((one) => one?.value).filter((value) => value !== undefined);
    if (examples.length > 0) return { ...schema, examples };
  }
  return schema;
}

/** How a value is written into a path: the name of OpenAPI’s style, followed by ` explode` if the document says so. */
function pathStyle({ style, explode }: Fields): string {
  const name = style === 'label' || style === 'matrix' ? style : 'simple';
  return explode === true ? `${name} explode` : name;
}

/** Whether the values of a schema are bytes, or lists of them. */
function isBinary(root: Fields, schema: Fields): boolean {
  const { type, format, contentMediaType, contentEncoding, items } = schema;
  if (type === 'array')
    return isBinary(root, { ...resolveReference(root, items), items: undefined });
  if (format === 'binary' || type === 'file' || contentMediaType === 'application/octet-stream')
    return true;
  // Since 3.1, bytes of another type have no encoding.
  return (
    typeof contentMediaType === 'string' &&
    contentEncoding === undefined &&
    !/^text\/|(json|xml|yaml)$/i.test(contentMediaType)
  );
}

function fileSchema(isList: boolean): Fields {
  const one = { type: 'string', contentEncoding: 'base64' };
  return isList ? { type: 'array', items: one } : one;
}

function withDescription(schema: unknown, description: unknown, maxText: number): unknown {
  const text = cut(description, maxText);
  if (text === '' || !isRecord(schema)) return schema === true ? {} : schema;
  return { ...schema, description: text };
}
