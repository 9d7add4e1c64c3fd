/** Names of calls that no provider would take back: a model may make up any, and would be refused for ever. */

import { inventedName } from '../../registry/provider-names.ts';
import type { AssistantPart, ModelMessage, ModelRequest, ToolAnswer } from '../../spec/model.ts';

/** The request with a legal name in the place of each that is not, in calls and answers alike. */
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
  // What is signed there speaks of the other name.
  const { opaque: _, ...rest } = part;
  return { ...rest, wire };
}

function renamedAnswer(answer: ToolAnswer, names: ReadonlyMap<string, string>): ToolAnswer {
  const wire = names.get(answer.wire);
  return wire === undefined ? answer : { ...answer, wire };
}
