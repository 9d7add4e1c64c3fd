/** What providers have not taken of tools, remembered for a while: else each question would be refused once first. */

import type { ProviderAccess } from '../../protocol/models.ts';
import type { ModelRequest } from '../../spec/model.ts';
import type { Concession } from './concession.ts';
import { usualWay, type Way } from './other-way.ts';

/** Then it is tried anew; milliseconds. */
const keptMs = 3_600_000;
const mostKept = 50;

/** Those that tools alone decide; others may be a conversation's own. */
const ofTools: readonly Concession[] = ['plain-schemas', 'shallow-schemas', 'no-tool-streaming'];

/** Whom the question is for. */
interface Asked extends Pick<ProviderAccess, 'kind' | 'baseUrl'> {
  readonly model: string;
}

interface Known {
  readonly way: Way;
  readonly until: number;
}

export class KnownWays {
  readonly #now: () => number;
  /** By whom was asked with which tools; the oldest first. */
  readonly #known = new Map<string, Known>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How to ask first. */
  async of(asked: Asked, request: ModelRequest): Promise<Way> {
    if (this.#known.size === 0) return usualWay;
    const key = await keyOf(asked, request);
    const known = this.#known.get(key);
    if (known === undefined || known.until > this.#now()) return known?.way ?? usualWay;
    this.#known.delete(key);
    return usualWay;
  }

  /** This was answered, and the usual way was refused. */
  async keep(asked: Asked, request: ModelRequest, { conceded, without }: Way): Promise<void> {
    const own = ofTools.filter((concession) => conceded.has(concession));
    if (own.length === 0 && without.size === 0) return;
    const way = { ...usualWay, conceded: new Set(own), without };
    const key = await keyOf(asked, request);
    this.#known.delete(key);
    this.#known.set(key, { way, until: this.#now() + keptMs });
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKept && oldest !== undefined) this.#known.delete(oldest);
  }
}

async function keyOf({ kind, baseUrl, model }: Asked, { tools }: ModelRequest): Promise<string> {
  const text = JSON.stringify([kind, baseUrl, model, tools]);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return new Uint8Array(hash).join();
}
