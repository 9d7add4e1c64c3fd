/** What a model is asked next: made from the session as it is, the same each time. */

import { savedNameTable } from '../registry/name-table.ts';
import { goOn } from '../session/recorded-session.ts';
import type { SessionCall, SessionState, StepEntry } from '../session/session-state.ts';
import {
  ofAnswer,
  type AssistantPart,
  type ModelInfo,
  type ModelMessage,
  type ModelRef,
  type ModelRequest,
  type ToolAnswer,
  type ToolDefinition,
  type UserPart,
} from '../spec/model.ts';
import { LossTold } from '../call/loss-told.ts';
import { failure } from '../call/results.ts';
import type { ToolResult } from '../spec/result.ts';
import { answerOf, type Hearer } from './answers.ts';
import { builtInTools, said, toldTools } from './built-in-tools.ts';
import { withoutCalls } from './without-calls.ts';

/**
 * @param system the text of the system prompt
 * @param chars of each result, where less than usual has room
 */
export function requestOf(
  state: SessionState,
  model: ModelRef,
  info: Pick<ModelInfo, 'images' | 'tools'> | undefined,
  system: string,
  chars?: number,
): ModelRequest {
  const images = info === undefined || info.images;
  const room = { images, ...(chars === undefined ? {} : { chars }) };
  const messages = messagesOf(state, model, room);
  // After a turn that was stopped the model spoke last, and providers want to hear from the person.
  if (messages.at(-1)?.role === 'assistant') messages.push(user([goOn]));
  if (info?.tools === false) return { system, messages: joined(withoutCalls(messages)), tools: [] };
  return { system, messages, tools: [...toolsOf(state), ...builtInTools(state, chars)] };
}

/** How much a model takes in of what it is sent. */
interface Room extends Pick<Hearer, 'chars'> {
  /** Null, where nobody knows: then it is sent what the person attached, who may, and nothing that tools return. */
  readonly images: ModelInfo['images'];
}

/** The session's messages as a model is sent them; what was compacted away comes as a summary. */
export function messagesOf(state: SessionState, model: ModelRef, room: Room): ModelMessage[] {
  const { compaction } = state;
  const messages: ModelMessage[] = [];
  if (compaction !== null) messages.push(user([summaryPart(compaction.summary)]));
  const losses = new LossTold();
  for (const entry of state.entries) {
    if (compaction !== null && entry.n < compaction.before) continue;
    if (entry.kind === 'python-anew') messages.push(user([pythonAnew]));
    if (entry.kind === 'message') {
      const context = entry.turnId === state.turnId ? (entry.context ?? []) : [];
      const parts = [...entry.parts, ...context];
      messages.push(user(parts.filter(({ type }) => room.images !== false || type === 'text')));
    }
    if (entry.kind === 'step')
      messages.push(...stepMessages(entry, state, { model, room, losses }));
  }
  return joined(messages);
}

/** Selected tools with all of their definition, as the model was told of them first. */
export function toolsOf(state: SessionState): ToolDefinition[] {
  const names = savedNameTable(state.selection?.names ?? []);
  return toldTools(state).flatMap(({ name, description, parameters }) => {
    const wire = names.toWire(name);
    return wire === undefined ? [] : [{ name: wire, description, parameters }];
  });
}

/** Who is told. */
interface Told {
  readonly model: ModelRef;
  readonly room: Room;
  readonly losses: LossTold;
}

/** A call as it is told. */
interface ToldCall {
  readonly call: SessionCall;
  readonly result: ToolResult;
  readonly lossIsNews: boolean;
}

/** What a step was told as last, and to whom: a long session tells thousands of them again with each request. */
interface Known extends Pick<Told, 'model' | 'room'> {
  readonly calls: readonly ToldCall[];
  readonly messages: readonly ModelMessage[];
}

const known = new WeakMap<StepEntry, Known>();

/** An answer of the model, and the answers to its calls right behind it: providers take nothing else. */
function stepMessages(step: StepEntry, state: SessionState, told: Told): readonly ModelMessage[] {
  // What was tried again is no part of the conversation, and what is under way has no parts yet.
  if (step.fault !== null || step.finish === null) return [];
  const { model, room, losses } = told;
  const calls = step.parts.flatMap((part): ToldCall[] => {
    if (part.type !== 'call') return [];
    const call = state.calls.get(part.id);
    if (call === undefined) throw new Error('A step has a call that its session does not know.');
    const result = call.result ?? withoutResult(call, state);
    return [{ call, result, lossIsNews: losses.isNews(result) }];
  });
  const before = known.get(step);
  if (before !== undefined && isSame(before, told, calls)) return before.messages;
  const messages = messagesOfStep(step, calls, told);
  // Foreign code sees them before they are sent, and they are to be the same the next time.
  freeze(messages);
  known.set(step, { model, room, calls, messages });
  return messages;
}

function isSame(
  { model, room, calls }: Known,
  told: Told,
  toldCalls: readonly ToldCall[],
): boolean {
  return (
    model.provider === told.model.provider &&
    model.model === told.model.model &&
    room.images === told.room.images &&
    room.chars === told.room.chars &&
    calls.every(({ call, result, lossIsNews }, index) => {
      const other = toldCalls[index];
      return call === other?.call && result === other.result && lossIsNews === other.lossIsNews;
    })
  );
}

