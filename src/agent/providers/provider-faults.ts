/** Errors for providers that cannot be changed, and for models that cannot be asked. */

import type { ProviderConfig } from './provider-types.ts';
import { errorText, ToolError } from '../../runtime/spec/error.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import type { ModelRef } from '../../runtime/spec/model.ts';

export function unknownProvider(): ToolError {
  return new ToolError(
    'not-found',
    'This provider no longer exists.',
    'It may have been removed in another tab.',
  );
}

/** The error if another tab has changed the provider's address, or removed the provider. */
export function changedInOtherTab({ name }: ProviderConfig): ToolError {
  return new ToolError(
    'not-found',
    `${name} was changed or removed in another tab. Nothing was saved.`,
    'Close this form and check the list.',
  );
}

export function unreadableSecrets({ name }: ProviderConfig, thrown: unknown): ToolError {
  return new ToolError(
    'storage',
    `The key and headers of ${name} could not be read. Nothing was saved: ${errorText(thrown)}`,
    'Try again, or enter the key and headers again.',
  );
}

export function modelNotFound({ provider }: ModelRef): ModelError {
  if (provider === 'replay')
    return new ModelError(
      'model',
      'Recordings answer only in the sessions that play them.',
      'Open a recording, or choose a model.',
    );
  if (provider.startsWith('extension '))
    return new ModelError(
      'model',
      'The extension that offers this model does not run, or lacks a power.',
      'Look at the page Extensions, or choose another model.',
    );
  return new ModelError(
    'model',
    provider === 'browser'
      ? 'This browser has no built-in model.'
      : 'The provider of this model was removed.',
    'Choose another model.',
  );
}

export function keyNotFound({ name, key }: ProviderConfig): ModelError {
  return new ModelError(
    'key',
    key === 'kept'
      ? `The saved key of ${name} cannot be read or belongs to another base URL.`
      : `The key of ${name}, or one of its headers, was kept for one visit only.`,
    'Enter it again in the settings of this provider.',
  );
}
