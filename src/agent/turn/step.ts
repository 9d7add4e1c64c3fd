/** An answer of a model: streams it, stores its parts on the way, and logs how it ended. */

import { savedNameTable } from '../../runtime/registry/provider-names.ts';
import { draftDelta, type DraftPart } from '../session/log/draft.ts';
import { costOf, estimateUsage, noUsage } from '../session/usage.ts';
import { errorText } from '../../runtime/spec/error.ts';
import {
  omitOpaque,
  type AskedCall,
  type AssistantPart,
  type Finish,
  type ModelPart,
  type ModelRef,
  type ModelRequest,
  type Usage,
} from '../../runtime/spec/model.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import type { SessionFact, StoredFault } from '../../runtime/spec/session.ts';
import { AnswerParts } from './answer-parts.ts';
import type { TurnDeps } from './deps.ts';
import { answerErrors, faultOf, toModelError, truncationOf } from './answer-errors.ts';

/** Milliseconds between two updates of a streaming answer. */
const publishMs = 80;
/** Characters to store of an answer that the log refuses as a whole. */
const refusedChars = 100_000;

type StepEndedFact = Extract<SessionFact, { type: 'step-ended' }>;

/** The outcome of a step, which is already in the log. */
export type StepEnd =
  | {
      readonly ok: true;
      readonly stepId: string;
      readonly finish: Finish;
      readonly calls: readonly AskedCall[];
    }
  | { readonly ok: false; readonly error: ModelError };

/**
 * Asks the model once.
 *
 * @throws the signal's reason; the log then contains what had streamed
 */
export async function runStep(
  signal: AbortSignal,
  turnId: string,
  model: ModelRef,
  request: ModelRequest,
  deps: TurnDeps,
): Promise<StepEnd> {
  const { log, live, clock } = deps;
  const stepId = clock.newId();
  const startedAt = clock.now();
  const names = savedNameTable(log.state.selection?.names ?? []);
  const parts = new AnswerParts({ model, names, newId: () => clock.newId() });
  let firstAt: number | null = null;
  const publisher = draftPublisher(signal, stepId, parts, deps);
  log.append({ type: 'step-began', turnId, stepId, model });
  live.set({ phase: 'asking', stepId, parts: [] });
  const end = (
    rest: Pick<StepEndedFact, 'finish' | 'usage' | 'estimated' | 'fault'>,
  ): LoggedStep => {
    const cost = costOf(deps.models.info(model), rest.usage);
    // The clock may have been set back.
    const ms = Math.max(0, clock.now() - startedAt);
    const first = firstAt === null ? {} : { firstMs: Math.max(0, firstAt - startedAt) };
    const fact: StepEndedFact = {
      type: 'step-ended',
      stepId,
      parts: parts.complete,
      cost,
      ms,
      ...first,
      ...rest,
    };
    const logged = logStepEnd(log, fact);
    live.set({ phase: 'calling', stepId: null, parts: [] });
    return logged;
  };
  const endCutOff = (fault?: StoredFault): void => {
    // Providers report the usage at the end, but what had arrived was charged.
    const usage = parts.complete.length === 0 ? noUsage : estimateUsage(request, parts.complete);
    const estimated = usage === noUsage ? {} : ({ estimated: true } as const);
    end({
      finish: 'cut',
      usage: reported ?? usage,
      ...(reported === null ? estimated : {}),
      ...(fault && { fault }),
    });
  };
  /** A failed answer can also report its usage. */
  let reported: Usage | null = null;
  try {
    const stream = deps.models.ask(signal, model, request, stepId);
    const { finish, usage: counted } = await readAnswer(signal, stream, (part) => {
      firstAt ??= clock.now();
      parts.add(part);
      publisher.publishSoon();
    });
    reported = counted;
    if (parts.complete.length === 0 && truncationOf(finish) === null) throw answerErrors.empty();
    const logged = end({ finish, usage: counted });
    if (logged.refused !== null) return { ok: false, error: logged.refused };
    const calls = logged.parts.filter((part) => part.type === 'call');
    return { ok: true, stepId, finish, calls };
  } catch (thrown) {
    if (signal.aborted) {
      endCutOff();
      throw signal.reason;
    }
    const error = toModelError(thrown);
    endCutOff(faultOf(error));
    return { ok: false, error };
  } finally {
    publisher.end();
  }
}

