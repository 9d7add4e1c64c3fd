/**
 * Replaces tool names in earlier calls that providers would refuse. A model can invent any name, and the session would
 * then be refused for ever.
 */

import { inventedName } from '../../registry/provider-names.ts';
import type { AssistantPart, ModelMessage, ModelRequest, ToolAnswer } from '../../spec/model.ts';

/** Returns the request with valid names in calls and their answers. */
export async function withLegalNames(request: ModelRequest): Promise<ModelRequest> {
  const names = new Map<string, string>();
  for (const wire of new Set(request.messages.flatMap(namesIn))) {
    const name = await inventedName(wire);
    if (name !== wire) names.set(wire, name);
  }
  if (names.size === 0) return request;
  return { ...request, messages: request.messages.map((message) => renamed(message, names)) };
}

function namesIn(message: ModelMessage): string[] {
  if (message.role === 'user') return [];
  const named = message.role === 'tool' ? message.answers : message.parts;
  return named.flatMap((one) => ('wire' in one ? [one.wire] : []));
}

function renamed(message: ModelMessage, names: ReadonlyMap<string, string>): ModelMessage {
  if (message.role === 'assistant')
    return { ...message, parts: message.parts.map((part) => renamedCall(part, names)) };
  if (message.role === 'tool')
    return { ...message, answers: message.answers.map((answer) => renamedAnswer(answer, names)) };
  return message;
}

function renamedCall(part: AssistantPart, names: ReadonlyMap<string, string>): AssistantPart {
  const wire = part.type === 'call' ? names.get(part.wire) : undefined;
  if (part.type !== 'call' || wire === undefined) return part;
  // The opaque data is signed for the old name.
  const { opaque: _, ...rest } = part;
  return { ...rest, wire };
}

function renamedAnswer(answer: ToolAnswer, names: ReadonlyMap<string, string>): ToolAnswer {
  const wire = names.get(answer.wire);
  return wire === undefined ? answer : { ...answer, wire };
}
