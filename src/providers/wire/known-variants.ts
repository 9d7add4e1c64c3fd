/** Remembers for a while which variant of a request a provider accepts, so that later requests are not refused first. */

import type { ProviderAccess } from '../../protocol/models.ts';
import type { ModelRequest } from '../../spec/model.ts';
import type { RequestAdjustment } from './request-adjustment.ts';
import { usualVariant, type RequestVariant } from './request-variant.ts';

/** Then it is tried anew; milliseconds. */
const keptMs = 3_600_000;
const mostKept = 50;

/** Those that tools alone decide; others may be a conversation's own. */
const toolAdjustments: readonly RequestAdjustment[] = [
  'plain-schemas',
  'shallow-schemas',
  'no-tool-streaming',
];

/** Whom the question is for. */
interface Asked extends Pick<ProviderAccess, 'kind' | 'baseUrl'> {
  readonly model: string;
}

interface Known {
  readonly variant: RequestVariant;
  readonly until: number;
}

export class KnownVariants {
  readonly #now: () => number;
  /** By whom was asked with which tools; the oldest first. */
  readonly #known = new Map<string, Known>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How to ask first. */
  async of(asked: Asked, request: ModelRequest): Promise<RequestVariant> {
    if (this.#known.size === 0) return usualVariant;
    const key = await keyOf(asked, request);
    const known = this.#known.get(key);
    if (known === undefined || known.until > this.#now()) return known?.variant ?? usualVariant;
    this.#known.delete(key);
    return usualVariant;
  }

  /** This was answered, and the usual way was refused. */
  async keep(
    asked: Asked,
    request: ModelRequest,
    { adjusted, without }: RequestVariant,
  ): Promise<void> {
    const own = toolAdjustments.filter((adjustment) => adjusted.has(adjustment));
    if (own.length === 0 && without.size === 0) return;
    const variant = { ...usualVariant, adjusted: new Set(own), without };
    const key = await keyOf(asked, request);
    this.#known.delete(key);
    this.#known.set(key, { variant, until: this.#now() + keptMs });
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKept && oldest !== undefined) this.#known.delete(oldest);
  }
}

async function keyOf({ kind, baseUrl, model }: Asked, { tools }: ModelRequest): Promise<string> {
  const text = JSON.stringify([kind, baseUrl, model, tools]);
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return new Uint8Array(hash).join();
}
