/** Builds requests to a model from the session's state. The same state always gives the same request. */

import { isLegalName, savedNameTable } from '../../runtime/registry/provider-names.ts';
import { continueAnswerPart } from '../session/recording/recorded-session.ts';
import {
  isSameModel,
  type SessionCall,
  type SessionState,
  type MessageEntry,
  type StepEntry,
} from '../session/session-state.ts';
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
} from '../../runtime/spec/model.ts';
import type { SelectedTool } from '../../runtime/spec/session.ts';
import { failure, LossReports, textResult } from '../../runtime/call/results.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import { defineBuiltInTools, listDefinedTools } from './built-in-tools.ts';
import { toolAnswer, type AnswerOptions } from './tool-answer.ts';

/** @param resultChars limit for the characters of each result, if lower than usual */
export function requestOf(
  state: SessionState,
  model: ModelRef,
  info: Pick<ModelInfo, 'images' | 'tools' | 'documents'> | undefined,
  system: string,
  resultChars?: number,
): ModelRequest {
  const images = info === undefined || info.images;
  const documents = info?.documents === true;
  const limits = {
    images,
    documents,
    ...(resultChars === undefined ? {} : { chars: resultChars }),
  };
  const messages = messagesOf(state, model, limits);
  // After a stopped turn the last message is the model's, but providers require a user message.
  if (messages.at(-1)?.role === 'assistant') messages.push(user([continueAnswerPart]));
  if (info?.tools === false)
    return { system, messages: joinRoles(callsAsText(messages)), tools: [] };
  return {
    system,
    messages,
    tools: [...toolDefinitions(state), ...defineBuiltInTools(state, resultChars)],
  };
}

/** The kinds of content that the model accepts, and the length of results. */
interface ModelLimits extends Pick<AnswerOptions, 'chars'> {
  /** Null if unknown: then images of the user are sent, and images of tools are not. */
  readonly images: ModelInfo['images'];
  /** Whether results may contain PDF documents. */
  readonly documents?: boolean;
}

/** Returns the session's messages. A summary replaces those before the latest compaction. */
export function messagesOf(
  state: SessionState,
  model: ModelRef,
  limits: ModelLimits,
): ModelMessage[] {
  const { compaction } = state;
  const messages: ModelMessage[] = [];
  if (compaction?.messages !== undefined) messages.push(...compaction.messages);
  else if (compaction !== null)
    messages.push(user([textPart(`Summary of the conversation so far:\n\n${compaction.summary}`)]));
  const losses = new LossReports();
  for (const entry of state.entries) {
    if (compaction !== null && entry.n < compaction.before) continue;
    if (entry.kind === 'python-anew') messages.push(user([textPart(pythonRestarted)]));
    if (entry.kind === 'message') messages.push(userMessage(entry, state, limits));
    if (entry.kind === 'step')
      messages.push(...stepMessages(entry, state, { model, limits, losses }));
  }
  return joinRoles(messages);
}

/** A user's message as the latest request contained it, and everything else that it depends on. */
interface CachedMessage extends Pick<ModelLimits, 'images'> {
  readonly isOfTurn: boolean;
  readonly message: ModelMessage;
}

const messageCache = new WeakMap<MessageEntry, CachedMessage>();

/** Returns the same object in every request until its content changes. */
function userMessage(
  entry: MessageEntry,
  { turnId }: SessionState,
  limits: ModelLimits,
): ModelMessage {
  const isOfTurn = entry.turnId === turnId;
  const { images } = limits;
  const cached = messageCache.get(entry);
  if (cached?.isOfTurn === isOfTurn && cached.images === images) return cached.message;
  const context = isOfTurn ? (entry.context ?? []) : [];
  const message = user(readableParts([...entry.parts, ...context], limits));
  freeze([message]);
  messageCache.set(entry, { isOfTurn, images, message });
  return message;
}

/** Replaces attachments that the model cannot read with a note, so that it does not guess what they are. */
function readableParts(parts: readonly UserPart[], { images }: ModelLimits): readonly UserPart[] {
  if (images !== false) return parts;
  const texts = parts.filter(({ type }) => type === 'text');
  const unread = parts.flatMap((part) =>
    part.type === 'text' ? [] : [part.type === 'file' ? part.name : part.mediaType],
  );
  if (unread.length === 0) return parts;
  return [...texts, textPart(`[Attached, but not shown to you: ${unread.join(', ')}]`)];
}

