/**
 * Models that are opened in an SDK, for further requests: opening one builds the schemas of all that it may answer,
 * which takes as long as reading a short answer.
 */

import type { LanguageModelV3 } from '@ai-sdk/provider';
import type { ProviderAccess } from '../../../runtime/protocol/models.ts';
import type { Adapter, SdkFetch } from './adapter.ts';

interface OpenModel {
  readonly key: string;
  readonly model: LanguageModelV3;
  /** Sends the requests of the model's current user. */
  fetch: SdkFetch;
}

/** Limit for the models that wait for their next request. */
const maxIdle = 8;

export class OpenModels {
  /** Idle models, oldest first. A model has one user at a time, whose `fetch` it uses. */
  readonly #idle: OpenModel[] = [];

  /**
   * Uses a model whose requests `fetch` sends.
   *
   * @param use must not send a request after it has resolved
   */
  async with<T>(
    adapter: Adapter,
    access: ProviderAccess,
    model: string,
    fetch: SdkFetch,
    use: (model: LanguageModelV3) => Promise<T>,
  ): Promise<T> {
    const key = JSON.stringify([model, access]);
    const open = this.#take(key) ?? toOpenModel(key, adapter, access, model, fetch);
    open.fetch = fetch;
    try {
      return await use(open.model);
    } finally {
      open.fetch = notInUse;
      this.#idle.push(open);
      if (this.#idle.length > maxIdle) this.#idle.shift();
    }
  }

  /** Takes an idle model out of the list. */
  #take(key: string): OpenModel | undefined {
    const at = this.#idle.findLastIndex((open) => open.key === key);
    return at === -1 ? undefined : this.#idle.splice(at, 1)[0];
  }
}

function toOpenModel(
  key: string,
  adapter: Adapter,
  access: ProviderAccess,
  model: string,
  fetch: SdkFetch,
): OpenModel {
  const open: OpenModel = {
    key,
    fetch,
    model: adapter.open(access, model, (input, init) =>
      open.fetch(input, { ...init, redirect: 'manual' }),
    ),
  };
  return open;
}

function notInUse(): Promise<never> {
  return Promise.reject(new Error('The SDK sent a request while its model was not in use.'));
}
