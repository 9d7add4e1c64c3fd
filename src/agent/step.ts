/** One answer of a model, from the question to the log: kept as it streams. */

import { savedNameTable } from '../registry/name-table.ts';
import { growthBetween, type DraftPart } from '../session/draft.ts';
import { noUsage } from '../session/usage.ts';
import type { AskedCall, Finish, ModelPart, ModelRef, ModelRequest, Usage } from '../spec/model.ts';
import type { ModelError } from '../spec/model-error.ts';
import type { TurnEffects } from './effects.ts';
import { costOf } from './cost.ts';
import { cutOf } from './cut-answer.ts';
import { answeredNothing, brokenOff, keptFault, modelError } from './retry.ts';
import { logStepEnd, type LoggedEnd, type StepEnded } from './step-end.ts';
import { StepParts } from './step-parts.ts';

/** Between two pictures of what streams; milliseconds. */
const pictureMs = 80;

/** The model has answered, or it has failed; both are in the log. */
export type StepEnd =
  | {
      readonly ok: true;
      readonly stepId: string;
      readonly finish: Finish;
      readonly calls: readonly AskedCall[];
    }
  | { readonly ok: false; readonly error: ModelError };

/**
 * Asks once.
 * @throws the signal's reason, with what had come in the log
 */
export async function runStep(
  signal: AbortSignal,
  turnId: string,
  model: ModelRef,
  request: ModelRequest,
  effects: TurnEffects,
): Promise<StepEnd> {
  const { log, live, clock } = effects;
  const stepId = clock.newId();
  const from = clock.now();
  const names = savedNameTable(log.state.selection?.names ?? []);
  const parts = new StepParts(model, names, () => clock.newId());
  const picture = new Picture(stepId, parts, effects);
  log.append({ type: 'step-began', turnId, stepId, model });
  live.set({ phase: 'asking', stepId, parts: [] });
  const ended = (rest: Pick<StepEnded, 'finish' | 'usage' | 'fault'>): LoggedEnd => {
    const cost = costOf(effects.info(model), rest.usage);
    // Clocks are set, also back.
    const ms = Math.max(0, clock.now() - from);
    const fact = { type: 'step-ended', stepId, parts: parts.whole, cost, ms, ...rest } as const;
    const logged = logStepEnd(log, fact);
    live.set({ phase: 'calling', stepId: null, parts: [] });
    return logged;
  };
  // An answer that is of no use costs what another does.
  let usage = noUsage;
  try {
    const { finish, usage: counted } = await read(
      signal,
      effects.ask(signal, model, request, stepId),
      (part) => {
        parts.take(part);
        picture.soon();
      },
    );
    usage = counted;
    if (parts.whole.length === 0 && cutOf(finish) === null) throw answeredNothing();
    const logged = ended({ finish, usage });
    if (logged.refused !== null) return { ok: false, error: logged.refused };
    const calls = logged.parts.filter((part) => part.type === 'call');
    return { ok: true, stepId, finish, calls };
  } catch (thrown) {
    if (signal.aborted) {
      ended({ finish: 'cut', usage });
      throw signal.reason;
    }
    const error = modelError(thrown);
    ended({ finish: 'cut', usage, fault: keptFault(error) });
    return { ok: false, error };
  } finally {
    picture.end();
  }
}

async function read(
  signal: AbortSignal,
  stream: AsyncIterable<ModelPart>,
  take: (part: Exclude<ModelPart, { type: 'ended' }>) => void,
): Promise<{ finish: Finish; usage: Usage }> {
  for await (const part of stream) {
    signal.throwIfAborted();
    if (part.type === 'ended') return part;
    take(part);
  }
  signal.throwIfAborted();
  throw brokenOff();
}

/** Keeps what streams, and shows it then, a few times a second. */
class Picture {
  readonly #stepId: string;
  readonly #parts: StepParts;
  readonly #effects: TurnEffects;
  readonly #over = new AbortController();
  #shown: readonly DraftPart[] = [];
  #waiting = false;

  constructor(stepId: string, parts: StepParts, effects: TurnEffects) {
    this.#stepId = stepId;
    this.#parts = parts;
    this.#effects = effects;
  }

  soon(): void {
    if (this.#waiting) return;
    this.#waiting = true;
    this.#effects.clock.wait(this.#over.signal, pictureMs).then(
      () => {
        this.#waiting = false;
        this.#show();
      },
      () => undefined,
    );
  }

  end(): void {
    this.#over.abort();
  }

  #show(): void {
    const { log, live } = this.#effects;
    const now = this.#parts.draft;
    const grown = growthBetween(this.#shown, now);
    if (grown.length === 0) return;
    this.#shown = now;
    void log.draft(this.#stepId, grown);
    live.set({ phase: 'streaming', parts: now });
  }
}
