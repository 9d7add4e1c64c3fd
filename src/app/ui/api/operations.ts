/** Reads the operations of the API from its OpenAPI document, for the explorer. */

import { asFields } from '../../../runtime/spec/guards.ts';
import { asText } from '../../../runtime/spec/lenient.ts';

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The part of the address behind `api/`, percent-encoded, with the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Example {
  readonly label: string;
  /** JSON text. */
  readonly body: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description: string;
  readonly required: boolean;
  /** The allowed values; empty if any text is. */
  readonly values: readonly string[];
}

export interface Operation {
  readonly id: string;
  readonly method: ApiRequest['method'];
  /** The path, with `{name}` for each parameter. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The tool file; empty for operations that every folder has. */
  readonly group: string;
  readonly parameters: readonly Parameter[];
  /** Whether the answer can be an event stream. */
  readonly streams: boolean;
  readonly takesBody: boolean;
  readonly examples: readonly Example[];
}

/** Everything that the user has entered for an operation. */
export interface Draft {
  /** Values by name; empty ones are left out of the query. */
  readonly values: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body: string;
  readonly asEvents: boolean;
}

const methods = { get: 'GET', post: 'POST', delete: 'DELETE' } as const;

/** All operations, in the order of the document. */
export function operationsIn(document: unknown): readonly Operation[] {
  const { paths, components } = asFields(document);
  const resolve = (value: unknown): Readonly<Record<string, unknown>> => {
    const { $ref: reference } = asFields(value);
    if (typeof reference !== 'string') return asFields(value);
    const [, section = '', name = ''] = /^#\/components\/(\w+)\/([^/]+)$/.exec(reference) ?? [];
    return asFields(asFields(asFields(components)[section])[name]);
  };
  return Object.entries(asFields(paths)).flatMap(([path, item]) =>
    Object.entries(methods).flatMap(([key, method]) => {
      const operation = asFields(item)[key];
      if (operation === undefined) return [];
      const { operationId, summary, description, tags, requestBody, responses } =
        asFields(operation);
      const parameters = [asFields(item).parameters, asFields(operation).parameters]
        .flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
        .flatMap((parameter) => parameterIn(resolve(parameter)));
      const answer = asFields(resolve(asFields(responses)['200']).content);
      const body = asFields(asFields(asFields(requestBody).content)['application/json']);
      return [
        {
          id: String(operationId),
          method,
          path,
          parameters,
          summary: asText(summary),
          description: asText(description),
          group: Array.isArray(tags) ? String(tags[0]) : '',
          streams: 'text/event-stream' in answer,
          takesBody: requestBody !== undefined,
          examples: Object.entries(asFields(body.examples)).map(([label, example]) => ({
            label: asText(asFields(example).summary) || label.replace('-', ' '),
            body: JSON.stringify(asFields(example).value, null, 2),
          })),
        },
      ];
    }),
  );
}

function parameterIn(parameter: Readonly<Record<string, unknown>>): Parameter[] {
  const { name, in: place, description, required, schema } = parameter;
  if ((place !== 'path' && place !== 'query') || typeof name !== 'string') return [];
  const { enum: values } = asFields(schema);
  return [
    {
      name,
      in: place,
      required: required === true,
      description: asText(description),
      values: Array.isArray(values) ? values.map(String) : [],
    },
  ];
}

/** The tool that an operation calls; null for any other operation. */
export function toolOfOperation({ method, path }: Operation): string | null {
  const name = method === 'POST' ? /^\/tools\/([^/]+)\/invoke$/.exec(path)?.[1] : undefined;
  return name === undefined ? null : decodeURIComponent(name);
}

/**
 * The draft with which an operation begins.
 * @param args first arguments of the tool that is called, as JSON text; used if there is no example
 */
export function firstDraft(operation: Operation, args = '{}'): Draft {
  const { takesBody, examples, streams } = operation;
  const [example] = examples;
  const empty =
    takesBody && toolOfOperation(operation) !== null
      ? `{\n  "arguments": ${args.replaceAll('\n', '\n  ')}\n}`
      : '{}';
  return { values: {}, body: example?.body ?? empty, asEvents: streams };
}

/** The request, or what is missing. */
export function requestOf(
  { method, path, parameters, takesBody, streams, id }: Operation,
  { values, body, asEvents }: Draft,
): ApiRequest | { readonly fault: string } {
  const missing = parameters.find(({ name, required }) => required && (values[name] ?? '') === '');
  if (missing !== undefined) return { fault: `Enter “${missing.name}”.` };
  const filled = path
    .slice(1)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeSegment(values[name] ?? ''));
  const query = new URLSearchParams(
    parameters
      .filter((parameter) => parameter.in === 'query' && (values[parameter.name] ?? '') !== '')
      .map(({ name }) => [name, values[name] ?? '']),
  ).toString();
  // A request for access has a body without content.
  const sendsBody = takesBody || id === 'ask_access';
  if (sendsBody) {
    try {
      JSON.parse(body);
    } catch (thrown) {
      return { fault: `The body is not JSON: ${(thrown as Error).message}` };
    }
  }
  return {
    method,
    path: query === '' ? filled : `${filled}?${query}`,
    headers: streams && asEvents ? { Accept: 'text/event-stream' } : {},
    ...(sendsBody && { body }),
  };
}

function encodeSegment(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll('%3A', ':');
}

/** Operations that match every word, in their order. */
export function filterOperations(
  operations: readonly Operation[],
  query: string,
): readonly Operation[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return operations;
  return operations.filter(({ method, path, summary, group }) => {
    const text = `${method} ${path} ${summary} ${group}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
