/** Answers with the saved listing while no app page is open, or none replies. */

import { openDB } from 'idb';
import { apiRoute } from '../../src/runtime/protocol/api-route.ts';
import { siteHeader } from '../../src/runtime/protocol/bridge.ts';
import {
  emptyListing,
  respondIfChanged,
  databaseName,
  type ListingRecord,
} from '../../src/runtime/protocol/listing.ts';
import { problemResponse } from '../../src/runtime/protocol/problem-document.ts';
import {
  answerDefinitions,
  type DefinedTool,
} from '../../src/runtime/registry/provider-listing.ts';
import { asFields, isObject } from '../../src/runtime/spec/guards.ts';
import type { ServiceDeps } from './service-deps.ts';

/**
 * Answers `api/tools`, `api/tools/{name}` and invalid routes; `undefined` for requests that only a
 * page can answer.
 * @param query has the id or name of the folder that the request is for, unless that is the last
 * one
 */
export async function savedAnswer(
  request: Pick<Request, 'method' | 'headers'>,
  path: string,
  query: URLSearchParams,
  deps: Pick<ServiceDeps, 'address' | 'savedListing'>,
): Promise<Response | undefined> {
  const route = apiRoute(request.method, path);
  if (route instanceof Response) return route;
  // Pages of other origins need a page of the app, which knows whether they may ask.
  // @mutant other sites: without a page, they get no stored listing => removed
  if (request.headers.has(siteHeader)) return undefined;
  if (route.at === 'folders') return Response.json({ folders: [] });
  if (route.at !== 'tools' && route.at !== 'tool') return undefined;
  const folder = query.get('folder');
  const { body, etag } = (await deps.savedListing()) ?? emptyListing;
  if (folder !== null) {
    const saved = asFields(JSON.parse(body));
    if (folder !== saved.folderId && folder !== saved.folder) return undefined;
  }
  const format = query.get('format');
  if (route.at === 'tools' && format !== null)
    return answerDefinitions(request, format, etag, () => definedTools(JSON.parse(body)));
  if (route.at === 'tools') return respondIfChanged(request, etag, () => body);
  const tool = findTool(JSON.parse(body), route.id);
  if (tool !== undefined) return respondIfChanged(request, etag, () => JSON.stringify(tool));
  return problemResponse({
    status: 404,
    code: 'unknown-tool',
    detail: `There is no tool ${route.id} in the last open folder.`,
    hint: `Open ${deps.address} and the tools folder there.`,
  });
}

/** The tools of a stored listing, as far as they can be defined. */
function definedTools(listing: unknown): readonly DefinedTool[] {
  const { tools } = asFields(listing);
  return Array.isArray(tools) ? tools.filter(isDefinedTool) : [];
}

function isDefinedTool(value: unknown): value is DefinedTool {
  const { name, label, description, parameters, examples, returns, annotations } = asFields(value);
  return (
    [name, label, description].every((text) => typeof text === 'string') &&
    isObject(parameters) &&
    Array.isArray(examples) &&
    examples.every(isObject) &&
    (returns === null || isObject(returns)) &&
    isObject(annotations)
  );
}

function findTool(listing: unknown, name: string): unknown {
  const { tools } = asFields(listing);
  if (!Array.isArray(tools)) return undefined;
  return tools.find((tool: unknown) => asFields(tool).name === name);
}

/** The saved listing; `undefined` if there is none, or storage is blocked. */
export async function readSavedListing(base: string): Promise<ListingRecord | undefined> {
  try {
    const database = await openDB(databaseName(base), undefined, {
      // The page creates the database, with its stores. Aborting prevents an empty one from being created here.
      upgrade(_database, _oldVersion, _newVersion, transaction) {
        transaction.done.catch(() => {
          // openDB rejects with the same error.
        });
        transaction.abort();
      },
    });
    try {
      const record: unknown = await database.get('listing', 'latest');
      return isListingRecord(record) ? record : undefined;
    } finally {
      // An open connection would block the page's next upgrade.
      database.close();
    }
  } catch {
    return undefined;
  }
}

function isListingRecord(value: unknown): value is ListingRecord {
  const { body, etag } = asFields(value);
  return typeof body === 'string' && typeof etag === 'string';
}
