/** Describes the API of the open folder in OpenAPI 3.1: one operation for each tool. */

import { exactText } from '../../spec/exact-json.ts';
import type { JsonObject, JsonText } from '../../spec/json.ts';
import type { RegisteredTool } from '../../spec/tool.ts';
import type { Listing } from '../api-deps.ts';
import { componentNames } from './component-names.ts';
import { fixedPaths, operationIds, responses, schemas } from './fixed-parts.ts';
import { schemaText } from './schema-text.ts';

/** The document as JSON text in small pieces, since foreign content decides its size. */
export function* openApiPieces({ folder, revision, tools }: Listing): Generator<string, void> {
  const names = componentNames(
    tools.map(({ name }) => name),
    operationIds,
  );
  const info = {
    title: folder === null ? 'Cloche' : `Tools of ${folder}`,
    version: revision === '' ? '0' : revision,
    description:
      'The tools of the folder that is open in Cloche. Only pages below the address of the app reach this API, while a Cloche page is open in the same browser.',
  };
  yield `{"openapi":"3.1.1","info":${JSON.stringify(info)},"servers":[{"url":"../api"}],`;
  yield `"paths":${JSON.stringify(fixedPaths).slice(0, -1)}`;
  for (const tool of tools) yield `,${operation(tool, names.get(tool.name) ?? '')}`;
  yield `},"components":{"responses":${JSON.stringify(responses)},`;
  yield `"schemas":${JSON.stringify(schemas).slice(0, -1)}`;
  for (const { name, parameters, returns } of tools) {
    const component = names.get(name) ?? '';
    yield `,"${component}.arguments":${schemaText(parameters, `${component}.arguments`)}`;
    if (returns !== null)
      yield `,"${component}.returns":${schemaText(returns, `${component}.returns`)}`;
  }
  yield '}}}';
}

function operation(tool: RegisteredTool, component: string): JsonText {
  const { name, label, description, source, returns } = tool;
  const head = {
    operationId: component,
    summary: label,
    description,
    tags: [source.file],
    ...(returns === null
      ? {}
      : { 'x-returns': { $ref: `#/components/schemas/${component}.returns` } }),
    responses: {
      200: { $ref: '#/components/responses/Result' },
      default: { $ref: '#/components/responses/Problem' },
    },
  };
  const schema = {
    type: 'object',
    properties: {
      arguments: { $ref: `#/components/schemas/${component}.arguments` },
      session: { type: 'string', description: 'The id of a session.' },
      validate: { type: 'boolean', description: 'False skips the check of the arguments.' },
    },
  };
  const body = `{"required":true,"content":{"application/json":{"schema":${JSON.stringify(schema)}${examples(tool)}}}}`;
  const post = `${JSON.stringify(head).slice(0, -1)},"requestBody":${body}}`;
  return `${JSON.stringify(`/tools/${pathSegment(name)}/invoke`)}:{"post":${post}}`;
}

function examples({ examples: all }: RegisteredTool): string {
  if (all.length === 0) return '';
  const members = all.map(
    (example: JsonObject, index) =>
      `"example-${index + 1}":{"value":{"arguments":${exactText(example)}}}`,
  );
  return `,"examples":{${members.join(',')}}`;
}

/** Percent-encoded; a colon may stay. */
function pathSegment(name: string): string {
  return encodeURIComponent(name).replaceAll('%3A', ':');
}
