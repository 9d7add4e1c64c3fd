/** Runs the hooks of extensions around prompts, requests and messages. A hook never delays Stop. */

import { wait } from '../../runtime/async/wait.ts';
import type { SessionState } from '../session/session-state.ts';
import { errorText } from '../../runtime/spec/error.ts';
import type { ModelPart } from '../../runtime/spec/model.ts';
import type { SessionFact } from '../../runtime/spec/session.ts';
import type { RequestPurpose, MessageSent, StepRequest } from './hooks.ts';
import type { QueuedMessage } from './live-state.ts';
import { promptSections, promptText } from './prompt.ts';
import type { TurnDeps } from './deps.ts';
import { answerErrors } from './answer-errors.ts';

/** @throws the signal's reason */
export async function buildSystemPrompt(
  signal: AbortSignal,
  state: SessionState,
  kind: RequestPurpose['kind'],
  { hooks, log, selection }: TurnDeps,
): Promise<string> {
  const sections = promptSections(state, (name) => selection.tool(name));
  return promptText(await wait(signal, hooks.prompt.run(sections, { session: log.id, kind })));
}

/**
 * Runs a step with the request as hooks have changed it.
 *
 * @returns null if a hook prevented the request
 * @throws the error of a hook or of `run`
 * @throws the signal's reason
 */
export async function runStepHooks<T extends { readonly ok: boolean }>(
  signal: AbortSignal,
  { request, ...rest }: Omit<StepRequest, 'session'>,
  { hooks, log }: TurnDeps,
  run: (step: StepRequest) => Promise<T>,
): Promise<T | null> {
  const asking = { session: log.id, ...rest };
  const changed = await wait(signal, hooks.request.run(request, asking));
  const running: { step: Promise<T> | null } = { step: null };
  try {
    await wait(
      signal,
      hooks.steps.run({ ...asking, request: changed }, async (step) => {
        running.step = run(step);
        return (await running.step).ok ? 'done' : 'failed';
      }),
    );
  } finally {
    // If a hook does not wait for the step, the step must not run on after its turn.
    await running.step?.catch(() => undefined);
  }
  return running.step;
}

/**
 * Asks a model outside the steps of a turn, through the same hooks.
 *
 * @throws {ModelError} also if a hook prevents the request
 * @throws the signal's reason
 */
export async function oneOffRequest(
  signal: AbortSignal,
  asking: Pick<StepRequest, 'kind' | 'model' | 'request'>,
  deps: TurnDeps,
  onPart: (part: ModelPart) => void,
): Promise<void> {
  const step = await runStepHooks(signal, { turnId: '', ...asking }, deps, async (changed) => {
    for await (const part of deps.models.ask(signal, changed.model, changed.request, null)) {
      signal.throwIfAborted();
      onPart(part);
    }
    signal.throwIfAborted();
    return { ok: true };
  });
  if (step === null) throw answerErrors.blockedByExtension();
}

type MessageFact = Extract<SessionFact, { type: 'message' }>;

/**
 * Passes messages through the hooks. A message that a hook stops returns to the queue with the reason.
 *
 * @returns the other messages, as hooks changed them
 * @throws the signal's reason; all messages are then back in the queue
 */
export async function runMessageHooks(
  signal: AbortSignal,
  messages: readonly QueuedMessage[],
  { turnId, steering }: Pick<MessageSent, 'turnId' | 'steering'>,
  { hooks, live, log }: TurnDeps,
): Promise<readonly MessageFact[]> {
  if (messages.length === 0) return [];
  const accepted: MessageFact[] = [];
  const delayed = abortsLater(signal);
  for (const message of messages) {
    const { id, parts, from } = message;
    const sent: MessageSent = { session: log.id, turnId, steering, parts, context: [] };
    try {
      await wait(
        delayed,
        hooks.messages.run(sent, ({ parts, context }) => {
          const added = context.length === 0 ? {} : { context };
          const sender = from === undefined ? {} : { from };
          accepted.push({ type: 'message', id, turnId, parts, ...added, ...sender, steering });
          return Promise.resolve();
        }),
      );
    } catch (thrown) {
      if (delayed.aborted) {
        live.requeue(messages);
        throw thrown;
      }
      if (accepted.at(-1)?.id === id) accepted.pop();
      live.requeue([{ ...message, stopped: errorText(thrown) }]);
    }
  }
  return accepted;
}

/**
 * Returns a signal that aborts in the next task: a message that no hook delays is sent even if its turn is stopped at
 * once.
 */
function abortsLater(signal: AbortSignal): AbortSignal {
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
