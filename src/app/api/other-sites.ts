/** Limits the requests of pages of other origins that the user has allowed. */

import type { ApiRoute } from '../../runtime/protocol/api-route.ts';
import { problemResponse } from '../../runtime/protocol/problem-document.ts';
import type { ApiDeps, ApiRequest } from './api-deps.ts';
import type { ApiCalls } from './calls.ts';

/** Requests of one origin: those at once after a pause, and those per second after that. */
const burst = 60;
const perSecond = 20;
/** Calls of one origin that may run or wait. */
const maxCalls = 50;
/** Origins whose rate is remembered. */
const maxOrigins = 1_000;

interface Rate {
  left: number;
  at: number;
}

export class OtherSites {
  readonly #deps: ApiDeps;
  readonly #calls: ApiCalls;
  readonly #rates = new Map<string, Rate>();

  constructor(deps: ApiDeps, calls: ApiCalls) {
    this.#deps = deps;
    this.#calls = calls;
  }

  /**
   * Why a request of another origin is refused; null if it is not. An allowed origin may list and call tools, and sees
   * its own calls. Only `POST api/access` asks the user.
   */
  async refusal(site: string, { signal }: ApiRequest, route: ApiRoute): Promise<Response | null> {
    if (!isOrigin(site)) return badOrigin();
    // @mutant other sites: requests in a second => removed
    if (!this.#takeOne(site)) return tooFast();
    const { sites } = this.#deps;
    const isAllowed =
      route.at === 'ask-access' ? await sites.ask(signal, site) : sites.isAllowed(site);
    // @mutant other sites: an origin that the user has not allowed gets nothing => removed
    if (!isAllowed) return notAllowed(site);
    switch (route.at) {
      case 'access':
      case 'ask-access':
      case 'tools':
      case 'tool':
      case 'folders':
      case 'openapi':
      case 'calls':
        return null;
      case 'invoke':
      case 'mcp':
      case 'mcp-stream':
      case 'end-mcp':
        return this.#running(site) < maxCalls ? null : tooFast();
      case 'call':
      case 'cancel':
        // @mutant other sites: an origin does not reach the calls of others => (await this.#siteOfCall(route.id)) ===
        //   site ? null : notItsCall(route.id) -> null
        return (await this.#siteOfCall(route.id)) === site ? null : notItsCall(route.id);
      default:
        // @mutant other sites: an allowed origin reaches only tools and calls => notForOthers() -> null
        return notForOthers();
    }
  }

  #takeOne(site: string): boolean {
    const now = this.#deps.now();
    const { left, at } = this.#rates.get(site) ?? { left: burst, at: now };
    const available = Math.min(burst, left + (Math.max(0, now - at) / 1000) * perSecond);
    this.#rates.delete(site);
    this.#rates.set(site, { left: Math.max(0, available - 1), at: now });
    const [oldest] = this.#rates.keys();
    if (this.#rates.size > maxOrigins && oldest !== undefined) this.#rates.delete(oldest);
    return available >= 1;
  }

  #running(site: string): number {
    return this.#deps.path.running.filter((call) => call.site === site).length;
  }

  async #siteOfCall(id: string): Promise<string | undefined> {
    const running = this.#deps.path.running.find((call) => call.id === id);
    if (running !== undefined) return running.site;
    return this.#calls.find(id)?.site ?? (await this.#deps.log()).get(id)?.call.site;
  }
}

/** Returns whether a text is the origin of a web page. */
export function isOrigin(text: string): boolean {
  if (!/^https?:\/\//.test(text) || text.length > 300) return false;
  try {
    return new URL(text).origin === text;
  } catch {
    return false;
  }
}

function badOrigin(): Response {
  return problemResponse({
    status: 403,
    code: 'bad-origin',
    detail: 'The page has no origin that could be allowed.',
    hint: 'Serve the page over HTTP or HTTPS, outside of sandboxed frames.',
  });
}

function notAllowed(site: string): Response {
  return problemResponse({
    status: 403,
    code: 'origin-not-allowed',
    detail: `The user has not allowed ${site} to call tools in Cloche.`,
    hint: 'Ask with POST api/access; the user answers in the Cloche page.',
  });
}

function notForOthers(): Response {
  return problemResponse({
    status: 403,
    code: 'own-origin-only',
    detail: 'Pages of other origins can list and call tools, and nothing else.',
    hint: 'Send this request from a page of Cloche’s own origin.',
  });
}

function notItsCall(id: string): Response {
  return problemResponse({
    status: 404,
    code: 'unknown-call',
    detail: `This page’s origin has made no call ${id}.`,
    hint: 'GET api/calls lists its calls.',
  });
}

function tooFast(): Response {
  return problemResponse({
    status: 429,
    code: 'too-many-requests',
    detail: 'This page’s origin sends too many requests.',
    hint: 'Wait a second, and send fewer at a time.',
    headers: { 'Retry-After': '1' },
  });
}