/** The definitions in earlier requests. */
const definitions = new WeakMap<SelectedTool, ToolDefinition>();

/**
 * Returns the definitions of the selected tools, as they were when they were selected. Each is the same object in all
 * requests of a session.
 */
export function toolDefinitions(state: SessionState): ToolDefinition[] {
  const names = savedNameTable(state.selection?.names ?? []);
  return listDefinedTools(state).flatMap((tool) => {
    const wire = names.toWire(tool.name);
    return wire === undefined ? [] : [definitionOf(tool, wire)];
  });
}

function definitionOf(tool: SelectedTool, wire: string): ToolDefinition {
  const known = definitions.get(tool);
  if (known?.name === wire) return known;
  const { deferred: _, ...rest } = tool;
  // Extensions receive the definition, and must not change it.
  const definition = Object.freeze({ ...rest, name: wire });
  definitions.set(tool, definition);
  return definition;
}

interface Recipient {
  readonly model: ModelRef;
  readonly limits: ModelLimits;
  readonly losses: LossReports;
}

interface CallWithResult {
  readonly call: SessionCall;
  readonly result: ToolResult;
  readonly stateLost: boolean;
}

/**
 * The messages of a step in the latest request, cached because a long session sends thousands of them with each
 * request.
 */
interface CachedStep extends Pick<Recipient, 'model' | 'limits'> {
  readonly calls: readonly CallWithResult[];
  readonly messages: readonly ModelMessage[];
}

const cache = new WeakMap<StepEntry, CachedStep>();

/** Returns an answer of the model, directly followed by the results of its calls, as providers require. */
function stepMessages(
  step: StepEntry,
  state: SessionState,
  recipient: Recipient,
): readonly ModelMessage[] {
  // A failed answer is not part of the conversation, and a step in progress has no parts yet.
  if (step.fault !== null || step.finish === null) return [];
  const { model, limits, losses } = recipient;
  const calls: CallWithResult[] = [];
  for (const part of step.parts) {
    if (part.type !== 'call') continue;
    const call = state.calls.get(part.id);
    if (call === undefined) throw new Error('A step contains a call that is not in its session.');
    const result = call.result ?? missingResult(call, state);
    calls.push({ call, result, stateLost: losses.take(result) });
  }
  const cached = cache.get(step);
  if (cached !== undefined && isCurrent(cached, recipient, calls)) return cached.messages;
  const messages = newStepMessages(step, calls, recipient, state);
  // Extensions receive the messages, and must not change cached ones.
  freeze(messages);
  cache.set(step, { model, limits, calls, messages });
  return messages;
}

