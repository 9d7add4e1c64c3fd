/** What a model is asked next: made from the session as it is, the same each time. */

import { savedNameTable } from '../registry/name-table.ts';
import { goOn } from '../session/recorded-session.ts';
import type { SessionCall, SessionState, StepEntry } from '../session/session-state.ts';
import type {
  AssistantPart,
  ModelInfo,
  ModelMessage,
  ModelRef,
  ModelRequest,
  ToolAnswer,
  ToolDefinition,
  UserPart,
} from '../spec/model.ts';
import { LossTold } from '../call/loss-told.ts';
import { failure } from '../call/results.ts';
import { answerOf, type Hearer } from './answers.ts';
import { builtInTools } from './built-in-tools.ts';
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
  if (info?.tools === false) return { system, messages: withoutCalls(messages), tools: [] };
  return { system, messages, tools: [...toolsOf(state), ...builtInTools(state, chars)] };
}

/** How much a model takes in of what it is sent. */
interface Room extends Pick<Hearer, 'chars'> {
  /** The person says something more behind these. */
  readonly followed?: boolean;
  /** Null, where nobody knows: then it is sent what the person attached, who may, and nothing that tools return. */
  readonly images: ModelInfo['images'];
}

/** The session's messages as a model is sent them; what was compacted away comes as a summary. */
export function messagesOf(
  state: SessionState,
  model: ModelRef,
  room: Room,
): readonly ModelMessage[] {
  const { compaction } = state;
  const messages: ModelMessage[] = [];
  if (compaction !== null) messages.push(user([summaryPart(compaction.summary)]));
  const losses = new LossTold();
  const answer = (call: SessionCall): ToolAnswer => {
    const result = call.result ?? neverMade;
    return answerOf(call, result, {
      ...room,
      images: room.images === true,
      lossIsNews: losses.isNews(result),
    });
  };
  for (const entry of state.entries) {
    if (compaction !== null && entry.n < compaction.before) continue;
    if (entry.kind === 'python-anew') messages.push(user([pythonAnew]));
    if (entry.kind === 'message')
      messages.push(
        user(entry.parts.filter((part) => room.images !== false || part.type === 'text')),
      );
    if (entry.kind === 'step') messages.push(...stepMessages(entry, state, model, answer));
  }
  const all = joined(messages);
  // After a turn that was stopped the model spoke last, and providers want to hear from the person.
  if (room.followed !== true && all.at(-1)?.role === 'assistant') all.push(user([goOn]));
  return all;
}

/** Selected tools with all of their definition, as the model was told of them first. */
function toolsOf({ selection, handedOver }: SessionState): ToolDefinition[] {
  const names = savedNameTable(selection?.names ?? []);
  return (selection?.tools ?? []).flatMap(({ name, description, parameters, deferred }) => {
    const wire = names.toWire(name);
    const told = !deferred || handedOver.has(name);
    return wire === undefined || !told ? [] : [{ name: wire, description, parameters }];
  });
}

/** An answer of the model, and the answers to its calls right behind it: providers take nothing else. */
function stepMessages(
  step: StepEntry,
  state: SessionState,
  model: ModelRef,
  answer: (call: SessionCall) => ToolAnswer,
): ModelMessage[] {
  // What was tried again is no part of the conversation, and what is under way has no parts yet.
  if (step.fault !== null || step.finish === null) return [];
  const isOwn = step.model.provider === model.provider && step.model.model === model.model;
  const worth = step.parts.map((part) => forModel(part, model)).filter(isWorthSending);
  // Reasoning that led to nothing, since the answer was cut, providers refuse.
  const own = worth.slice(0, worth.findLastIndex(({ type }) => type !== 'reasoning') + 1);
  if (own.length === 0) return [];
  const parts = own.map((part, index) =>
    part.type === 'call' && !isOwn ? { ...part, askedId: idOf(step, index) } : part,
  );
  const answers = parts.flatMap((part) =>
    part.type === 'call' ? [{ ...answer(callOf(part.id)), askedId: part.askedId }] : [],
  );
  return [
    { role: 'assistant', parts },
    ...(answers.length > 0 ? [{ role: 'tool', answers } as const] : []),
  ];

  function callOf(id: string): SessionCall {
    const call = state.calls.get(id);
    if (call === undefined) throw new Error('A step has a call that its session does not know.');
    return call;
  }
}

/**
 * The id of a call that another model made up: providers refuse each other's for their letters, their length, or since
 * they come twice. Nine letters and digits please the strictest of them, Mistral.
 */
function idOf({ n }: StepEntry, index: number): string {
  return `c${(n * mostParts + index).toString(36).padStart(8, '0')}`;
}

/** Of one answer, at least. */
const mostParts = 4_096;
const neverMade = failure('cancelled', 'This call was not made.');

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
  for (const message of messages) {
    const last = result.at(-1);
    if (message.role === 'user' && last?.role === 'user')
      result[result.length - 1] = { role: 'user', parts: [...last.parts, ...message.parts] };
    else if (message.role === 'assistant' && last?.role === 'assistant')
      result[result.length - 1] = { role: 'assistant', parts: [...last.parts, ...message.parts] };
    else result.push(message);
  }
  return result;
}
