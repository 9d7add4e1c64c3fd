/** Error messages for provider faults: what happened, and what to do next. */

import type { ProviderAccess } from '../../../runtime/protocol/models.ts';
import type { ModelFault } from '../../../runtime/spec/model-error.ts';
import { secretsOf, removeSecrets } from './access.ts';
import { faultOf, type ProviderError } from './classify-fault.ts';
import { Refusal } from './refusal.ts';

const maxMessageChars = 600;

/** @param model the model that was asked; empty if none was */
export function refusalOf(
  access: ProviderAccess,
  model: string,
  reported: ProviderError,
  retryAfterMs: number | null = null,
): Refusal {
  const fault = faultOf(reported);
  const detail = prepareMessage(reported.message, access);
  const status = reported.status === null ? '' : ` (${reported.status})`;
  const head = `${access.name} ${whatHappened(fault, model, access.key !== '')}${status}`;
  const hint = hintFor(fault, access, reported.inShape);
  const message = detail === '' ? `${head}.` : `${head}: ${detail}`;
  return new Refusal(fault, message, hint, retryAfterMs, reported.message);
}

/**
 * Prepares a provider's message for display. Removes secrets before it cuts the text, since a cut could split a secret.
 */
export function prepareMessage(message: string, access: ProviderAccess): string {
  return removeSecrets(message, secretsOf(access)).slice(0, maxMessageChars);
}

function whatHappened(fault: ModelFault, model: string, keyed: boolean): string {
  switch (fault) {
    case 'rate-limit':
      return 'limits the rate of requests';
    case 'overloaded':
      return 'is overloaded or has an internal error';
    case 'network':
      return 'could not be reached';
    case 'cut':
      return 'interrupted its answer';
    case 'key':
      return keyed ? 'rejected the key' : 'requires a key';
    case 'context':
      return 'rejected the request as too long';
    case 'credit':
      return 'reports that your credit is used up';
    case 'model':
      return `does not offer the model ${model}`;
    case 'cors':
      return 'does not allow requests from browsers';
    case 'request':
      return 'rejected the request as invalid';
    case 'answer':
      return 'sent an invalid answer';
    case 'refused':
      return 'rejected the content';
    case 'provider':
      return 'failed';
  }
}

function hintFor(fault: ModelFault, { baseUrl, key }: ProviderAccess, inShape: boolean): string {
  switch (fault) {
    case 'rate-limit':
      return 'Wait a moment and try again. Your account there shows the limits.';
    case 'overloaded':
      return 'Try again in a moment, or choose another model.';
    case 'network':
    case 'cut':
      return 'Try again.';
    case 'key':
      return key === ''
        ? 'Enter a key in the settings of this provider.'
        : 'Check that the key in the settings of this provider is complete, still valid, and allowed to use this model.';
    case 'context':
      return 'Choose “Summarise earlier messages” in the session’s menu, start a new session, or choose a model with a larger context.';
    case 'credit':
      return 'Add credit to your account there, or choose another provider.';
    case 'model':
      return 'Press “Refresh models” in the settings and choose one of them. A local server may have to load or pull the model first.';
    case 'cors':
      return 'Ask the administrator of your organisation or of the server to allow requests from browsers (CORS), choose another provider, or enter the address of a proxy.';
    case 'request':
      return inShape
        ? 'The message may name the tool or setting that caused this. Another model may accept the request.'
        : `Check the base URL ${baseUrl}: for most servers it ends in /v1.`;
    case 'answer':
      return `Check that the base URL ${baseUrl} belongs to this API.`;
    case 'refused':
      return 'Rephrase your message, or choose another model.';
    case 'provider':
      return 'Try again, or choose another model.';
  }
}
