/** Drops calls that a server sends more than once. */

import type { ModelPart } from '../../../runtime/spec/model.ts';
import { isSameJson, readArguments } from '../../../runtime/spec/read-arguments.ts';

type Call = Extract<ModelPart, { type: 'call' }>;

/** Yields the parts, except calls that have the same id, name and arguments as an earlier call. */
export async function* callsOnce(parts: AsyncIterable<ModelPart>): AsyncGenerator<ModelPart> {
  const calls = new Map<string, Call[]>();
  for await (const part of parts) {
    if (part.type === 'call' && part.id !== '') {
      const withId = calls.get(part.id) ?? [];
      if (withId.some((call) => isSame(call, part))) continue;
      calls.set(part.id, [...withId, part]);
    }
    yield part;
  }
}

function isSame(one: Call, other: Call): boolean {
  if (one.wire !== other.wire) return false;
  const first = readArguments(one.arguments);
  const second = readArguments(other.arguments);
  if (first === null || second === null) return one.arguments === other.arguments;
  return isSameJson(first.text, second.text);
}
