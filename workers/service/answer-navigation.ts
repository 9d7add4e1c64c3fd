/**
 * Answers navigations to the app: from the server if it has a complete build, else from a stored build. Also answers
 * requests for files: those in `assets/` from storage if they are there, the others from the server if it can be reached.
 */

import {
  buildOf,
  type InitWithoutRedirects,
  isDeployed,
} from '../../src/runtime/protocol/offline.ts';
import { appFramePage, readReachedOrigins } from '../../src/runtime/protocol/app-frame.ts';
import type { StoredBuilds } from './stored-builds.ts';

export interface Site {
  /** Address of the app, with a trailing slash. */
  readonly address: string;
  readonly stored: StoredBuilds;
  /** @param asked an address, or the request of a page, which is sent as it is */
  fetch(asked: string | Request, init?: InitWithoutRedirects): Promise<Response>;
  /** The running checks whether the server has a whole build, by build; at first empty. */
  readonly checks: Map<string, Promise<boolean>>;
  /** Runs `then` in `ms` milliseconds. @returns cancel */
  after(ms: number, then: () => void): () => void;
}

/** Deadline of the server's answer if there is a stored build; milliseconds. */
const answerMs = 2_500;
/** How long a navigation waits for the check that a new build is complete; milliseconds. */
const completeMs = 5_000;
/** Deadline of that check; milliseconds. */
const checkMs = 120_000;

/** Answers with the server's page, if the server has a whole build and answers soon, else with a stored page. */
export async function answerNavigation(request: Request, site: Site): Promise<Response> {
  const { stored } = site;
  const [newest, ...others] = await stored.complete();
  if (newest === undefined) return site.fetch(request);
  const answer = await withDeadline(site, answerMs, (signal) =>
    fetchPage(signal, request.url, site),
  );
  const page = answer && (await pageFrom(answer, [newest, ...others], site));
  return page ?? (await stored.page(newest)) ?? site.fetch(request);
}

interface Answer {
  readonly response: Response;
  /** Text of the page; `undefined` if the status is not 200, such as for a redirect to a login page. */
  readonly text: string | undefined;
}

async function fetchPage(signal: AbortSignal, url: string, site: Site): Promise<Answer> {
  const response = await site.fetch(url, {
    // The browser's HTTP cache may hold an outdated page.
    cache: 'no-cache',
    credentials: 'same-origin',
    redirect: 'manual',
    headers: { accept: 'text/html' },
    signal,
  });
  return { response, text: response.status === 200 ? await response.text() : undefined };
}

/** The response to show; `undefined` if the stored build is the better answer. */
async function pageFrom(
  { response, text }: Answer,
  builds: readonly string[],
  site: Site,
): Promise<Response | undefined> {
  const { status } = response;
  if (text === undefined) return status === 404 || status >= 500 ? undefined : response;
  // A page without an end is incomplete: the file is being uploaded.
  // @mutant an incomplete build is not shown => removed
  if (!/<\/html>\s*$/i.test(text)) return undefined;
  const build = buildOf(text);
  // A page without a build is not Cloche's, and is passed on.
  const known = build === undefined || builds.includes(build);
  return known || (await isComplete(build, site)) ? withText(response, text) : undefined;
}

/**
 * Whether the server is known to have a whole build. A check that takes longer goes on, and the next navigation waits for
 * the same one: if each began anew, a user with a slow connection would never get the new build.
 */
async function isComplete(build: string, site: Site): Promise<boolean> {
  const { checks } = site;
  const check = checks.get(build) ?? checkBuild(build, site);
  checks.set(build, check);
  const isWhole = await withDeadline(site, completeMs, () => check);
  // The build is checked again at the next navigation: the server may lose files.
  if (isWhole !== undefined) checks.delete(build);
  return isWhole ?? false;
}

/** Checks whether the server has all files of a build. */
async function checkBuild(build: string, site: Site): Promise<boolean> {
  const { address, stored, checks } = site;
  const deployment = {
    base: address,
    stored: async (url: string) => (await stored.find(url)) !== undefined,
    fetch: (url: string, init: InitWithoutRedirects) => site.fetch(url, init),
  };
  const isWhole = await withDeadline(site, checkMs, (signal) =>
    isDeployed(signal, build, deployment),
  );
  // The rest of the build may arrive before the next navigation.
  if (isWhole !== true) checks.delete(build);
  return isWhole ?? false;
}

/** The result of `work`; `undefined` if it fails or takes longer than `ms`. */
function withDeadline<T>(
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

/** A response with the server's headers, without those that describe its encoded body. */
function withText({ headers }: Response, text: string): Response {
  const passedOn = new Headers(headers);
  for (const name of ['content-encoding', 'content-length']) passedOn.delete(name);
  return new Response(text, { headers: passedOn });
}

/**
 * Files in `assets/` have a hash in their names and never change, so a stored one is used first: a page gets the files of
 * its build even after the server has deleted them. Other files come from the server, and from storage only offline.
 */
export async function answerFile(request: Request, site: Site): Promise<Response> {
  const { url } = request;
  if (url.startsWith(`${site.address}assets/`))
    return (await site.stored.find(url)) ?? site.fetch(request);
  try {
    return await site.fetch(request);
  } catch (thrown) {
    const found = await site.stored.find(url);
    if (found === undefined) throw thrown;
    return found;
  }
}

/**
 * The page around the app of a tool, with the origins that the app may reach in a `Connection-Allowlist`. Browsers with
 * this header (https://wicg.github.io/connection-allowlists/) then also block lookups of host names, and the connections
 * that they open before they check the policy of a navigation. The others ignore it.
 *
 * @param query of the page's address: {@link appFrameAddress}
 */
export async function answerAppFrame(query: string, site: Site): Promise<Response> {
  const page = await answerFile(
    new Request(site.address + appFramePage, { redirect: 'error' }),
    site,
  );
  const { status, statusText, body } = page;
  const headers = new Headers(page.headers);
  // If WebRTC is blocked and an app tries it, Chromium 156 ends the process of the whole page.
  const patterns = readReachedOrigins(query).map((origin) => `"${origin}"`);
  headers.set('Connection-Allowlist', `(${patterns.join(' ')}); webrtc=allow`);
  return new Response(body, { status, statusText, headers });
}
