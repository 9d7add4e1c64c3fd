/**
 * Writes the handler and the spec of one operation as Python text. The functions in that text that begin with an underscore are
 * written by python-file.ts.
 */

import { asFields, isRecord } from '../../../src/runtime/spec/guards.ts';
import { cut, docstring, formatText, literal, pythonText } from '../python-text.ts';
import { Arguments, type Argument } from './arguments.ts';
import { bodyOf, type Body } from './body.ts';
import type { ApiDocument, Operation } from './document.ts';
import { jsonChars, Schemas } from './schemas.ts';

/** Longest schema of the parameters of one tool; Cloche accepts 256 KB. */
const maxSchemaChars = 200_000;
const maxDescription = 1_000;
/** Methods that change nothing. */
const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface Handler {
  /** Features that the file cannot express. */
  readonly notes: readonly string[];
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly requiresApproval: boolean;
  /** Length of {@link parameters} as JSON, which is not longer than it is in Python. */
  readonly schemaChars: number;
  /** The Python text of the function. @param base expression of the server's address; empty for the file's server */
  code(name: string, base: string): string;
}

/** Reads an operation, and returns what its handler and its spec are written from. */
export function handlerOf(document: ApiDocument, operation: Operation): Handler {
  const { method, path, fields: own } = operation;
  const description = descriptionOf(operation);
  const route = routeOf(path);
  const { args, body, parameters, schemaChars, notes } = withinLimit(document, operation, route);
  return {
    notes,
    description,
    parameters,
    requiresApproval: !reading.has(method),
    schemaChars,
    code: (name, base) => {
      const lines = [
        pythonText(method),
        pathText(route, args),
        ...queryText(args),
        ...headerText(args),
        ...bodyText(body, args),
        ...(base === '' ? [] : [`base=${base}`]),
      ];
      const short = `    return _request(${lines.join(', ')})`;
      const call =
        short.length <= 100
          ? short
          : `    return _request(\n${lines.map((line) => `        ${line},\n`).join('')}    )`;
      const [about = ''] = cut(own.summary ?? own.description, 300).split('\n\n');
      const doc = docstring(about === '' ? `${method} ${path.slice(0, 300)}` : about, 4);
      return `def ${name}(${signature(args)}):\n    ${doc}\n${call}\n`;
    },
  };
}

interface ReadArguments {
  readonly args: readonly Argument[];
  readonly body: Body | null;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly schemaChars: number;
  readonly notes: readonly string[];
}

/** Reads the arguments. If their schema would be too large, leaves out descriptions, the body's schema, then all schemas. */
function withinLimit(
  document: ApiDocument,
  operation: Operation,
  route: readonly RoutePart[],
): ReadArguments {
  const { method } = operation;
  const given = bodyOf(document, operation);
  const canSend = method !== 'GET' && method !== 'HEAD';
  const body = canSend ? given : null;
  const missing: string[] = [];
  if (given !== null && !canSend)
    missing.push(`Its body is not sent, because browsers send none with ${method}.`);
  if (given === null && isRecord(operation.fields.requestBody))
    missing.push('Its body is left out, because the document does not describe it.');
  if (operation.missing > 0) missing.push('Parameters that are not in the document are left out.');
  const names = new Set(route.flatMap((part) => (part.isName ? [part.text] : [])));
  const read = (maxText: number, sent: Body | null, ...more: string[]): ReadArguments => {
    const notes = new Set([...missing, ...more]);
    const schemas = new Schemas(document.root, notes, maxText);
    const args = new Arguments(document, schemas, notes, maxText);
    args.read(operation, [...names], sent);
    const parameters = parametersOf(args.list, schemas.definitions);
    const schemaChars = jsonChars(parameters);
    return { args: args.list, body: sent, parameters, schemaChars, notes: [...notes] };
  };
  let found = read(1_000, body);
  if (isTooLarge(found)) found = read(150, body);
  if (isTooLarge(found)) found = read(0, body);
  if (isTooLarge(found) && body !== null)
    found = read(
      0,
      { ...body, schema: {}, fields: null },
      'Its body is one argument without a schema, because the schema is too large.',
    );
  return isTooLarge(found) ? withoutSchemas(found) : found;
}

