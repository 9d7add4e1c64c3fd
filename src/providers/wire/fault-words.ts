/** What a person is told of a fault: what happened, and what to do next. */

import type { ProviderAccess } from '../../protocol/models.ts';
import type { ModelFault } from '../../spec/model-error.ts';
import { secretsOf, withoutSecrets } from './access.ts';
import { faultOf, type ToldFault } from './fault-of.ts';
import { Refusal } from './refusal.ts';

const longestMessage = 600;

/** @param model the one that was asked; empty: none was */
export function modelFault(
  access: ProviderAccess,
  model: string,
  told: ToldFault,
  retryAfterMs: number | null = null,
): Refusal {
  const fault = faultOf(told);
  const said = shown(told.message, access);
  const status = told.status === null ? '' : ` (${told.status})`;
  const head = `${access.name} ${happened(fault, model, access.key !== '')}${status}`;
  const hint = hintFor(fault, access, told.inShape);
  const message = said === '' ? `${head}.` : `${head}: ${said}`;
  return new Refusal(fault, message, hint, retryAfterMs, told.message);
}

/** What a provider says, as a message may have it: what was cut first might end in the middle of a secret. */
export function shown(message: string, access: ProviderAccess): string {
  return withoutSecrets(message, secretsOf(access)).slice(0, longestMessage);
}

function happened(fault: ModelFault, model: string, keyed: boolean): string {
  switch (fault) {
    case 'rate-limit':
      return 'wants fewer requests for now';
    case 'overloaded':
      return 'is overloaded or has a fault of its own';
    case 'network':
      return 'could not be reached';
    case 'cut':
      return 'broke off its answer';
    case 'key':
      return keyed ? 'refused the key' : 'wants a key';
    case 'context':
      return 'refused the request as too long';
    case 'credit':
      return 'says that there is nothing left to pay with';
    case 'model':
      return `does not offer the model ${model}`;
    case 'cors':
      return 'lets no page in a browser ask';
    case 'request':
      return 'could not make sense of the request';
    case 'answer':
      return 'sent something that is no answer';
    case 'refused':
      return 'refused the content by its rules';
    case 'provider':
      return 'failed';
  }
}

function hintFor(fault: ModelFault, { baseUrl, key }: ProviderAccess, inShape: boolean): string {
  switch (fault) {
    case 'rate-limit':
      return 'Wait a moment and try again; the limits are shown in your account there.';
    case 'overloaded':
      return 'Try again in a moment, or choose another model.';
    case 'network':
    case 'cut':
      return 'Try again.';
    case 'key':
      return key === ''
        ? 'Enter a key in the settings of this provider.'
        : 'Check the key in the settings of this provider: whether it is whole, still valid, and may use this model.';
    case 'context':
      return 'Choose “Summarise earlier messages” in the session’s menu, begin a new session, or choose a model with a larger context.';
    case 'credit':
      return 'Add credit to your account there, or choose another provider.';
    case 'model':
      return 'Press “List models” in the settings and choose one of them; a local server may have to load or pull it first.';
    case 'cors':
      return 'Whoever administers your organisation there, or runs the server, has to allow requests from browsers (CORS). Else choose another provider, or enter the address of a proxy that passes requests on.';
    case 'request':
      return inShape
        ? 'What it says may name the tool or the setting at fault; another model may accept it.'
        : `Check the address ${baseUrl}: for most servers it ends in /v1.`;
    case 'answer':
      return `Check that the address ${baseUrl} is that of an API of this kind.`;
    case 'refused':
      return 'Say it in other words, or choose another model.';
    case 'provider':
      return 'Try again, or choose another model.';
  }
}
