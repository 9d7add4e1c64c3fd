/** The tool list as JSON, for API responses and for the record that the service worker stores. */

import { runPaced } from '../../runtime/async/pace.ts';
import { respondIfChanged, type ListingRecord } from '../../runtime/protocol/listing.ts';
import { problemResponse } from '../../runtime/protocol/problem-document.ts';
import { answerDefinitions } from '../../runtime/registry/provider-listing.ts';
import { toolNames } from '../../runtime/registry/provider-names.ts';
import type { RegisteredTool, Tool } from '../../runtime/spec/tool.ts';
import type { ApiRequest, ApiDeps, Listing } from './api-deps.ts';
import { createPacedBody } from './http-form.ts';

/** Answers `GET api/tools`. */
export async function answerListing(request: ApiRequest, deps: ApiDeps): Promise<Response> {
  const listing = deps.listing();
  const format = request.query?.get('format') ?? null;
  if (format !== null)
    return answerDefinitions(request, format, listingTag(listing), () => listing.tools);
  return respondIfChanged(request, listingTag(listing), () => {
    return createPacedBody([listingPieces(listing)]);
  });
}

/** Answers `GET api/tools/{name}`. */
export function answerTool(request: ApiRequest, name: string, deps: ApiDeps): Response {
  const tool = deps.tool(name);
  if (tool === undefined) return unknownTool(name, deps);
  return respondIfChanged(request, listingTag(deps.listing()), () =>
    JSON.stringify(apiTool(tool, deps.listing())),
  );
}

/** The name of the tool that model providers know as `name`; otherwise `name` itself. */
export async function findCalledTool(name: string, deps: ApiDeps): Promise<string> {
  if (deps.tool(name) !== undefined || !/^[\w-]{1,64}$/.test(name)) return name;
  const names = await toolNames(deps.listing().tools.map((tool) => tool.name));
  return names.toId(name) ?? name;
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
async function listingRecord(listing: Listing): Promise<ListingRecord> {
  return {
    id: 'latest',
    body: await runPaced(joinPieces(listingPieces(listing))),
    etag: listingTag(listing),
  };
}

function* joinPieces(pieces: Iterable<string>): Generator<undefined, string> {
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

/** The tag includes the folder: two folders with the same tools have the same revision. */
export function listingTag({ state, folder, folderId, revision }: Listing): string {
  // @mutant the tag of a listing depends on its state => without state, [src/app/api/create-api.test.ts]
  // @mutant the tag of a listing depends on its folder => without , folder ?? '', folderId [src/app/api/create-api.test.ts]
  return `"${[state, revision, folder ?? '', folderId].map(encodeURIComponent).join('.')}"`;
}

export interface ApiTool extends Omit<Tool, 'source' | 'handler' | 'takesContext' | 'takesMore'> {
  readonly folder: string;
  readonly folderId: string;
  readonly source: { readonly file: string; readonly line: number };
  /** SHA-256 of the tool file's bytes, hex. */
  readonly hash: string;
  /** `last-good`: the file on disk has an error, and calls run the version before it. */
  readonly state: RegisteredTool['state'];
}

/**
 * Omits members that change between two scans of the same file, and those that only Python uses.
 */
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
    ...(tool.app === undefined ? {} : { app: tool.app }),
    hash: tool.hash,
    state: tool.state,
  };
}

interface ListingKeeperDeps extends Pick<ApiDeps, 'after'> {
  listing(): Listing;
  /** Whether this page hosts the API: only the host stores its list. */
  isHost(): boolean;
  save(record: ListingRecord): Promise<void>;
  /** Called with the error of a failed `save`; the next change is saved again. */
  onFailure(error: unknown): void;
}

/** Stores the latest tool list, so that the service worker can answer with it when no app page is open. */
export interface ListingKeeper {
  /** Call this after every change; changes in quick succession are saved once. */
  changed(): void;
  dispose(): void;
}

const debounceMs = 200;

/** Does not save during a scan; the end of the scan is another change. */
export function createListingKeeper(deps: ListingKeeperDeps): ListingKeeper {
  let cancel: (() => void) | undefined;
  let saving: Promise<void> = Promise.resolve();

  async function save(): Promise<void> {
    const listing = deps.listing();
    if (listing.state === 'scanning' || !deps.isHost()) return;
    try {
      await deps.save(await listingRecord(listing));
    } catch (error) {
      deps.onFailure(error);
    }
  }

  return {
    changed() {
      cancel?.();
      cancel = deps.after(debounceMs, () => {
        saving = saving.then(save);
      });
    },
    dispose() {
      cancel?.();
    },
  };
}
