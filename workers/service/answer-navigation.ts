/** Answers for the page itself: from the server where that works, else with a stored build, never with half of one. */

import { isDeployed } from '../../src/protocol/deployed.ts';
import { buildOf } from '../../src/protocol/offline.ts';
import type { StoredBuilds } from './stored-builds.ts';

export interface Site {
  /** Address of the app, with a slash at the end. */
  readonly address: string;
  readonly stored: StoredBuilds;
  fetch(asked: string | Request, init?: RequestInit): Promise<Response>;
  /** Runs `then` in `ms` milliseconds, unless cancelled before. */
  after(ms: number, then: () => void): () => void;
}

/** How long somebody who could be working offline waits for the server. */
const answerMs = 2_500;
/** How long a new build may take to prove that it is all there. */
const proofMs = 5_000;

export async function answerNavigation(request: Request, site: Site): Promise<Response> {
  const { stored } = site;
  const [newest, ...others] = await stored.complete();
  if (newest === undefined) return site.fetch(request);
  const answer = await inTime(site, answerMs, (signal) => ask(signal, request.url, site));
  const page = answer && (await judge(answer, [newest, ...others], site));
  return page ?? (await stored.page(newest)) ?? site.fetch(request);
}

interface Answer {
  readonly response: Response;
  /** Of an index.html; `undefined` for what is to be passed on unread, such as a redirection to a log-in. */
  readonly text: string | undefined;
}

async function ask(signal: AbortSignal, url: string, site: Site): Promise<Answer> {
  const response = await site.fetch(url, {
    // The browser's own cache may hold yesterday's page.
    cache: 'no-cache',
    credentials: 'same-origin',
    redirect: 'manual',
    headers: { accept: 'text/html' },
    signal,
  });
  return { response, text: response.status === 200 ? await response.text() : undefined };
}

/** What to show; `undefined` where a stored build serves people better. */
async function judge(
  { response, text }: Answer,
  builds: readonly string[],
  site: Site,
): Promise<Response | undefined> {
  const { status } = response;
  if (text === undefined) return status === 404 || status >= 500 ? undefined : response;
  // In the middle of being uploaded.
  if (!/<\/html>\s*$/i.test(text)) return undefined;
  const build = buildOf(text);
  // A page of another kind lives here now, which is not for us to keep from anybody.
  const known = build === undefined || builds.includes(build);
  return known || (await proven(build, site)) ? withText(response, text) : undefined;
}

async function proven(build: string, site: Site): Promise<boolean> {
  const { address, stored } = site;
  const deployment = {
    base: address,
    stored: async (url: string) => (await stored.find(url)) !== undefined,
    fetch: (url: string, init: RequestInit) => site.fetch(url, init),
  };
  return (await inTime(site, proofMs, (signal) => isDeployed(signal, build, deployment))) ?? false;
}

/** `undefined` where it failed or took too long. */
function inTime<T>(
  site: Site,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const stop = new AbortController();
  return new Promise((resolve) => {
    const cancel = site.after(ms, () => {
      stop.abort();
      resolve(undefined);
    });
    work(stop.signal)
      .then(resolve, () => resolve(undefined))
      .finally(cancel);
  });
}

/** With the server's headers, but for those that described the body on its way. */
function withText({ headers }: Response, text: string): Response {
  const kept = new Headers(headers);
  for (const name of ['content-encoding', 'content-length']) kept.delete(name);
  return new Response(text, { headers: kept });
}