function isCurrent(
  cached: CachedStep,
  { model, limits }: Recipient,
  calls: readonly CallWithResult[],
): boolean {
  return (
    isSameModel(cached.model, model) &&
    cached.limits.images === limits.images &&
    cached.limits.documents === limits.documents &&
    cached.limits.chars === limits.chars &&
    cached.calls.every(({ call, result, stateLost }, index) => {
      const other = calls[index];
      return call === other?.call && result === other.result && stateLost === other.stateLost;
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

function newStepMessages(
  step: StepEntry,
  calls: readonly CallWithResult[],
  { model, limits }: Recipient,
  { selection }: SessionState,
): ModelMessage[] {
  const sendable = step.parts
    .map((part) => withToolName(forModel(part, model), selection))
    .filter(hasContent);
  // A long session has thousands of messages with only text, so their parts are not copied again.
  if (sendable.length > 0 && sendable.every(({ type }) => type === 'text'))
    return [{ role: 'assistant', parts: sendable }];
  // Providers refuse reasoning without a following part, as in a truncated answer.
  const last = sendable.findLastIndex(({ type }) => type !== 'reasoning');
  if (last === -1) return [];
  const sent = sendable.filter(
    (part, index) => index <= last || part.opaque?.data[ofAnswer] !== undefined,
  );
  const asked = new Set(sent.map((part) => (part.type === 'call' ? part.askedId : '')));
  const parts = sent.map((part, index) =>
    part.type === 'call' && !(isSameModel(step.model, model) && isModelsId(part.askedId, asked))
      ? { ...part, askedId: neutralId(step, index) }
      : part,
  );
  const answers = parts
    .filter((part) => part.type === 'call')
    .flatMap(({ askedId, wire }, index): ToolAnswer[] => {
      const ended = calls[index];
      if (ended === undefined) return [];
      const { call, result, stateLost } = ended;
      const options = { ...limits, images: limits.images === true, stateLost };
      return [{ ...toolAnswer(call, result, options), askedId, wire }];
    });
  return [
    { role: 'assistant', parts },
    ...(answers.length > 0 ? [{ role: 'tool', answers } as const] : []),
  ];
}

/** Returns whether the model chose the id. Cloche chooses one if the model gave none, or used one twice in an answer. */
function isModelsId(askedId: string, asked: ReadonlySet<string>): boolean {
  const twice = /^(.*)_\d+$/s.exec(askedId)?.[1];
  return !uuid.test(askedId) && (twice === undefined || !asked.has(twice));
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * A call id that every provider accepts. Providers refuse each other's ids for their characters, their length or as
 * duplicates; the strictest one, Mistral, requires nine letters and digits.
 */
function neutralId({ n }: StepEntry, index: number): string {
  return `c${(n * maxParts + index).toString(36).padStart(8, '0')}`;
}

/** More than the parts of any answer. */
const maxParts = 4_096;
const notMade = failure('cancelled', 'This call was not run.');
const stillRunning = textResult('This call is still running. Do not repeat it.');

/** Returns the result for a call that has not ended. A background prompt can see calls that are still running. */
function missingResult({ turnId }: SessionCall, state: SessionState): ToolResult {
  return turnId === state.turnId ? stillRunning : notMade;
}

function hasContent(part: AssistantPart): boolean {
  return part.type === 'call' || part.text !== '' || part.opaque !== undefined;
}

/** Removes opaque data that another model made. */
function forModel(part: AssistantPart, model: ModelRef): AssistantPart {
  const { opaque, ...rest } = part;
  return opaque === undefined || isSameModel(opaque.made, model) ? part : rest;
}

/** Replaces a name that providers refuse by the tool's own name, if the model meant a tool. */
function withToolName(part: AssistantPart, selection: SessionState['selection']): AssistantPart {
  if (part.type !== 'call' || part.tool === '' || isLegalName(part.wire)) return part;
  const wireName = selection?.names.find(([id]) => id === part.tool)?.[1];
  return wireName === undefined ? part : { ...part, wire: wireName };
}

const pythonRestarted =
  '[Python state was reset: variables and imports from earlier calls are lost.]';

function user(parts: readonly UserPart[]): ModelMessage {
  return { role: 'user', parts: parts.length > 0 ? parts : [textPart('(empty)')] };
}

/** Joins consecutive messages of one role, so that roles alternate. Tool messages are not joined. */
export function joinRoles(messages: readonly ModelMessage[]): ModelMessage[] {
  const result: ModelMessage[] = [];
  for (let from = 0; from < messages.length;) {
    const first = messages[from];
    if (first === undefined) break;
    const { role } = first;
    let to = from + 1;
    while (role !== 'tool' && messages[to]?.role === role) to += 1;
    if (to === from + 1) result.push(first);
    else {
      const run = messages.slice(from, to);
      if (role === 'user')
        result.push({ role, parts: run.flatMap((one) => (one.role === role ? one.parts : [])) });
      else if (role === 'assistant')
        result.push({ role, parts: run.flatMap((one) => (one.role === role ? one.parts : [])) });
    }
    from = to;
  }
  return result;
}

/** Writes calls and their results as text, for requests without tools, in which providers accept no calls. */
export function callsAsText(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message): ModelMessage => {
    if (message.role === 'user') return message;
    if (message.role === 'tool')
      return {
        role: 'user',
        parts: message.answers.flatMap(({ wire, parts }) =>
          parts.flatMap((part) =>
            part.type === 'text' ? [textPart(`[Result of ${wire}]\n${part.text}`)] : [],
          ),
        ),
      };
    const parts = message.parts.flatMap((part) => {
      if (part.type === 'reasoning') return [];
      return [
        textPart(part.type === 'text' ? part.text : `[Call to ${part.wire}] ${part.arguments}`),
      ];
    });
    return { role: 'assistant', parts: parts.length > 0 ? parts : [textPart('…')] };
  });
}

function textPart(text: string): Extract<UserPart, { type: 'text' }> {
  return { type: 'text', text };
}
