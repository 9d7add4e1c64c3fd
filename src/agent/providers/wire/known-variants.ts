/** Remembers for a while which variant of a request a provider accepts, so that later requests are not refused first. */

import { sha256Of } from '../../../runtime/spec/bytes.ts';
import type { ProviderAccess } from '../../../runtime/protocol/models.ts';
import type { ModelRequest } from '../../../runtime/spec/model.ts';
import type { RequestAdjustment } from './request-adjustment.ts';
import { usualVariant, type RequestVariant } from './request-variant.ts';

/** Milliseconds after which the unadjusted request is tried again. */
const maxAgeMs = 3_600_000;
const maxEntries = 50;

/** Adjustments that depend only on the tools; others may depend on the conversation. */
const toolAdjustments: readonly RequestAdjustment[] = [
  'plain-schemas',
  'shallow-schemas',
  'examples-as-text',
  'short-descriptions',
  'no-tool-streaming',
];

interface Asked extends Pick<ProviderAccess, 'kind' | 'baseUrl'> {
  readonly model: string;
}

interface Known {
  readonly variant: RequestVariant;
  readonly until: number;
}

export class KnownVariants {
  readonly #now: () => number;
  /** Known variants by a hash of provider, model and tools, oldest first. */
  readonly #known = new Map<string, Known>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns how to send the first attempt. */
  async of(asked: Asked, request: ModelRequest): Promise<RequestVariant> {
    if (this.#known.size === 0) return usualVariant;
    const key = await keyOf(asked, request);
    const known = this.#known.get(key);
    if (known === undefined || known.until > this.#now()) return known?.variant ?? usualVariant;
    this.#known.delete(key);
    return usualVariant;
  }

  /** Remembers an adjusted request that was answered after the original one was refused. */
  async keep(
    asked: Asked,
    request: ModelRequest,
    { adjusted, without }: RequestVariant,
  ): Promise<void> {
    const usedAdjustments = toolAdjustments.filter((adjustment) => adjusted.has(adjustment));
    if (usedAdjustments.length === 0 && without.size === 0) return;
    const variant = { ...usualVariant, adjusted: new Set(usedAdjustments), without };
    const key = await keyOf(asked, request);
    this.#known.delete(key);
    this.#known.set(key, { variant, until: this.#now() + maxAgeMs });
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxEntries && oldest !== undefined) this.#known.delete(oldest);
  }
}

function keyOf({ kind, baseUrl, model }: Asked, { tools }: ModelRequest): Promise<string> {
  const text = JSON.stringify([kind, baseUrl, model, tools]);
  return sha256Of(new TextEncoder().encode(text));
}
