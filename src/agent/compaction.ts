/** Compaction: where the context grows too long, older messages reach the model as a summary from then on. */

import type { SessionState } from '../session/session-state.ts';
import { wait } from '../async/wait.ts';
import type { ModelMessage, ModelPart, ModelRef, Usage } from '../spec/model.ts';
import { ModelError } from '../spec/model-error.ts';
import { costOf } from './cost.ts';
import type { Compacted } from './conversation-type.ts';
import { cutOf } from './cut-answer.ts';
import type { TurnEffects } from './effects.ts';
import type { Summary } from './hooks.ts';
import { askAside } from './aside.ts';
import { joined, messagesOf } from './request.ts';
import { modelError } from './retry.ts';
import { withoutCalls } from './without-calls.ts';

/** Part of a model's context that a session may fill. */
const threshold = 0.8;
const maxFails = 3;
const cooldownMs = 10 * 60_000;
/** From try to try, characters of each text that is to be summarised, and of all of them; words of the summary. */
const tries = [
  { each: 40_000, all: Infinity, words: 1_500 },
  { each: 8_000, all: 200_000, words: 800 },
  { each: 1_500, all: 40_000, words: 400 },
  { each: 1_000, all: 10_000, words: 200 },
  { each: 500, all: 3_000, words: 100 },
];
type Room = (typeof tries)[number];

const instruction = `Summarise the conversation so far for yourself: you will go on with it and see nothing but this summary and the latest messages. Keep what the person wants, decisions and their reasons, facts and numbers, results of tools that are still needed (with exact values, names and identifiers), what is done, and what is left to do. Leave out pleasantries. Write plain text.`;

/** After three failures in a row it is off for a while: each costs a request, and none helps. */
export class CompactionBreaker {
  #fails = 0;
  #offUntil = 0;
  /** There is a summary of which nobody knows yet whether it has helped. */
  #isOpen = false;

  isOff(now: number): boolean {
    return now < this.#offUntil;
  }

  /** There is a summary. */
  summarised(): void {
    this.#isOpen = true;
  }

  /** The model has counted again. @param isDue what it was sent is still too long */
  counted(isDue: boolean, now: number): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    if (isDue) this.failed(now);
    else this.#fails = 0;
  }

  failed(now: number): void {
    this.#fails += 1;
    if (this.#fails < maxFails) return;
    this.#fails = 0;
    this.#offUntil = now + cooldownMs;
  }
}

/** The next request would come near to the end of the model's context. */
export function isCompactionDue(
  effects: TurnEffects,
  model: ModelRef,
  breaker: CompactionBreaker,
): boolean {
  const { context } = effects.log.state;
  if (context === null) return false;
  const isDue = context > threshold * (effects.info(model)?.context ?? Infinity);
  breaker.counted(isDue, effects.clock.now());
  return isDue;
}

/**
 * Summarises everything before the latest messages.
 *
 * @returns how that ended; unless it is done, nothing has changed
 * @throws the signal's reason
 */
export async function compact(
  signal: AbortSignal,
  model: ModelRef,
  breaker: CompactionBreaker,
  effects: TurnEffects,
): Promise<Compacted> {
  const { log, live, clock } = effects;
  const before = boundary(log.state);
  if (before === null) return 'nothing';
  if (breaker.isOff(clock.now())) return 'off';
  live.set({ phase: 'compacting' });
  try {
    const { summary, usage } = await wait(
      signal,
      effects.hooks.summaries.run(
        { session: log.id, model, messages: toSummarise(log.state, model, before) },
        () => summariseShorter(signal, model, before, effects),
      ),
    );
    breaker.summarised();
    const cost = costOf(effects.info(model), usage);
    log.append({ type: 'compacted', before, summary, usage, cost });
    return 'done';
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    breaker.failed(clock.now());
    effects.report(modelError(thrown));
    return 'failed';
  }
}

