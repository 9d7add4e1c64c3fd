/** Lists of models in each provider's format. */

import { fields } from './read-body.ts';
import type { ReceivedRequest } from './script.ts';

export interface ListedModel {
  readonly id: string;
  readonly context?: number;
  /** US dollars for a token, as OpenRouter spells them. */
  readonly price?: { readonly prompt: string; readonly completion: string };
}

/** @param pageSize how many Anthropic and Google list at once */
export function listOfModels(
  { path, headers }: ReceivedRequest,
  models: readonly ListedModel[],
  pageSize: number,
): unknown {
  const { pathname, searchParams } = new URL(path, 'http://endpoint');
  if (pathname.endsWith('/api/tags'))
    return { models: models.map(({ id }) => ({ name: id, model: id, details: {} })) };
  if (pathname.includes('/v1beta/')) {
    const from = Number(searchParams.get('pageToken') ?? 0);
    const more = from + pageSize < models.length;
    return {
      models: models.slice(from, from + pageSize).map(({ id, context = 1_048_576 }) => ({
        name: `models/${id}`,
        displayName: `The model ${id}`,
        inputTokenLimit: context,
        outputTokenLimit: 65_536,
        supportedGenerationMethods: id.includes('embedding')
          ? ['embedContent']
          : ['generateContent', 'countTokens'],
      })),
      ...(more ? { nextPageToken: String(from + pageSize) } : {}),
    };
  }
  if (headers['anthropic-version'] !== undefined) {
    const after = searchParams.get('after_id');
    const from = after === null ? 0 : models.findIndex(({ id }) => id === after) + 1;
    const page = models.slice(from, from + pageSize);
    return {
      data: page.map(({ id }) => ({ type: 'model', id, display_name: `The model ${id}` })),
      has_more: from + pageSize < models.length,
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
    };
  }
  return {
    object: 'list',
    data: models.map(({ id, context, price }) => ({
      id,
      object: 'model',
      ...(context === undefined ? {} : { context_length: context }),
      ...(price === undefined ? {} : { pricing: fields(price) }),
    })),
  };
}