function isTooLarge({ schemaChars }: ReadArguments): boolean {
  return schemaChars > maxSchemaChars;
}

function withoutSchemas(found: ReadArguments): ReadArguments {
  const args = found.args.map((arg) => ({ ...arg, schema: {} }));
  const parameters = parametersOf(args, {});
  const notes = [...found.notes, 'Its arguments have no schemas, because these are too large.'];
  return { ...found, parameters, schemaChars: jsonChars(parameters), notes };
}

function parametersOf(
  args: readonly Argument[],
  definitions: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const required = args.filter((arg) => arg.required).map(({ python }) => python);
  return {
    type: 'object',
    properties: Object.fromEntries(args.map(({ python, schema }) => [python, schema])),
    ...(required.length > 0 && { required }),
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
  };
}

function descriptionOf({ method, path, fields: own }: Operation): string {
  const parts = [cut(own.summary, 300), cut(own.description, maxDescription)];
  const text = [...new Set(parts.filter((part) => part !== ''))].join('\n\n');
  const whole = text === '' ? `${method} ${path}`.slice(0, maxDescription) : text;
  return own.deprecated === true ? `Deprecated. ${whole}` : whole;
}

interface RoutePart {
  readonly text: string;
  /** Whether it is the name of a parameter. */
  readonly isName: boolean;
}

/** The parts of a path; a fragment, by which some documents tell operations apart, is never sent. */
function routeOf(path: string): RoutePart[] {
  const [sent = ''] = path.slice(0, 2_000).split('#');
  return sent.split(/(\{[^{}]*\})/).map((part) => {
    const name = /^\{([^{}]+)\}$/.exec(part)?.[1];
    return name === undefined ? { text: part, isName: false } : { text: name, isName: true };
  });
}

/** The path as an f-string with the arguments in their places. */
function pathText(route: readonly RoutePart[], args: readonly Argument[]): string {
  const parts = route.map(({ text, isName }) => {
    const arg = isName
      ? args.find(({ place, name }) => place === 'path' && name === text)
      : undefined;
    return arg === undefined ? formatText(encodedPath(text)) : pathValue(arg);
  });
  const isFormat = route.some(({ isName }) => isName);
  return `${isFormat ? 'f' : ''}"${isFormat ? parts.join('') : parts.join('').replaceAll('{{', '{').replaceAll('}}', '}')}"`;
}

function encodedPath(text: string): string {
  return encodeURI(text.toWellFormed()).replaceAll("'", '%27').replaceAll('%25', '%');
}

/** The part of that f-string that stands for an argument. */
function pathValue({ name, python, style, schema }: Argument): string {
  const isObject = asFields(schema).type === 'object';
  const explode = style.endsWith(' explode');
  const wire = encodeURIComponent(name.toWellFormed()).replaceAll("'", '%27');
  if (style.startsWith('label'))
    return explode ? `.{_path(${python}, '.', True)}` : `.{_path(${python})}`;
  if (style.startsWith('matrix')) {
    if (!explode) return `;${formatText(wire)}={_path(${python})}`;
    return isObject
      ? `;{_path(${python}, ';', True)}`
      : `;${formatText(wire)}={_path(${python}, ';${wire}=')}`;
  }
  return explode ? `{_path(${python}, ',', True)}` : `{_path(${python})}`;
}

/** The argument `query` of `_request`; none without parameters. */
function queryText(args: readonly Argument[]): string[] {
  const parts = args.filter(({ place }) => place === 'query').map(pairs);
  return parts.length === 0 ? [] : [`query=${list(parts, 'query='.length)}`];
}

