/**
 * Reads what servers leave in the text of an answer because they do not know the model's format: calls, and the words of
 * gpt-oss that say where its reasoning ends. Only a text that is nothing else is read.
 */

import {
  asksForWrittenCall,
  callOpening,
  parseLeftCalls,
  mentionsCallFormats,
} from '../../../runtime/spec/call-formats.ts';
import type { Finish, ModelPart, ModelRequest } from '../../../runtime/spec/model.ts';

/** Longest text that is held back; characters. */
const maxHeld = 200_000;
/** How gpt-oss begins its reasoning, without its special tokens. In prose, a space follows this word. */
const analysis = 'analysis';
const plainAnalysis = /^analysis(?=[\p{Lu}\p{Lo}"“])/u;
const final = 'final';
/** Matches the reasoning, and what follows it: the answer or a call. */
const plainThought = /^analysis([^]+?)assistant(final[^]*|commentary to=functions\.[^]*)$/;

type TextPart = Extract<ModelPart, { type: 'text' | 'reasoning' }>;

/**
 * Yields the parts of one answer. The first text is held back as long as it can be a call.
 *
 * @param request the tools that were offered, and messages that may be about such formats
 */
export async function* readLeftCalls(
  parts: AsyncIterable<ModelPart>,
  request: Pick<ModelRequest, 'tools' | 'messages'>,
): AsyncGenerator<ModelPart> {
  let held = new HeldText();
  let isOver = false;
  try {
    for await (const part of parts) {
      if (part.type === 'was-reasoning') {
        yield* held.release();
        yield part;
        // What follows is the first text.
        held = new HeldText();
        isOver = false;
      } else if (isOver || (part.type === 'reasoning' && held.isEmpty)) yield part;
      else if (part.type === 'ended') {
        const read = isAboutFormats(request) ? null : held.read(part.finish, request.tools);
        yield* read ?? held.release();
        const hasCalls = read?.some(({ type }) => type === 'call') === true;
        yield hasCalls ? { ...part, finish: 'calls' } : part;
        isOver = true;
      } else if (part.type === 'part-ended') {
        if (!held.takeEnd(part)) yield part;
      } else if (part.type !== 'text' || !held.take(part)) {
        yield* held.release();
        yield part;
        isOver = true;
      }
    }
  } catch (thrown) {
    // Without a text, the error goes on at once, before the end of the connection can hide it.
    if (!held.isEmpty) yield* held.release();
    throw thrown;
  }
}

class HeldText {
  readonly #parts: ModelPart[] = [];
  #id = '';
  #pieces: string[] = [];
  #chars = 0;
  #isOpened = false;
  #hasEnded = false;

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** Returns the parts that were held back, and forgets them. */
  release(): readonly ModelPart[] {
    return this.#parts.splice(0);
  }

  /** Returns whether the part is the end of the text. If so, it is held back with the text. */
  takeEnd(part: Extract<ModelPart, { type: 'part-ended' }>): boolean {
    if (this.isEmpty || part.id !== this.#id) return false;
    this.#hasEnded = true;
    this.#parts.push(part);
    return true;
  }

  /** Returns whether the piece is held back, which is so while the text can still be a call. */
  take(part: TextPart): boolean {
    if (this.isEmpty) this.#id = part.id;
    this.#chars += part.delta.length;
    this.#pieces.push(part.delta);
    if (part.id !== this.#id || this.#hasEnded || this.#chars > maxHeld) return false;
    if (!this.#isOpened) {
      const text = this.#text;
      this.#pieces = [text];
      const opening = plainAnalysis.test(text) ? 'opened' : callOpening(text);
      if (opening === 'none' && !analysis.startsWith(text)) return false;
      this.#isOpened = opening === 'opened';
    }
    this.#parts.push(part);
    return true;
  }

  get #text(): string {
    return this.#pieces.join('').trimStart();
  }

  /** Returns the parts that the text stands for; null if it is only a text. */
  read(finish: Finish, tools: ModelRequest['tools']): readonly ModelPart[] | null {
    if (!this.#isOpened || (finish !== 'stop' && finish !== 'calls')) return null;
    const text = this.#text;
    if (!plainAnalysis.test(text)) return callParts(text, tools);
    const [, thought = '', rest = ''] = plainThought.exec(text) ?? [];
    const isOnly = thought !== '' && !/assistant(?:final|commentary)/.test(`${thought} ${rest}`);
    const answer = rest.startsWith(final)
      ? textParts(this.#id, rest.slice(final.length))
      : callParts(rest, tools);
    const thinking = { id: `${this.#id} thinking` };
    return !isOnly || answer === null
      ? null
      : [
          { ...thinking, type: 'reasoning', delta: thought },
          { ...thinking, type: 'part-ended' },
          ...answer,
        ];
  }
}

function callParts(text: string, tools: ModelRequest['tools']): readonly ModelPart[] | null {
  const calls = parseLeftCalls(text, tools);
  if (calls === null) return null;
  return calls.map((call): ModelPart => ({
    type: 'call',
    id: crypto.randomUUID(),
    ...call,
    isInText: true,
  }));
}

function textParts(id: string, delta: string): readonly ModelPart[] {
  return [
    { type: 'text', id, delta },
    { type: 'part-ended', id },
  ];
}

function isAboutFormats({ messages }: Pick<ModelRequest, 'messages'>): boolean {
  const ofFormats = messages.some((message) => {
    if (message.role === 'assistant') return false;
    const parts =
      message.role === 'user' ? message.parts : message.answers.flatMap((answer) => answer.parts);
    return parts.some((part) => part.type === 'text' && mentionsCallFormats(part.text));
  });
  // What the user has written last counts: a file, or what a tool returns, often says what not to run.
  const last = messages.findLast(({ role }) => role === 'user');
  return (
    ofFormats ||
    (last?.role === 'user' &&
      last.parts.some(
        (part) => part.type === 'text' && part.name === undefined && asksForWrittenCall(part.text),
      ))
  );
}
