/** Describes the API of the open folder in OpenAPI 3.1: one operation for each tool. */

import { wait } from '../../../runtime/async/wait.ts';
import { respondIfChanged } from '../../../runtime/protocol/listing.ts';
import { exactText } from '../../../runtime/spec/exact-json.ts';
import type { JsonObject, JsonText } from '../../../runtime/spec/json.ts';
import type { TestStatus } from '../../../runtime/spec/saved-test.ts';
import { sha256Of } from '../../../runtime/spec/bytes.ts';
import type { RegisteredTool } from '../../../runtime/spec/tool.ts';
import type { Listing, ApiDeps, ApiRequest } from '../api-deps.ts';
import { listingTag } from '../listing.ts';
import { siteOf } from '../../../runtime/protocol/bridge.ts';
import { createPacedBody } from '../http-form.ts';
import { parameters, responses, schemas } from './fixed-parts.ts';
import { fixedPaths, operationIds } from './fixed-paths.ts';
import { schemaText } from './schema-text.ts';

/** The document, with the saved tests of the folder as its examples. */
export async function answerOpenApi(request: ApiRequest, deps: ApiDeps): Promise<Response> {
  // Other sites get the tools, but not the saved tests.
  const isOwn = siteOf(request) === null;
  if (isOwn) await wait(request.signal, deps.tests.refresh());
  const listing = deps.listing();
  // @mutant other sites: saved tests are left out => isOwn ? deps.tests.view.tests : [] -> deps.tests.view.tests
  //   [src/app/api/other-sites.test.ts]
  const tests = isOwn ? deps.tests.view.tests : [];
  const byTool = new Map<string, TestStatus[]>();
  for (const status of tests) {
    const others = byTool.get(status.test.tool);
    if (others === undefined) byTool.set(status.test.tool, [status]);
    else others.push(status);
  }
  const recordedCallsOf = (tool: string): RecordedCall[] =>
    (byTool.get(tool) ?? []).map(({ test, result }) => ({
      name: test.name,
      arguments: test.arguments,
      text: result?.text ?? null,
      resultType: result?.resultType ?? 'success',
    }));
  // The tests can change while the tools stay the same.
  const shown = tests.map(
    ({ test, result }) => `${test.name}${test.arguments}${result?.callId ?? ''}`,
  );
  const examples = (await sha256Of(new TextEncoder().encode(shown.join('\n')))).slice(0, 16);
  const tag = `${listingTag(listing).slice(0, -1)}.${examples}"`;
  return respondIfChanged(request, tag, () =>
    createPacedBody([openApiPieces(listing, recordedCallsOf)]),
  );
}

/** A call that was made before. */
export interface RecordedCall {
  readonly name: string;
  /** Text of a JSON object. */
  readonly arguments: JsonText;
  /** The text that a model would get; null if the call has not been run. */
  readonly text: string | null;
  readonly resultType: 'success' | 'failure';
}

export type RecordedCalls = (tool: string) => readonly RecordedCall[];

/** Limits of examples: for each tool, and characters of one. */
const maxExamples = 5;
const exampleChars = 20_000;

/**
 * The document as JSON text in small pieces, since foreign content decides its size.
 *
 * @param recorded become examples
 */
export function* openApiPieces(
  { folder, revision, tools }: Listing,
  recorded: RecordedCalls = () => [],
): Generator<string, void> {
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
  for (const tool of tools)
    yield `,${operation(tool, names.get(tool.name) ?? '', recorded(tool.name))}`;
  yield `},"components":{"parameters":${JSON.stringify(parameters)},`;
  yield `"responses":${JSON.stringify(responses)},`;
  yield `"schemas":${JSON.stringify(schemas).slice(0, -1)}`;
  for (const { name, parameters: schema, returns } of tools) {
    const component = names.get(name) ?? '';
    yield `,"${component}.arguments":${schemaText(schema, `${component}.arguments`)}`;
    if (returns !== null)
      yield `,"${component}.returns":${schemaText(returns, `${component}.returns`)}`;
  }
  yield '}}}';
}

function operation(
  tool: RegisteredTool,
  component: string,
  recorded: readonly RecordedCall[],
): JsonText {
  const shown = recorded
    .filter((call) => call.arguments.length + (call.text?.length ?? 0) <= exampleChars)
    .slice(0, maxExamples);
  const { name, label, description, source, returns } = tool;
  const head = {
    operationId: component,
    summary: label,
    description,
    tags: [source.file],
    ...(returns === null
      ? {}
      : { 'x-returns': { $ref: `#/components/schemas/${component}.returns` } }),
    parameters: ['folder', 'accept', 'key'].map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    responses: {
      200: withExamples(shown),
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
  const body = `{"required":true,"content":{"application/json":{"schema":${JSON.stringify(schema)}${examples(tool, shown)}}}}`;
  const post = `${JSON.stringify(head).slice(0, -1)},"requestBody":${body}}`;
  return `${JSON.stringify(`/tools/${pathSegment(name)}/invoke`)}:{"post":${post}}`;
}

/** The response of a call, with recorded results. */
function withExamples(recorded: readonly RecordedCall[]): object {
  const ended = recorded.flatMap(({ name, text, resultType }, index) =>
    text === null ? [] : [{ name, text, resultType, key: `recorded-${index + 1}` }],
  );
  if (ended.length === 0) return { $ref: '#/components/responses/Result' };
  const json = responses.Result.content['application/json'];
  const values = ended.map(({ key, name, text, resultType }) => {
    const value = { callId: key, state: 'ended', resultType, textResultForLlm: text };
    return [key, { summary: name, value }] as const;
  });
  const examples = Object.fromEntries(values);
  return {
    ...responses.Result,
    content: { ...responses.Result.content, 'application/json': { ...json, examples } },
  };
}

function examples({ examples: all }: RegisteredTool, recorded: readonly RecordedCall[]): string {
  if (all.length + recorded.length === 0) return '';
  const members = [
    ...all.map(
      (example: JsonObject, index) =>
        `"example-${index + 1}":{"value":{"arguments":${exactText(example)}}}`,
    ),
    ...recorded.map(
      ({ name, arguments: args }, index) =>
        `"recorded-${index + 1}":{"summary":${JSON.stringify(name)},"value":{"arguments":${args}}}`,
    ),
  ];
  return `,"examples":{${members.join(',')}}`;
}

/** Percent-encoded; a colon may stay. */
function pathSegment(name: string): string {
  return encodeURIComponent(name).replaceAll('%3A', ':');
}

/**
 * A different name for each tool: its own, with `_` for what is not allowed, and a number where two would be alike.
 *
 * @param others names that are taken
 */
function componentNames(
  tools: readonly string[],
  others: readonly string[],
): ReadonlyMap<string, string> {
  const taken = new Set(others);
  const names = new Map<string, string>();
  for (const tool of tools) {
    const plain = tool.replace(/[^A-Za-z0-9_]/g, '_');
    let name = plain;
    for (let n = 2; taken.has(name.toLowerCase()); n += 1) name = `${plain}_${n}`;
    taken.add(name.toLowerCase());
    names.set(tool, name);
  }
  return names;
}