/** The pairs of a query or a form that stand for one argument. */
function pairs({ name, python, style, isJson, schema }: Argument): string {
  const value = isJson ? `_json_text(${python})` : python;
  const { type } = asFields(schema);
  const isPlain = isJson || (typeof type === 'string' && type !== 'array' && type !== 'object');
  const how = isPlain || style === 'multi' ? '' : `, ${pythonText(style)}`;
  return `*_query(${pythonText(name)}, ${value}${how})`;
}

/** The argument `headers` of `_request`; none without parameters. */
function headerText(args: readonly Argument[]): string[] {
  const parts = args
    .filter(({ place }) => place === 'header')
    .map(({ name, python, isJson }) => {
      const value = isJson ? `_json_text(${python})` : python;
      return `${pythonText(name)}: ${value}`;
    });
  return parts.length === 0 ? [] : [`headers=${list(parts, 'headers='.length, '{', '}')}`];
}

/** The arguments of `_request` for the body; none without a body. */
function bodyText(body: Body | null, args: readonly Argument[]): string[] {
  if (body === null) return [];
  const own = args.filter(({ place }) => place === 'body');
  const [first] = own;
  if (first === undefined) return [];
  const type = `content_type=${pythonText(body.mediaType)}`;
  const isWhole = body.fields === null;
  switch (body.kind) {
    case 'json': {
      if (isWhole) return [`data=_json(${first.python})`, type];
      const parts = own.map(({ name, python }) => `${pythonText(name)}: ${python}`);
      const given = list(parts, 'data=_json(_given('.length, '{', '}');
      return [`data=_json(_given(${given})${body.required ? '' : ' or ...'})`, type];
    }
    case 'form':
      return [`data=_form(${list(own.map(pairs), 'data=_form('.length)})`, type];
    case 'multipart': {
      if (isWhole)
        return [`**_multipart((name, value, False) for name, value in ${first.python}.items())`];
      const parts = own.map(
        ({ name, python, isFile }) =>
          `(${pythonText(quotedName(name))}, ${python}, ${isFile ? 'True' : 'False'})`,
      );
      return [`**_multipart(${list(parts, '**_multipart('.length)})`];
    }
    case 'text':
      return [`data=_encoded(${first.python})`, type];
    case 'bytes':
      return [`data=_decoded(${first.python})`, type];
  }
}

/** Writes the name of a part as browsers do. */
function quotedName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function list(parts: readonly string[], before: number, open = '[', close = ']'): string {
  const short = `${open}${parts.join(', ')}${close}`;
  if (short.length + before + 8 <= 99) return short;
  return `${open}\n${parts.map((part) => `            ${part},\n`).join('')}        ${close}`;
}

/** Required arguments come first. Where `None` is a value, `...` says that none is given. */
function signature(args: readonly Argument[]): string {
  const required = args.filter((arg) => arg.required).map(({ python }) => python);
  const optional = args
    .filter((arg) => !arg.required)
    .map(
      ({ python, place, isFile }) => `${python}=${place === 'body' && !isFile ? '...' : 'None'}`,
    );
  const all = [...required, ...optional];
  const short = all.join(', ');
  return short.length <= 60 ? short : `\n${all.map((one) => `    ${one},\n`).join('')}`;
}

/** A spec of `TOOL_SPECS`. */
export function specText(
  module: string,
  name: string,
  { description, parameters, requiresApproval }: Handler,
): string {
  const members = [
    `"name": ${pythonText(`${module}:${name}`)}`,
    `"description": ${pythonText(description)}`,
    `"parameters": ${literal(parameters, 8, '"parameters": '.length)}`,
    ...(requiresApproval
      ? ['"requires_approval": True']
      : ['"annotations": {"readOnlyHint": True}']),
    `"handler": ${name}`,
  ];
  return `    {\n${members.map((member) => `        ${member},\n`).join('')}    },\n`;
}

/** Whether browsers and Cloche send requests with this method. */
export function isWritable({ method }: Operation): boolean {
  return /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method);
}