function freeze(messages: readonly ModelMessage[]): void {
  for (const message of messages) {
    if (message.role === 'tool') {
      for (const answer of message.answers) Object.freeze(Object.freeze(answer).parts);
      Object.freeze(message.answers);
    } else Object.freeze(message.parts);
    Object.freeze(message);
  }
}

function messagesOfStep(
  step: StepEntry,
  calls: readonly ToldCall[],
  { model, room }: Pick<Told, 'model' | 'room'>,
): ModelMessage[] {
  const isOwn = step.model.provider === model.provider && step.model.model === model.model;
  const worth = step.parts.map((part) => forModel(part, model)).filter(isWorthSending);
  // Reasoning that led to nothing, since the answer was cut, providers refuse.
  const last = worth.findLastIndex(({ type }) => type !== 'reasoning');
  if (last === -1) return [];
  const own = worth.filter(
    (part, index) => index <= last || part.opaque?.data[ofAnswer] !== undefined,
  );
  const asked = new Set(own.map((part) => (part.type === 'call' ? part.askedId : '')));
  const parts = own.map((part, index) =>
    part.type === 'call' && !(isOwn && isTheirs(part.askedId, asked))
      ? { ...part, askedId: idOf(step, index) }
      : part,
  );
  const answers = parts
    .filter((part) => part.type === 'call')
    .flatMap(({ askedId }, index): ToolAnswer[] => {
      const told = calls[index];
      if (told === undefined) return [];
      const { call, result, lossIsNews } = told;
      const hearer = { ...room, images: room.images === true, lossIsNews };
      return [{ ...answerOf(call, result, hearer), askedId }];
    });
  return [
    { role: 'assistant', parts },
    ...(answers.length > 0 ? [{ role: 'tool', answers } as const] : []),
  ];
}

/** Whether the model has made it up: others are ours, where it gave none, or one twice in an answer. */
function isTheirs(askedId: string, asked: ReadonlySet<string>): boolean {
  const twice = /^(.*)_\d+$/s.exec(askedId)?.[1];
  return !uuid.test(askedId) && (twice === undefined || !asked.has(twice));
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * The id of a call that its model did not make up: providers refuse each other's for their letters, their length, or since
 * they come twice. Nine letters and digits please the strictest of them, Mistral.
 */
function idOf({ n }: StepEntry, index: number): string {
  return `c${(n * mostParts + index).toString(36).padStart(8, '0')}`;
}

/** Of one answer, at least. */
const mostParts = 4_096;
const neverMade = failure('cancelled', 'This call was not made.');
const underWay = said('This call is still under way; do not make it again.');

/** What is told of a call that has not ended: a prompt beside the session hears of those of a turn under way. */
function withoutResult({ turnId }: SessionCall, state: SessionState): ToolResult {
  return turnId === state.turnId ? underWay : neverMade;
}

function isWorthSending(part: AssistantPart): boolean {
  return part.type === 'call' || part.text !== '' || part.opaque !== undefined;
}

/** What only one model can read, no other is sent. */
function forModel(part: AssistantPart, model: ModelRef): AssistantPart {
  const { opaque, ...rest } = part;
  const own = opaque?.made.provider === model.provider && opaque.made.model === model.model;
  return own ? part : rest;
}

const pythonAnew: UserPart = {
  type: 'text',
  text: '[Python began anew: variables and imports of earlier calls are gone.]',
};

function summaryPart(summary: string): UserPart {
  return { type: 'text', text: `Summary of the conversation so far:\n\n${summary}` };
}

function user(parts: readonly UserPart[]): ModelMessage {
  return { role: 'user', parts: parts.length > 0 ? parts : [{ type: 'text', text: '(empty)' }] };
}

/** Roles alternate: messages of one role in a row become one. */
export function joined(messages: readonly ModelMessage[]): ModelMessage[] {
  const result: ModelMessage[] = [];
  for (let from = 0; from < messages.length;) {
    const to = rowEnd(messages, from);
    const first = messages[from];
    if (first === undefined) break;
    // Most stand alone.
    if (to === from + 1) result.push(first);
    else if (first.role === 'user')
      result.push({ role: 'user', parts: messages.slice(from, to).flatMap(userParts) });
    else
      result.push({ role: 'assistant', parts: messages.slice(from, to).flatMap(assistantParts) });
    from = to;
  }
  return result;
}

/** Behind the messages of one role from there on; answers of tools stay as they are. */
function rowEnd(messages: readonly ModelMessage[], from: number): number {
  const role = messages[from]?.role;
  let to = from + 1;
  if (role !== 'tool') while (to < messages.length && messages[to]?.role === role) to += 1;
  return to;
}

function userParts(message: ModelMessage): readonly UserPart[] {
  return message.role === 'user' ? message.parts : [];
}

function assistantParts(message: ModelMessage): readonly AssistantPart[] {
  return message.role === 'assistant' ? message.parts : [];
}
