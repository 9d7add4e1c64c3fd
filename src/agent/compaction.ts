/** Compaction: where the context grows too long, older messages reach the model as a summary from then on. */

import type { SessionState } from '../session/session-state.ts';
import type { ModelMessage, ModelPart, ModelRef, Usage } from '../spec/model.ts';
import { ModelError } from '../spec/model-error.ts';
import { costOf } from './cost.ts';
import type { Compacted } from './conversation-type.ts';
import type { TurnEffects } from './effects.ts';
import { askAside } from './aside.ts';
import { joined, messagesOf } from './request.ts';
import { modelError } from './retry.ts';
import { withoutCalls } from './without-calls.ts';

/** Part of a model's context that a session may fill. */
const threshold = 0.8;
const maxFails = 3;
const cooldownMs = 10 * 60_000;
/** Characters of each text that is to be summarised, from try to try. */
const textChars = [40_000, 8_000, 1_500];

const instruction = `Summarise the conversation so far for yourself: you will go on with it and see nothing but this summary and the latest messages. Keep what the person wants, decisions and their reasons, facts and numbers, results of tools that are still needed (with exact values, names and identifiers), what is done, and what is left to do. Leave out pleasantries. Write plain text.`;

/** After three failures in a row it is off for a while: each costs a request, and none helps. */
export class CompactionBreaker {
  #fails = 0;
  #offUntil = 0;

  isOff(now: number): boolean {
    return now < this.#offUntil;
  }

  succeeded(): void {
    this.#fails = 0;
  }

  failed(now: number): void {
    this.#fails += 1;
    if (this.#fails < maxFails) return;
    this.#fails = 0;
    this.#offUntil = now + cooldownMs;
  }
}

/** The next request would come near to the end of the model's context. */
export function isCompactionDue(state: SessionState, context: number | null | undefined): boolean {
  return state.context !== null && state.context > threshold * (context ?? Infinity);
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
    const { summary, usage } = await summariseShorter(signal, model, before, effects);
    breaker.succeeded();
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

interface Summary {
  readonly summary: string;
  readonly usage: Usage;
}

/** With less and less of long texts, as long as the model finds the whole too long. */
async function summariseShorter(
  signal: AbortSignal,
  model: ModelRef,
  before: number,
  effects: TurnEffects,
): Promise<Summary> {
  let failed: unknown;
  for (const chars of textChars) {
    try {
      return await summarise(signal, model, before, chars, effects);
    } catch (thrown) {
      failed = thrown;
      if (!(thrown instanceof ModelError) || thrown.fault !== 'context') break;
    }
  }
  throw failed;
}

async function summarise(
  signal: AbortSignal,
  model: ModelRef,
  before: number,
  chars: number,
  effects: TurnEffects,
): Promise<Summary> {
  const { state } = effects.log;
  const entries = state.entries.filter(({ n }) => n < before);
  const messages = withoutCalls(messagesOf({ ...state, entries }, model, { images: false }));
  const asking: ModelMessage = { role: 'user', parts: [{ type: 'text', text: instruction }] };
  const all = joined([...messages.map((message) => shortened(message, chars)), asking]);
  const parts: ModelPart[] = [];
  const request = { system: '', messages: all, tools: [] };
  await askAside(signal, { kind: 'summary', model, request }, (part) => parts.push(part), effects);
  const summary = parts
    .map((part) => (part.type === 'text' ? part.delta : ''))
    .join('')
    .trim();
  const ended = parts.find((part) => part.type === 'ended');
  if (ended !== undefined && summary !== '') return { summary, usage: ended.usage };
  throw new ModelError('answer', 'The model gave no summary.');
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
