/**
 * Facts that companies publish about their models: prices and context sizes, with the date on which
 * they were read.
 */

import type { ModelInfo, Price, ProviderKind } from '../../runtime/spec/model.ts';
import { defaultUrls } from './base-url.ts';
import published from './published-models.json' with { type: 'json' };

interface PublishedModel extends Partial<Omit<Price, 'published'>> {
  /** Size of the context in tokens. */
  readonly context?: number;
  /** The last day of these prices, such as `2026-12-31`. */
  readonly until?: string;
}

/** A company that runs its own models. */
export interface Publisher {
  readonly name: string;
  /** The day on which its pages were read, such as `2026-11-18`. */
  readonly read: string;
  readonly sources: readonly string[];
  readonly models: Readonly<Record<string, PublishedModel>>;
}

const publishers: Readonly<Record<'openai' | 'anthropic' | 'google', Publisher>> = published;

const hosts: Readonly<Record<string, Publisher>> = {
  'api.openai.com': publishers.openai,
  'api.anthropic.com': publishers.anthropic,
  'generativelanguage.googleapis.com': publishers.google,
};

/** The company to which a provider belongs; null for others, which have prices of their own. */
export function publisherOf({
  kind,
  baseUrl,
}: {
  readonly kind: ProviderKind;
  readonly baseUrl: string;
}): Publisher | null {
  if (kind === 'browser' || kind === 'replay' || kind === 'extension') return null;
  const url = baseUrl === '' ? defaultUrls[kind] : baseUrl;
  if (!URL.canParse(url)) return null;
  const { hostname } = new URL(url);
  return Object.hasOwn(hosts, hostname) ? (hosts[hostname] ?? null) : null;
}

/** The context size that a model's company publishes; null if it is not known. */
export function findPublishedContext(id: string): number | null {
  for (const publisher of Object.values(publishers)) {
    const context = publishedModel(publisher, id)?.context;
    if (context !== undefined) return context;
  }
  return null;
}

/**
 * Adds the published price and context to a model whose provider reports none.
 *
 * @param today such as `2026-11-26`
 */
export function withPublished(
  info: ModelInfo,
  publisher: Publisher | null,
  today: string,
): ModelInfo {
  if (publisher === null || info.price !== null) return info;
  const known = publishedModel(publisher, info.ref.model);
  if (known === undefined) return info;
  const { input, cached, output, long, until = today } = known;
  const hasPrice = input !== undefined && cached !== undefined && output !== undefined;
  return {
    ...info,
    context: info.context ?? known.context ?? null,
    price:
      hasPrice && today <= until
        ? {
            input,
            cached,
            output,
            ...(long === undefined ? {} : { long }),
            published: { by: publisher.name, read: publisher.read },
          }
        : null,
  };
}

/** Snapshots of a model, whose ids end in a date, have its price. */
function publishedModel({ models }: Publisher, id: string): PublishedModel | undefined {
  const name = [id, id.replace(/(-\d{4}-\d{2}-\d{2}|-\d{8}|-latest)$/, '')].find((one) =>
    Object.hasOwn(models, one),
  );
  return name === undefined ? undefined : models[name];
}
