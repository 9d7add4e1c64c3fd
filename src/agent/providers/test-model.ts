/** Tests a model: asks it to say hello, and reports its answer or the error. */

import type { Diagnosis } from './provider-types.ts';
import { AnswerText } from '../../runtime/spec/answer-text.ts';
import { errorText } from '../../runtime/spec/error.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import type { AskModel, ModelRequest } from '../../runtime/spec/model.ts';

/** Limit in milliseconds; a local model may have to be loaded first. */
const maxMs = 120_000;
const maxAnswerChars = 500;

const request: ModelRequest = {
  system: '',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Say hello in one short sentence.' }] }],
  tools: [],
};

/**
 * Tests a model. Never rejects.
 * @param ask throws if the model cannot be asked at all
 */
export async function testModel(
  signal: AbortSignal,
  ask: () => AskModel,
  now: () => number,
): Promise<Diagnosis> {
  const startedAt = now();
  const deadline = AbortSignal.timeout(maxMs);
  const answer = await askForHello(AbortSignal.any([signal, deadline]), ask).catch(
    (thrown: unknown) => {
      if (signal.aborted) return { ok: false, message: 'The test was stopped.' };
      if (deadline.aborted)
        return {
          ok: false,
          message: `There was no complete answer within ${maxMs / 1000} seconds.`,
          hint: 'A local model may still be loading: try again in a moment.',
        };
      const hint = thrown instanceof ModelError ? thrown.hint : undefined;
      return {
        ok: false,
        message: errorText(thrown),
        ...(thrown instanceof ModelError ? { fault: thrown.fault } : {}),
        ...(hint === undefined ? {} : { hint }),
      };
    },
  );
  return { ...answer, ms: Math.round(now() - startedAt) };
}

async function askForHello(
  signal: AbortSignal,
  ask: () => AskModel,
): Promise<Omit<Diagnosis, 'ms'>> {
  const answer = new AnswerText();
  for await (const part of ask()(signal, request)) answer.add(part);
  const text = answer.text.trim().slice(0, maxAnswerChars);
  return { ok: true, message: text === '' ? 'It returned an answer without text.' : text };
}
