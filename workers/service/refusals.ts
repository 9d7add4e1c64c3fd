/** Problem documents for requests that the service worker rejects or cannot answer. */

import { problemResponse, type HttpProblem } from '../../src/runtime/protocol/problem-document.ts';
import type { ApiFolder } from '../../src/runtime/protocol/service.ts';
import { errorText } from '../../src/runtime/spec/error.ts';

/** No single page hosts the folder that was asked for. */
export interface NoFolderPage {
  /** The folders that pages host. */
  readonly hosted: readonly ApiFolder[];
  /** The hosted folders that have the requested name. */
  readonly named: readonly ApiFolder[];
}

/** A navigation with a body, which a form on any website can cause. */
export function formRefused(): Response {
  return problemResponse({
    status: 403,
    code: 'navigation',
    detail: 'Forms and links cannot send requests to the API.',
    hint: 'Use fetch() from a page of this site, with Content-Type: application/json.',
  });
}

/** The body is above the page's limit. */
export function tooLarge(): Response {
  return problemResponse({
    status: 413,
    code: 'too-large',
    detail: 'The body exceeds the size limit of a value.',
    hint: 'Send less data, or put it in a file in the tools folder.',
  });
}

/** No app page is open. */
export function noPage(address: string): Response {
  return problemResponse({
    status: 503,
    code: 'no-page',
    detail: 'Tools run in the Cloche page, but no Cloche page is open in this browser.',
    hint: `Open ${address} in a tab, open the tools folder there, and try again.`,
  });
}

/** No page, or more than one, hosts the folder that the request names. */
export function folderNotFound(folder: string, { hosted, named }: NoFolderPage): Response {
  const list = (folders: readonly ApiFolder[]): string =>
    folders.map(({ id, name }) => `${name} (${id})`).join(', ');
  if (named.length > 0)
    return problemResponse({
      status: 409,
      code: 'ambiguous-folder',
      detail: `Several open folders are named ${folder}.`,
      hint: `Pass the id of one of them: ${list(named)}.`,
    });
  return problemResponse({
    status: 404,
    code: 'unknown-folder',
    detail: `No page has the folder ${folder} open.`,
    hint:
      hosted.length === 0
        ? 'Open it in a Cloche page.'
        : `Open it in a Cloche page, or choose one that is open: ${list(hosted)}.`,
  });
}

/** An app page is open, but does not answer. */
export function noReply(): Response {
  return problemResponse({
    status: 504,
    code: 'no-reply',
    detail: 'The Cloche page did not answer within ten seconds.',
    hint: 'The page may be suspended or stuck. Reload it and try again.',
  });
}

/** The page was closed during the request; `begun` says whether it had accepted it. */
export function pageClosed({ begun }: { begun: boolean }): HttpProblem {
  return {
    status: 503,
    code: 'page-closed',
    detail: begun
      ? 'The Cloche page was closed or reloaded before it answered. The call may have run in part.'
      : 'The Cloche page was closed or reloaded before it accepted the request.',
    hint: begun ? 'Try again if the call may run twice.' : 'Try again.',
  };
}

/** The page failed during its answer. */
export function brokeOff(message: string): HttpProblem {
  return {
    status: 500,
    code: 'failed',
    detail: `The Cloche page could not complete its answer: ${message}`,
    hint: 'This is a bug in Cloche. Reload the Cloche page and try again.',
  };
}

/** The relay itself failed, because the request's body broke off or because of a bug. */
export function failed(error: unknown): Response {
  return problemResponse({
    status: 500,
    code: 'failed',
    detail: `The service worker could not pass the request on: ${errorText(error)}`,
    hint: 'Try again. If it keeps failing, reload the Cloche page.',
  });
}
