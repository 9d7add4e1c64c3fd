/** Questions to a model, and messages to a session, on their way through foreign code, which never keeps Stop waiting. */

import { wait } from '../async/wait.ts';
import { errorText } from '../spec/error.ts';
import type { ModelRequest, UserPart } from '../spec/model.ts';
import type { TurnEffects } from './effects.ts';
import type { Asking, MessageSent, StepAsked, StepMade } from './hooks.ts';
import type { Queued } from './live.ts';
import { promptText } from './prompt.ts';
import type { PromptSection } from './conversation-type.ts';

/** The text of the system prompt. @throws the signal's reason */
export async function throughPrompt(
  signal: AbortSignal,
  sections: readonly PromptSection[],
  kind: Asking['kind'],
  { hooks, log }: Pick<TurnEffects, 'hooks' | 'log'>,
): Promise<string> {
  return promptText(await wait(signal, hooks.prompt.run(sections, { session: log.id, kind })));
}

/**
 * Has a step made of a request, as hooks leave it.
 * @returns false where a hook keeps the model from being asked
 * @throws what a hook or `make` throws; the signal's reason
 */
export async function throughStep(
  signal: AbortSignal,
  asking: Asking,
  request: ModelRequest,
  { hooks }: Pick<TurnEffects, 'hooks'>,
  make: (asked: StepAsked) => Promise<StepMade>,
): Promise<boolean> {
  const changed = await wait(signal, hooks.request.run(request, asking));
  const made: { step: Promise<StepMade> | null } = { step: null };
  try {
    await wait(
      signal,
      hooks.steps.run({ ...asking, request: changed }, (asked) => (made.step = make(asked))),
    );
  } finally {
    // One that does not wait for the step would leave it running behind its turn.
    await made.step?.catch(() => undefined);
  }
  await made.step;
  return made.step !== null;
}

/** A message as it goes into the log. */
export interface TakenMessage {
  readonly id: string;
  readonly parts: readonly UserPart[];
  readonly context: readonly UserPart[];
}

/**
 * The messages that hooks let through, as they leave them.
 * @throws the signal's reason; then all messages wait again
 */
export async function throughMessages(
  signal: AbortSignal,
  messages: readonly Queued[],
  where: Pick<MessageSent, 'session' | 'turnId' | 'steering'>,
  { hooks, putBack }: Pick<TurnEffects, 'hooks' | 'putBack'>,
): Promise<readonly TakenMessage[]> {
  if (messages.length === 0) return [];
  const taken: TakenMessage[] = [];
  const given = aMomentAfter(signal);
  for (const message of messages) {
    const sent: MessageSent = { ...where, parts: message.parts, context: [] };
    try {
      await wait(
        given,
        hooks.messages.run(sent, ({ parts, context }) => {
          taken.push({ id: message.id, parts, context });
          return Promise.resolve();
        }),
      );
    } catch (thrown) {
      if (given.aborted) {
        putBack(messages);
        throw thrown;
      }
      if (taken.at(-1)?.id === message.id) taken.pop();
      putBack([{ ...message, stopped: errorText(thrown) }]);
    }
  }
  return taken;
}

/** Aborts a moment later: a message that nobody holds up is said, though its turn is stopped at once. */
function aMomentAfter(signal: AbortSignal): AbortSignal {
  const later = new AbortController();
  const abort = (): void => {
    setTimeout(() => {
      later.abort(signal.reason);
    });
  };
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return later.signal;
}
