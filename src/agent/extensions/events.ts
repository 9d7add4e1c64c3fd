/** The events that extensions observe, as plain data with the names of the Python side. */

import type { AgentEvent } from '../turn/hooks.ts';
import type { CallEvent, ToolCall } from '../../runtime/spec/call.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { Json, JsonObject } from '../../runtime/spec/json.ts';
import type { UserPart } from '../../runtime/spec/model.ts';
import type { SessionEvent } from '../../runtime/spec/session.ts';

/** The types of Cloche's own events. No extension can pass on an event that looks like one of them. */
const ownTypes = [
  'call_queued',
  'call_started',
  'call_ended',
  'session_opened',
  'session_closed',
  'message_sent',
  'turn_began',
  'turn_ended',
  'step_ended',
] as const;

export type ExtensionEvent = Readonly<Record<string, Json>> & { readonly type: string };
type OwnEvent = ExtensionEvent & { readonly type: (typeof ownTypes)[number] };

/** Limit of a text in an event; characters. */
const maxChars = 10_000;

/** Null for events that extensions do not get. */
export function eventOfCall(event: CallEvent): OwnEvent | null {
  switch (event.type) {
    case 'call-queued':
      return { type: 'call_queued', ...callFields(event.call) };
    case 'call-started':
      return { type: 'call_started', call_id: event.callId };
    case 'call-ended': {
      const { resultType, error = null, durationMs, textResultForLlm } = event.result;
      return {
        type: 'call_ended',
        ...callFields(event.call),
        result_type: resultType,
        error,
        duration_ms: durationMs,
        text: cut(textResultForLlm),
      };
    }
    default:
      return null;
  }
}

/** Null for events that extensions do not get. */
export function eventOfAgent(event: AgentEvent): OwnEvent | null {
  const { session } = event;
  if (event.type === 'opened' || event.type === 'closed')
    return { type: `session_${event.type}`, session_id: session };
  return event.type === 'logged' ? ofLog(session, event.event, event.messages) : null;
}

/**
 * Checks an event that an extension passes to others.
 * @throws {ToolError} if it is too long, or looks like one of Cloche
 */
export function checkDispatched(event: JsonObject): ExtensionEvent {
  const { type } = event;
  if (typeof type !== 'string' || !/^[\w:.-]{1,100}$/.test(type))
    throw new ToolError(
      'bad-input',
      'An event needs a "type" of letters, digits, “_”, “:”, “.” and “-”.',
    );
  // @mutant no extension passes on an event of Cloche => ownTypes.some((own) => own === type) -> type === ''
  //   [src/agent/extensions/hostile.test.ts]
  if (ownTypes.some((own) => own === type))
    throw new ToolError('bad-input', `Events of the type ${type} come from Cloche only.`);
  if (JSON.stringify(event).length > maxChars)
    throw new ToolError(
      'limit',
      `An event has at most ${maxChars.toLocaleString('en')} characters.`,
    );
  return { ...event, type };
}

export function textOf(parts: readonly UserPart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

function ofLog(session_id: string, event: SessionEvent, number: number): OwnEvent | null {
  switch (event.type) {
    case 'message':
      return { type: 'message_sent', session_id, number, text: cut(textOf(event.parts)) };
    case 'turn-began':
      return { type: 'turn_began', session_id, turn_id: event.turnId };
    case 'turn-ended':
      return { type: 'turn_ended', session_id, turn_id: event.turnId };
    case 'step-ended': {
      const { usage, cost, ms } = event;
      return {
        type: 'step_ended',
        session_id,
        cost,
        duration_ms: ms,
        input_tokens: usage.input,
        output_tokens: usage.output,
      };
    }
    default:
      return null;
  }
}

function callFields({
  id,
  tool,
  caller,
  sessionId,
  arguments: args,
}: ToolCall): Record<string, Json> {
  return { call_id: id, tool, caller, session_id: sessionId, arguments: cut(args) };
}

function cut(text: string): string {
  return text.length > maxChars ? text.slice(0, maxChars) : text;
}
