/** Finds models by the names that plans and extensions give them. */

import type { ModelRef } from '../spec/model.ts';
import type { ProviderConfig } from './providers.ts';

/**
 * The model that `provider/model` names; null if there is none. The provider is its id or its name, whose case does not
 * matter. The model may contain slashes.
 */
export function modelNamed(
  providers: readonly Pick<ProviderConfig, 'id' | 'name' | 'models'>[],
  name: string,
): ModelRef | null {
  const slash = name.indexOf('/');
  if (slash < 0) return null;
  const [provider, model] = [name.slice(0, slash), name.slice(slash + 1)];
  const named = providers.filter(
    ({ id, name: own }) => id === provider || own.toLowerCase() === provider.toLowerCase(),
  );
  for (const { models } of named) {
    const found = models.find(({ ref }) => ref.model === model);
    if (found !== undefined) return found.ref;
  }
  return null;
}
