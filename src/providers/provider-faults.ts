/** Why a provider cannot be changed, or its model not be asked, in words. */

import type { ProviderConfig } from '../agent/providers.ts';
import { errorText, ToolError } from '../spec/error.ts';
import { ModelError } from '../spec/model-error.ts';
import type { ModelRef } from '../spec/model.ts';

export function unknownProvider(): ToolError {
  return new ToolError(
    'not-found',
    'There is no such provider that could be changed.',
    'It may have been removed in another tab.',
  );
}

/** Another page has given it another address, or has removed it. */
export function changedElsewhere({ name }: ProviderConfig): ToolError {
  return new ToolError(
    'not-found',
    `${name} was given another address, or was removed, in another tab. Nothing was changed.`,
    'Close this form, and look at what the list says of it now.',
  );
}

export function unreadableSecrets({ name }: ProviderConfig, thrown: unknown): ToolError {
  return new ToolError(
    'storage',
    `The key and headers of ${name} could not be read just now, so that nothing was changed: ${errorText(thrown)}`,
    'Try again, or type the key and each header anew.',
  );
}

export function notThere({ provider }: ModelRef): ModelError {
  if (provider === 'replay')
    return new ModelError(
      'model',
      'Recordings answer only in the sessions that play them.',
      'Open a recording, or choose a model.',
    );
  return new ModelError(
    'model',
    provider === 'browser'
      ? 'This browser has no model of its own.'
      : 'The provider of this model is not there any more.',
    'Choose another model.',
  );
}

export function keyIsGone({ name, key }: ProviderConfig): ModelError {
  return new ModelError(
    'key',
    key === 'kept'
      ? `What was kept as the key of ${name} cannot be read, or is for another address.`
      : `The key of ${name}, or a header of it, was kept for one visit only.`,
    'Enter it anew in the settings of this provider.',
  );
}
