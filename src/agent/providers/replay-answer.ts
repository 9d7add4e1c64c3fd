/** Plays a recorded answer of a model, streamed at the pace of a model. */

import type { AskModel, ModelPart, Usage } from '../../runtime/spec/model.ts';
import type { RecordedStep } from '../../runtime/spec/recording.ts';

export interface ReplayDeps {
  newId(): string;
  /** @throws the signal's reason */
  wait(signal: AbortSignal, ms: number): Promise<void>;
}

/** Milliseconds between two pieces, and at most for a whole part. */
const pieceMs = 25;
const partMs = 3_000;

const unknown: Usage = { input: null, cached: null, output: null, reasoning: null };

/** Returns a model that gives this one answer to any request. It calls tools by their ids. */
export function replayOf(step: RecordedStep, deps: ReplayDeps): AskModel {
  return async function* (signal) {
    signal.throwIfAborted();
    let called = false;
    for (const part of step.parts) {
      const id = deps.newId();
      if (part.type !== 'call') {
        for await (const delta of paced(signal, part.text)) yield { type: part.type, id, delta };
        yield { type: 'part-ended', id };
        continue;
      }
      called = true;
      const wire = part.tool;
      for await (const delta of paced(signal, part.arguments))
        yield { type: 'call-delta', id, wire, delta };
      yield { type: 'call', id, wire, arguments: part.arguments };
    }
    const ended: ModelPart = { type: 'ended', finish: called ? 'calls' : 'stop', usage: unknown };
    yield ended;
  };

  async function* paced(signal: AbortSignal, text: string): AsyncGenerator<string> {
    // Pieces of at most 12 characters, with the whitespace around them.
    const pieces = text.match(/\s*\S{1,12}\s*?|\s+/gu) ?? [];
    const ms = Math.min(pieceMs, partMs / pieces.length);
    for (const piece of pieces) {
      await deps.wait(signal, ms);
      yield piece;
    }
  }
}
