/** Decides whether a model provider of an extension may be reached, asking the user if necessary. */

import type { HttpHeader } from '../protocol/ask.ts';
import { ModelError } from '../spec/model-error.ts';
import type { FolderPolicy } from './folder-policy.ts';
import type { Questions } from './questions.ts';
import { requestHeaders, requestTarget } from './request-parts.ts';

export interface ProviderGrantDeps {
  readonly policy: FolderPolicy;
  readonly questions: Pick<Questions, 'ask' | 'answerOrigin'>;
  readonly appOrigin: string;
}

export interface WantedProvider {
  readonly name: string;
  readonly file: string;
  readonly baseUrl: string;
  /** Headers from the extension, which are therefore not secret. */
  readonly headers: readonly HttpHeader[];
}

/**
 * Returns the headers to send: those of the extension, and the user's secrets for this origin, which take precedence.
 *
 * @throws {ModelError} if the user has not granted the origin, or a header is not allowed
 * @throws the signal's reason
 */
export async function grantHeaders(
  signal: AbortSignal,
  { name, file, baseUrl, headers }: WantedProvider,
  { policy, questions, appOrigin }: ProviderGrantDeps,
): Promise<readonly HttpHeader[]> {
  const target = requestTarget(baseUrl, appOrigin);
  if ('why' in target) throw refusedError(name, `${target.why}.`);
  const { origin, url } = target;
  if (target.local && !policy.local)
    throw refusedError(
      name,
      `${origin} is on this computer or its local network. Local addresses are off. You can allow them on the Policy page.`,
    );
  let once = false;
  if (policy.decide(origin) === 'ask') {
    const { reply } = await questions.ask(signal, {
      kind: 'network',
      origin,
      url,
      method: 'POST',
      tool: name,
      file,
      callId: `provider ${file} ${name}`,
      caller: 'extension',
    });
    signal.throwIfAborted();
    once = reply === 'once';
    if (reply === 'visit' || reply === 'always' || reply === 'never') {
      policy.grant(origin, reply);
      questions.answerOrigin(origin, reply);
    }
  }
  // @mutant a provider of an extension is reached only where the user allows it => !== 'allow' -> === 'deny'
  if (!once && policy.decide(origin) !== 'allow')
    throw refusedError(name, `You have not allowed requests to ${origin}.`);
  const sent = requestHeaders(headers, policy.secretsFor(origin));
  if ('why' in sent) throw refusedError(name, `${sent.why}.`);
  return sent.sent;
}

function refusedError(name: string, why: string): ModelError {
  return new ModelError('key', `The provider ${name} was not asked: ${why}`);
}