/** Where the part that stays begins: at a message of the person or, in one long turn, at a step. Null: nothing to cut. */
function boundary({ entries, compaction }: SessionState): number | null {
  const from = compaction?.before ?? 0;
  const since = entries.filter(({ n }) => n >= from);
  const messages = since.filter(({ kind }) => kind === 'message');
  const last = messages.at(-1);
  const first = messages[0];
  if (last !== undefined && last !== first) return last.n;
  // A step stands behind the answers to all calls before it.
  const steps = since.filter((entry) => entry.kind === 'step' && entry.finish !== null);
  return steps.length < 3 ? null : (steps.at(-2)?.n ?? null);
}

/** With less and less to read and to write, as long as the model finds it too long or its summary is cut off. */
async function summariseShorter(
  signal: AbortSignal,
  model: ModelRef,
  before: number,
  effects: TurnEffects,
): Promise<Summary> {
  let failed: unknown;
  for (const room of tries) {
    try {
      const summary = await summarise(signal, model, before, room, effects);
      if (summary !== null) return summary;
      failed = new ModelError('answer', 'The model’s summary was cut off each time.');
    } catch (thrown) {
      failed = thrown;
      if (!(thrown instanceof ModelError) || thrown.fault !== 'context') break;
    }
  }
  throw failed;
}

/** Null where it was cut off: half of one would take the place of everything. */
async function summarise(
  signal: AbortSignal,
  model: ModelRef,
  before: number,
  room: Room,
  effects: TurnEffects,
): Promise<Summary | null> {
  const messages = toSummarise(effects.log.state, model, before);
  const text = `${instruction} At most ${room.words} words.`;
  const asking: ModelMessage = { role: 'user', parts: [{ type: 'text', text }] };
  const all = joined([...fitting(messages, room), asking]);
  const parts: ModelPart[] = [];
  const request = { system: '', messages: all, tools: [] };
  await askAside(signal, { kind: 'summary', model, request }, (part) => parts.push(part), effects);
  const summary = parts
    .map((part) => (part.type === 'text' ? part.delta : ''))
    .join('')
    .trim();
  const ended = parts.find((part) => part.type === 'ended');
  const isWhole = ended !== undefined && cutOf(ended.finish) === null && summary !== '';
  if (isWhole) return { summary, usage: ended.usage };
  if (ended !== undefined) countUnused(model, ended.usage, effects);
  if (ended?.finish === 'length') return null;
  throw new ModelError('answer', 'The model gave no summary.');
}

function toSummarise(
  state: SessionState,
  model: ModelRef,
  before: number,
): readonly ModelMessage[] {
  const entries = state.entries.filter(({ n }) => n < before);
  return withoutCalls(messagesOf({ ...state, entries }, model, { images: false }));
}

/** It was paid for all the same. */
function countUnused(model: ModelRef, usage: Usage, effects: TurnEffects): void {
  const { log, clock, report } = effects;
  try {
    const cost = costOf(effects.info(model), usage);
    log.append({ type: 'background-step', id: clock.newId(), usage, cost });
  } catch (thrown) {
    report(thrown);
  }
}

/** Long texts are cut; where all of them are still too many, the oldest are left out, an earlier summary aside. */
function fitting(messages: readonly ModelMessage[], { each, all }: Room): readonly ModelMessage[] {
  const [first, ...rest] = messages.map((message) => shortened(message, each));
  if (first === undefined) return [];
  let chars = charsOf(first);
  const newest = rest.reverse();
  const over = newest.findIndex((message) => (chars += charsOf(message)) > all);
  if (over === -1) return [first, ...newest.reverse()];
  return [first, leftOut, ...newest.slice(0, over).reverse()];
}

const leftOut: ModelMessage = {
  role: 'user',
  parts: [{ type: 'text', text: '[Messages are left out here.]' }],
};

function charsOf(message: ModelMessage): number {
  if (message.role === 'tool') return 0;
  return message.parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);
}

function shortened(message: ModelMessage, chars: number): ModelMessage {
  if (message.role === 'tool') return message;
  const short = <Part extends { readonly type: string }>(part: Part): Part =>
    'text' in part && typeof part.text === 'string' && part.text.length > chars
      ? { ...part, text: `${part.text.slice(0, chars)} […]` }
      : part;
  return message.role === 'user'
    ? { ...message, parts: message.parts.map(short) }
    : { ...message, parts: message.parts.map(short) };
}
