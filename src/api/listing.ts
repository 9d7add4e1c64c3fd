/** The tool list as JSON, for API responses and for the record that the service worker stores. */

import { validatedResponse, type ListingRecord } from '../protocol/listing.ts';
import { problemResponse } from '../protocol/problem-document.ts';
import type { ApiRequest } from './api-deps.ts';
import { siteOf } from './other-sites.ts';
import type { ApiDeps, Listing } from './api-deps.ts';
import { paced } from '../async/pace.ts';
import { wait } from '../async/wait.ts';
import { sha256Of } from '../spec/sha256.ts';
import { openApiPieces, type RecordedCall } from './openapi/document.ts';
import { pacedBody } from './paced-body.ts';
import type { TestStatus } from '../spec/saved-test.ts';
import type { RegisteredTool, Tool } from '../spec/tool.ts';

/** Answers `GET api/tools`. */
export function answerListing(request: ApiRequest, deps: ApiDeps): Response {
  const listing = deps.listing();
  return validatedResponse(request, listingTag(listing), () => {
    return pacedBody([listingPieces(listing)]);
  });
}

/** Answers `GET api/openapi.json`. The saved tests of the folder are its examples. */
export async function answerOpenApi(request: ApiRequest, deps: ApiDeps): Promise<Response> {
  // Another site is told of the tools, not of what was saved with them.
  const isOwn = siteOf(request) === null;
  if (isOwn) await wait(request.signal, deps.tests.refresh());
  const listing = deps.listing();
  const tests = isOwn ? deps.tests.view.tests : [];
  const byTool = new Map<string, TestStatus[]>();
  for (const status of tests) {
    const others = byTool.get(status.test.tool);
    if (others === undefined) byTool.set(status.test.tool, [status]);
    else others.push(status);
  }
  const recorded = (tool: string): RecordedCall[] =>
    (byTool.get(tool) ?? []).map(({ test, result }) => ({
      ...{ name: test.name, arguments: test.arguments, text: result?.text ?? null },
      resultType: result?.resultType ?? 'success',
    }));
  // The tests change without the tools.
  const shown = tests.map(
    ({ test, result }) => `${test.name}${test.arguments}${result?.callId ?? ''}`,
  );
  const examples = (await sha256Of(new TextEncoder().encode(shown.join('\n')))).slice(0, 16);
  const tag = `${listingTag(listing).slice(0, -1)}.${examples}"`;
  return validatedResponse(request, tag, () => pacedBody([openApiPieces(listing, recorded)]));
}

/** Answers `GET api/tools/{name}`. */
export function answerTool(request: ApiRequest, name: string, deps: ApiDeps): Response {
  const tool = deps.tool(name);
  if (tool === undefined) return unknownTool(name, deps);
  return validatedResponse(request, listingTag(deps.listing()), () =>
    JSON.stringify(apiTool(tool, deps.listing())),
  );
}

/** A 404 whose message depends on whether a folder is open. */
export function unknownTool(name: string, deps: ApiDeps): Response {
  const { state, folder } = deps.listing();
  return problemResponse({
    status: 404,
    code: 'unknown-tool',
    detail:
      state === 'none'
        ? `There is no tool ${name}: no folder is open.`
        : `There is no tool ${name} in the folder ${folder ?? ''}.`,
    hint:
      state === 'none'
        ? 'Open a tools folder in the Cloche page.'
        : 'GET api/tools lists the tools, and the problems of files that could not be loaded.',
  });
}

/** The record with which the service worker answers while no app page is open. */
export async function listingRecord(listing: Listing): Promise<ListingRecord> {
  return {
    id: 'latest',
    body: await paced(joined(listingPieces(listing))),
    etag: listingTag(listing),
  };
}

function* joined(pieces: Iterable<string>): Generator<undefined, string> {
  const all: string[] = [];
  for (const piece of pieces) {
    all.push(piece);
    yield undefined;
  }
  return all.join('');
}

function* listingPieces(listing: Listing): Generator<string, void> {
  const { state, folder, folderId, revision } = listing;
  yield JSON.stringify({ state, folder, folderId, revision }).slice(0, -1);
  yield ',"tools":';
  yield* list(listing.tools, (tool) => apiTool(tool, listing));
  yield ',"problems":';
  yield* list(listing.problems, (problem) => problem);
  yield '}';
}

function* list<T>(items: readonly T[], toJson: (item: T) => unknown): Generator<string, void> {
  let before = '[';
  for (const item of items) {
    yield before + JSON.stringify(toJson(item));
    before = ',';
  }
  yield items.length === 0 ? '[]' : ']';
}

// Includes the folder: two folders with the same tools have the same revision.
function listingTag({ state, folder, folderId, revision }: Listing): string {
  return `"${[state, revision, folder ?? '', folderId].map(encodeURIComponent).join('.')}"`;
}

export interface ApiTool extends Omit<Tool, 'source' | 'handler' | 'takesContext'> {
  readonly folder: string;
  readonly folderId: string;
  readonly source: { readonly file: string; readonly line: number };
  /** SHA-256 of the tool file's bytes, hex. */
  readonly hash: string;
  /** `last-good`: the file on disk has an error, and calls run the version before it. */
  readonly state: RegisteredTool['state'];
}

/** Omits what changes between two scans of the same file, and what only Python uses. */
function apiTool(tool: RegisteredTool, { folder, folderId }: Listing): ApiTool {
  return {
    name: tool.name,
    folder: folder ?? '',
    folderId,
    label: tool.label,
    description: tool.description,
    parameters: tool.parameters,
    source: { file: tool.source.file, line: tool.source.line },
    timeout_s: tool.timeout_s,
    requires_approval: tool.requires_approval,
    concurrency_safe: tool.concurrency_safe,
    stateless: tool.stateless,
    background_safe: tool.background_safe,
    interrupt: tool.interrupt,
    deferred: tool.deferred,
    prompt_hint: tool.prompt_hint,
    prompt_guides: tool.prompt_guides,
    examples: tool.examples,
    returns: tool.returns,
    annotations: tool.annotations,
    hash: tool.hash,
    state: tool.state,
  };
}
