/** Finds models and providers by the names that extensions use: "provider/model", with the provider's name or id. */

import type { ProviderConfig } from './provider-types.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { ModelInfo, ModelRef } from '../../runtime/spec/model.ts';
import { replayProvider } from '../../runtime/spec/recording.ts';

type Provider = Pick<ProviderConfig, 'id' | 'name' | 'kind' | 'models'>;

/** Providers that answer; recordings do not. */
export function realProviders<P extends Provider>(providers: readonly P[]): readonly P[] {
  return providers.filter(({ id }) => id !== replayProvider);
}

/** Finds a provider by its id, or by its name in any case. @throws {ToolError} `not-found` */
export function findProvider<P extends Provider>(providers: readonly P[], text: string): P {
  const wanted = text.toLowerCase();
  const found =
    providers.find(({ id }) => id === text) ??
    providers.find(({ name }) => name.toLowerCase() === wanted);
  if (found !== undefined) return found;
  throw new ToolError(
    'not-found',
    `There is no provider “${shorten(text)}”. ${knownProvidersText(providers)}`,
  );
}

/**
 * Finds a model by "provider/model", or by its own name if only one provider has it.
 * @param options.preferred the id of the provider that is preferred if the name does not name one
 * @throws {ToolError} `not-found`; `bad-input` if several providers have it
 */
export function findModel(
  providers: readonly Provider[],
  text: string,
  { preferred = null }: { readonly preferred?: string | null } = {},
): ModelInfo {
  const [withProvider] = providers.flatMap(({ id, name, models }) =>
    [id, name].flatMap((prefix) => {
      const isPrefix = text.toLowerCase().startsWith(`${prefix.toLowerCase()}/`);
      return isPrefix ? modelsNamed(models, text.slice(prefix.length + 1)) : [];
    }),
  );
  if (withProvider !== undefined) return withProvider;
  const candidates = providers.flatMap(({ models }) => modelsNamed(models, text));
  const chosen = candidates.find(({ ref }) => ref.provider === preferred) ?? candidates[0];
  if (chosen === undefined)
    throw new ToolError(
      'not-found',
      `There is no model “${shorten(text)}”. app.available_models() lists them.`,
    );
  const isAmbiguous = candidates.length > 1 && chosen.ref.provider !== preferred;
  if (!isAmbiguous) return chosen;
  const all = candidates.slice(0, 5).map(({ ref }) => nameOf(providers, ref));
  throw new ToolError(
    'bad-input',
    `Several providers have the model “${shorten(text)}”. Write ${all.join(' or ')}.`,
  );
}

/** `provider/model` with the provider's name. */
export function nameOf(providers: readonly Provider[], { provider, model }: ModelRef): string {
  return `${providers.find(({ id }) => id === provider)?.name ?? provider}/${model}`;
}

/** Returns a list with the model of this name; empty if there is none. */
function modelsNamed(models: readonly ModelInfo[], model: string): readonly ModelInfo[] {
  return models.filter(({ ref }) => ref.model === model).slice(0, 1);
}

function knownProvidersText(providers: readonly Provider[]): string {
  const names = providers.slice(0, 10).map(({ name }) => name);
  return names.length === 0 ? 'None has been added.' : `Known: ${names.join(', ')}.`;
}

function shorten(text: string): string {
  return text.slice(0, 100);
}
