/** Tries a model out: it is asked to say hello, and told is what it said or what is wrong. */

import type { Diagnosis } from '../agent/providers.ts';
import { errorText } from '../spec/error.ts';
import { ModelError } from '../spec/model-error.ts';
import type { AskModel, ModelRequest } from '../spec/model.ts';

/** A local model may have to be loaded first; milliseconds. */
const longestMs = 120_000;
const longestAnswer = 500;

const request: ModelRequest = {
  system: '',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Say hello in one short sentence.' }] }],
  tools: [],
};

/** Never rejects. @param ask throws where there is nobody to be asked */
export async function sayHello(
  signal: AbortSignal,
  ask: () => AskModel,
  now: () => number,
): Promise<Diagnosis> {
  const began = now();
  const late = AbortSignal.timeout(longestMs);
  const answer = await heard(AbortSignal.any([signal, late]), ask).catch((thrown: unknown) => {
    if (signal.aborted) return { ok: false, message: 'The test was stopped.' };
    if (late.aborted)
      return {
        ok: false,
        message: `There was no complete answer within ${longestMs / 1000} seconds.`,
        hint: 'A local model may still be loading: try again in a moment.',
      };
    const hint = thrown instanceof ModelError ? thrown.hint : undefined;
    return { ok: false, message: errorText(thrown), ...(hint === undefined ? {} : { hint }) };
  });
  return { ...answer, ms: Math.round(now() - began) };
}

async function heard(signal: AbortSignal, ask: () => AskModel): Promise<Omit<Diagnosis, 'ms'>> {
  let text = '';
  for await (const part of ask()(signal, request)) {
    if (part.type === 'text' && text.length < longestAnswer) text += part.delta;
  }
  const said = text.trim().slice(0, longestAnswer);
  return { ok: true, message: said === '' ? 'It returned an answer without text.' : said };
}
