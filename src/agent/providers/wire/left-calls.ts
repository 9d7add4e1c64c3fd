/**
 * Reads what servers leave in the text of an answer because they do not know the model's format: calls, and the words of
 * gpt-oss that say where its reasoning ends. Only a text that is nothing else is read.
 */

import {
  asksForWrittenCall,
  callOpening,
  mentionsCallFormats,
  parseLeftCalls,
} from '../../../runtime/spec/call-formats.ts';
import type { Finish, ModelPart, ModelRequest } from '../../../runtime/spec/model.ts';

/** Longest text that is held back; characters. */
const maxHeld = 200_000;
/** How gpt-oss begins its reasoning, without its special tokens. */
const analysis = 'analysis';
/** Matches the beginning of such a text. In prose, a space follows this word. */
const opensAnalysis = /^analysis(?=[\p{Lu}\p{Lo}"“])/u;
const final = 'final';
/** Matches the whole of such a text: `thought` is the reasoning, `rest` the answer or a call. */
const wholeAnalysis =
  /^analysis(?<thought>[^]+?)assistant(?<rest>final[^]*|commentary to=functions\.[^]*)$/;

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
  /** Whether the first text is over, so that everything else is passed on. */
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
    // If nothing is held back, the error is passed on at once, before the end of the connection can hide it.
    if (!held.isEmpty) yield* held.release();
    throw thrown;
  }
}

/** The first text of an answer while it can be a call. */
class HeldText {
  /** The parts that are held back. */
  readonly #parts: ModelPart[] = [];
  #id = '';
  /** The text of these parts, in pieces that are joined only when the whole text is needed. */
  #pieces: string[] = [];
  #chars = 0;
  /** Whether the text begins like a call or like reasoning of gpt-oss. While it is too short to tell, this is false. */
  #isOpened = false;
  #hasEnded = false;

  get isEmpty(): boolean {
    return this.#parts.length === 0;
  }

  /** Returns the parts that were held back, and forgets them. */
  release(): readonly ModelPart[] {
    return this.#parts.splice(0);
  }

  /** Holds back the end of the text. @returns false for the end of another part */
  takeEnd(part: Extract<ModelPart, { type: 'part-ended' }>): boolean {
    if (this.isEmpty || part.id !== this.#id) return false;
    this.#hasEnded = true;
    this.#parts.push(part);
    return true;
  }

  /** Holds back a piece. @returns false if the text with this piece cannot be a call */
  take(part: TextPart): boolean {
    if (this.isEmpty) this.#id = part.id;
    this.#chars += part.delta.length;
    this.#pieces.push(part.delta);
    if (part.id !== this.#id || this.#hasEnded || this.#chars > maxHeld) return false;
    if (!this.#isOpened) {
      const text = this.#text;
      this.#pieces = [text];
      const opening = opensAnalysis.test(text) ? 'opened' : callOpening(text);
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
    return opensAnalysis.test(text) ? this.#readAnalysis(text, tools) : readCalls(text, tools);
  }

  #readAnalysis(text: string, tools: ModelRequest['tools']): readonly ModelPart[] | null {
    const { thought = '', rest = '' } = wholeAnalysis.exec(text)?.groups ?? {};
    // If these words occur once more, it is not certain where the reasoning ends.
    if (thought === '' || /assistant(?:final|commentary)/.test(`${thought} ${rest}`)) return null;
    const id = this.#id;
    const answer: readonly ModelPart[] | null = rest.startsWith(final)
      ? [
          { type: 'text', id, delta: rest.slice(final.length) },
          { type: 'part-ended', id },
        ]
      : readCalls(rest, tools);
    if (answer === null) return null;
    const thinkingId = `${id} thinking`;
    return [
      { type: 'reasoning', id: thinkingId, delta: thought },
      { type: 'part-ended', id: thinkingId },
      ...answer,
    ];
  }
}

function readCalls(text: string, tools: ModelRequest['tools']): readonly ModelPart[] | null {
  const calls = parseLeftCalls(text, tools);
  if (calls === null) return null;
  return calls.map((call): ModelPart => ({
    type: 'call',
    id: crypto.randomUUID(),
    ...call,
    isInText: true,
  }));
}

/** Returns whether an answer may quote such formats: a message mentions them, or the user asks for a written call. */
function isAboutFormats({ messages }: Pick<ModelRequest, 'messages'>): boolean {
  const mentions = messages.some((message) => {
    if (message.role === 'assistant') return false;
    const parts =
      message.role === 'user' ? message.parts : message.answers.flatMap((answer) => answer.parts);
    return parts.some((part) => part.type === 'text' && mentionsCallFormats(part.text));
  });
  if (mentions) return true;
  // Only what the user wrote last counts: files and results of tools often say what not to run.
  const last = messages.findLast((message) => message.role === 'user');
  return (
    last?.parts.some(
      (part) => part.type === 'text' && part.name === undefined && asksForWrittenCall(part.text),
    ) === true
  );
}