type AnswerPart = Exclude<ModelPart, { type: 'ended' }>;

async function readAnswer(
  signal: AbortSignal,
  stream: AsyncIterable<ModelPart>,
  onPart: (part: AnswerPart) => void,
): Promise<Extract<ModelPart, { type: 'ended' }>> {
  for await (const part of stream) {
    signal.throwIfAborted();
    if (part.type === 'ended') return part;
    onPart(part);
  }
  signal.throwIfAborted();
  throw answerErrors.streamEndedEarly();
}

interface DraftPublisher {
  /** Stores and then shows the streamed parts, after a short delay and once for all calls until then. */
  publishSoon(): void;
  /** Publishes nothing from now on. */
  end(): void;
}

function draftPublisher(
  signal: AbortSignal,
  stepId: string,
  parts: AnswerParts,
  { clock, live, log }: TurnDeps,
): DraftPublisher {
  let published: readonly DraftPart[] = [];
  let isScheduled = false;
  let isOver = false;
  const publish = (): void => {
    isScheduled = false;
    if (isOver) return;
    const { draft } = parts;
    const delta = draftDelta(published, draft);
    if (delta.length === 0) return;
    published = draft;
    void log.draft(stepId, delta);
    live.set({ phase: 'streaming', parts: draft });
  };
  return {
    publishSoon: () => {
      if (isScheduled) return;
      isScheduled = true;
      clock.wait(signal, publishMs).then(publish, () => undefined);
    },
    end: () => {
      isOver = true;
    },
  };
}

interface LoggedStep {
  readonly parts: readonly AssistantPart[];
  /** Null if the log has the whole text and all calls. */
  readonly refused: ModelError | null;
}

/** Logs the end of a step, without what the log refuses. Never throws, since the step would stay open. */
function logStepEnd(log: TurnDeps['log'], fact: StepEndedFact): LoggedStep {
  // The second attempt leaves out the counts, the third also the opaque data of the provider.
  const { estimated: _, firstMs: __, ...exact } = fact;
  const uncounted = { ...exact, usage: noUsage, cost: null, ms: 0 };
  const plain = { ...uncounted, parts: fact.parts.map(omitOpaque) };
  let refusal: Error | null = null;
  for (const whole of [fact, uncounted, plain]) {
    const thrown = tryAppend(log, whole);
    if (thrown === null) return { parts: whole.parts, refused: null };
    refusal ??= thrown;
  }
  const refused = new ModelError(
    'provider',
    `Could not store the complete answer: ${errorText(refusal).slice(0, 500)}`,
    'Press “Continue” to request it again.',
  );
  const short = { parts: firstChars(fact.parts), finish: 'cut', fault: faultOf(refused) } as const;
  for (const smaller of [
    { ...fact, ...short },
    { ...uncounted, ...short },
    { ...uncounted, ...short, parts: [] },
  ])
    if (tryAppend(log, smaller) === null) return { parts: smaller.parts, refused };
  return { parts: [], refused };
}

/** @returns the error; null if the log has the event, or this tab no longer writes */
function tryAppend(log: TurnDeps['log'], fact: StepEndedFact): Error | null {
  try {
    log.append(fact);
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(errorText(thrown));
  }
}

/** Returns the first texts, without calls: a call must not be cut. */
function firstChars(parts: readonly AssistantPart[]): AssistantPart[] {
  let left = refusedChars;
  return parts.flatMap((part) => {
    if (part.type === 'call') return [];
    const text = part.text.slice(0, left).toWellFormed();
    left -= text.length;
    return text === '' ? [] : [{ type: part.type, text }];
  });
}
