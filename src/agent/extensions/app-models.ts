/** Registers what extensions offer for models: compactors, providers, and code that streams answers. */

import { baseUrlOf, defaultUrls } from '../providers/base-url.ts';
import type { Compactor } from '../turn/compactors.ts';
import type { AddedProviders } from '../providers/added-providers.ts';
import type { AgentHooks } from '../turn/hooks.ts';
import type { ProviderConfig } from '../providers/provider-types.ts';
import type { WantedProvider } from '../../runtime/grants/provider-grant.ts';
import type { HttpHeader } from '../../runtime/protocol/ask.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import type { AskModel, HttpKind, ListedModel } from '../../runtime/spec/model.ts';
import type { Owner } from './owner.ts';
import type { Origin } from './contributions.ts';

export interface ModelTargets {
  readonly hooks: Pick<AgentHooks, 'compactors'> & {
    readonly providers: Pick<AddedProviders, 'add'>;
  };
  /**
   * Asks the user whether a provider may be reached, and returns the headers to send.
   * @throws {ModelError}; the signal's reason
   */
  readonly grantedHeaders: (
    signal: AbortSignal,
    wanted: WantedProvider,
  ) => Promise<readonly HttpHeader[]>;
}

export interface OfferedProvider {
  readonly name: string;
  /** The API at the address, or a stream provider of the same extension. */
  readonly api: string;
  /** Empty for the API's default address. */
  readonly baseUrl: string;
  readonly models: readonly ListedModel[];
  readonly headers: readonly HttpHeader[];
}

export interface ModelRegistrations {
  /** The compactor that was registered last is used. */
  registerCompactor(compactor: Omit<Compactor, 'from'>): void;
  /** Offers the provider's models. @throws {ToolError} if the address is not valid */
  registerProvider(provider: OfferedProvider): void;
  /** Offers one model of the same name, unless a provider of the extension has this name as its API. */
  registerStreamProvider(name: string, factory: StreamFactory): void;
}

/** Returns the function that answers requests to a model. */
export type StreamFactory = (model: string) => AskModel;

const apis = Object.keys(defaultUrls) as readonly HttpKind[];
/** Values of the fields that matter only for providers which the user has added. */
const unusedFields = { byHand: [], listedAt: null, key: 'none' } as const;

export function modelRegistrations(
  from: () => Origin,
  owner: Owner,
  { hooks, grantedHeaders }: ModelTargets,
): ModelRegistrations {
  /** The active stream providers. */
  const streams = new Map<string, { factory: StreamFactory; life: AbortSignal }>();
  const offered: OfferedProvider[] = [];

  const add = (
    { name, api, baseUrl, models, headers }: OfferedProvider,
    kind: HttpKind | 'extension',
  ): (() => void) => {
    const { extension, file } = from();
    const id = `extension ${file} ${name}`;
    const config: ProviderConfig = {
      id,
      kind,
      name,
      baseUrl,
      ...unusedFields,
      from: { extension, file },
      headers: headers.map(([header]) => header),
      models: models.map(({ id: model, ...info }) => ({ ...info, ref: { provider: id, model } })),
    };
    const life = new AbortController();
    const url = kind === 'extension' || baseUrl !== '' ? baseUrl : defaultUrls[kind];
    const end = hooks.providers.add({
      config,
      reached:
        kind === 'extension'
          ? { by: 'code', ask: (model) => askThrough(streams.get(api), name, model) }
          : {
              by: 'network',
              life: life.signal,
              access: async (signal) => {
                const wanted = { name, file, baseUrl: url, headers };
                const sent = await grantedHeaders(signal, wanted);
                return { kind, name, baseUrl: url, key: '', headers: sent };
              },
            },
    });
    return () => {
      life.abort(goneError(name));
      end();
    };
  };

  return {
    registerCompactor(compactor) {
      owner.add({
        kind: 'compactor',
        name: compactor.name,
        needs: ['read', 'prompt'],
        activate: () => hooks.compactors.register({ ...compactor, from: from().file }),
      });
    },
    registerProvider(provider) {
      const api = apis.find((one) => one === provider.api);
      const baseUrl = api === undefined ? '' : baseUrlOf(api, provider.baseUrl);
      offered.push(provider);
      owner.add({
        kind: 'provider',
        name: provider.name,
        needs: ['show'],
        activate: () => {
          if (api === undefined && !streams.has(provider.api))
            throw new ToolError(
              'bad-input',
              `The API “${provider.api.slice(0, 50)}” is neither ${apis.join(', ')} nor an active stream provider of this extension.`,
            );
          return add({ ...provider, baseUrl }, api ?? 'extension');
        },
      });
    },
    registerStreamProvider(name, factory) {
      // Stream providers come first, since providers refer to them.
      owner.addFirst({
        kind: 'stream provider',
        name,
        needs: ['read', 'show'],
        activate: () => {
          const life = new AbortController();
          streams.set(name, { factory, life: life.signal });
          const model = { id: name, label: name, context: null, images: false, price: null };
          // The provider that stands for this code if no other provider refers to it.
          const alone = { name, api: name, baseUrl: '', models: [model], headers: [] };
          const isReferred = offered.some(({ api }) => api === name);
          const end = isReferred ? null : add(alone, 'extension');
          return () => {
            life.abort(goneError(name));
            streams.delete(name);
            end?.();
          };
        },
      });
    },
  };
}

/** Returns the function that asks a model of a stream provider. @throws {ModelError} if the provider is not active */
function askThrough(
  stream: { readonly factory: StreamFactory; readonly life: AbortSignal } | undefined,
  provider: string,
  model: string,
): AskModel {
  if (stream === undefined)
    throw new ModelError(
      'model',
      `The extension behind ${provider} does not answer: it lacks a power, or does not run.`,
      'Look at the page Extensions, or choose another model.',
    );
  const { factory, life } = stream;
  return async function* (signal, request) {
    const either = AbortSignal.any([signal, life]);
    try {
      yield* factory(model)(either, request);
    } catch (thrown) {
      signal.throwIfAborted();
      throw life.aborted ? life.reason : thrown;
    }
  };
}

function goneError(name: string): ModelError {
  return new ModelError(
    'provider',
    `The models of ${name} are no longer offered: their extension ended, or lost a power.`,
    'Look at the page Extensions, or choose another model.',
  );
}
