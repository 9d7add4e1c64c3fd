/**
 * Compaction: when the context fills up, a compactor replaces older messages. Cloche's own has the model write a
 * summary.
 */

import { wait } from '../../runtime/async/wait.ts';
import type { SessionState } from '../session/session-state.ts';
import { costOf } from '../session/usage.ts';
import { AnswerText } from '../../runtime/spec/answer-text.ts';
import type {
  ModelMessage,
  ModelPart,
  ModelRef,
  ModelRequest,
  Usage,
} from '../../runtime/spec/model.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import type { CompactionResult, CompactionInput, Compactor } from './compactors.ts';
import type { CompactionOutcome } from './live-session-types.ts';
import { callsAsText, joinRoles, messagesOf } from './request.ts';
import type { TurnDeps } from './deps.ts';
import { toModelError, truncationOf } from './answer-errors.ts';
import { oneOffRequest } from './run-hooks.ts';

/** Limits for each attempt: characters of each text, characters of all texts, and words of the summary. */
const attempts = [
  { each: 40_000, all: Infinity, words: 1_500 },
  { each: 8_000, all: 200_000, words: 800 },
  { each: 1_500, all: 40_000, words: 400 },
  { each: 1_000, all: 10_000, words: 200 },
  { each: 500, all: 3_000, words: 100 },
];
type Size = (typeof attempts)[number];

const instruction = `Summarise the conversation so far for yourself: you will continue it and see only this summary and the latest messages. Keep what the user wants, decisions and their reasons, facts and numbers, results of tools that are still needed (with exact values, names and identifiers), what is done, and what is left to do. Leave out pleasantries. Write plain text.`;

/** Cloche's own compactor. */
export const summaryCompactor: Compactor = {
  name: 'summary',
  threshold: 0,
  from: '',
  compact: (_, asked) => summarise(asked),
};

/**
 * Compacts everything before the latest messages. Unless it resolves to `done`, the session is unchanged.
 *
 * @throws the signal's reason
 */
export async function compact(
  signal: AbortSignal,
  model: ModelRef,
  deps: TurnDeps,
): Promise<CompactionOutcome> {
  const { breaker, clock, hooks, live, log } = deps;
  const before = summaryEnd(log.state);
  if (before === null) return 'nothing';
  if (breaker.isOff(clock.now())) return 'off';
  live.set({ phase: 'compacting' });
  try {
    const asked: CompactionInput = {
      session: log.id,
      model,
      messages: messagesBefore(before, log.state, model),
      ask: (request) => askedParts(signal, model, request, deps),
      countUsage: (usage) => countUsage(model, usage, deps),
    };
    const now = (): number => clock.now();
    const { summary, messages, usage, from } = await wait(
      signal,
      hooks.compactors.compact(signal, asked, now, deps.report),
    );
    breaker.succeeded();
    const cost = costOf(deps.models.info(model), usage);
    const more = { ...(messages && { messages }), ...(from !== '' && { from }) };
    log.append({ type: 'compacted', before, summary, usage, cost, ...more });
    return 'done';
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    breaker.failed(clock.now());
    deps.report(toModelError(thrown));
    return 'failed';
  }
}

/**
 * Returns the number of the first entry to keep: a message or, within one long turn, a step. Null if there is nothing
 * to summarise.
 */
function summaryEnd({ entries, compaction }: SessionState): number | null {
  const from = compaction?.before ?? 0;
  const since = entries.filter(({ n }) => n >= from);
  const messages = since.filter(({ kind }) => kind === 'message');
  const last = messages.at(-1);
  if (last !== undefined && last !== messages[0]) return last.n;
  // All earlier calls have their results before a step.
  const steps = since.filter((entry) => entry.kind === 'step' && entry.finish !== null);
  return steps.length < 3 ? null : (steps.at(-2)?.n ?? null);
}

/** Tries with less and less text, while the model finds the request too long or its summary is truncated. */
async function summarise(asked: CompactionInput): Promise<CompactionResult> {
  let failed: unknown;
  for (const size of attempts) {
    try {
      const summary = await summariseOnce(asked, size);
      if (summary !== null) return summary;
      failed = new ModelError('answer', 'The model’s summary was cut off each time.');
    } catch (thrown) {
      failed = thrown;
      if (!(thrown instanceof ModelError) || thrown.fault !== 'context') break;
    }
  }
  throw failed;
}

/** @returns null if the summary was truncated: half a summary must not replace the messages */
async function summariseOnce(asked: CompactionInput, size: Size): Promise<CompactionResult | null> {
  const text = `${instruction} At most ${size.words} words.`;
  const asking: ModelMessage = { role: 'user', parts: [{ type: 'text', text }] };
  const messages = joinRoles([...shorten(callsAsText(asked.messages), size), asking]);
  const parts = await asked.ask({ system: '', messages, tools: [] });
  const answer = new AnswerText();
  for (const part of parts) answer.add(part);
  const summary = answer.text.trim();
  const ended = parts.find((part) => part.type === 'ended');
  const isComplete = ended !== undefined && truncationOf(ended.finish) === null && summary !== '';
  if (isComplete) return { summary, usage: ended.usage };
  if (ended !== undefined) asked.countUsage(ended.usage);
  if (ended?.finish === 'length') return null;
  throw new ModelError('answer', 'The model returned no summary.');
}

async function askedParts(
  signal: AbortSignal,
  model: ModelRef,
  request: ModelRequest,
  deps: TurnDeps,
): Promise<readonly ModelPart[]> {
  const parts: ModelPart[] = [];
  await oneOffRequest(signal, { kind: 'summary', model, request }, deps, (part) => {
    parts.push(part);
  });
  return parts;
}

function messagesBefore(before: number, state: SessionState, model: ModelRef): ModelMessage[] {
  const entries = state.entries.filter(({ n }) => n < before);
  return messagesOf({ ...state, entries }, model, { images: false });
}

/** Counts the tokens of a useless summary, which costs money too. */
function countUsage(model: ModelRef, usage: Usage, deps: TurnDeps): void {
  try {
    const cost = costOf(deps.models.info(model), usage);
    deps.log.append({ type: 'background-step', id: deps.clock.newId(), usage, cost });
  } catch (thrown) {
    deps.report(thrown);
  }
}

/**
 * Cuts long texts. If the total is still too long, leaves out the oldest messages except the first, which may be a
 * summary.
 */
function shorten(messages: readonly ModelMessage[], { each, all }: Size): readonly ModelMessage[] {
  const [first, ...rest] = messages.map((message) => cutTexts(message, each));
  if (first === undefined) return [];
  let chars = charsOf(first);
  const newest = rest.reverse();
  const over = newest.findIndex((message) => (chars += charsOf(message)) > all);
  if (over === -1) return [first, ...newest.reverse()];
  return [first, leftOut, ...newest.slice(0, over).reverse()];
}

const leftOut: ModelMessage = {
  role: 'user',
  parts: [{ type: 'text', text: '[Some messages are omitted here.]' }],
};

function charsOf(message: ModelMessage): number {
  if (message.role === 'tool') return 0;
  return message.parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : 0), 0);
}

function cutTexts(message: ModelMessage, chars: number): ModelMessage {
  if (message.role === 'tool') return message;
  const shortenPart = <Part extends { readonly type: string }>(part: Part): Part =>
    'text' in part && typeof part.text === 'string' && part.text.length > chars
      ? { ...part, text: `${part.text.slice(0, chars)} […]` }
      : part;
  return message.role === 'user'
    ? { ...message, parts: message.parts.map(shortenPart) }
    : { ...message, parts: message.parts.map(shortenPart) };
}
