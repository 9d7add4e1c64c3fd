/**
 * Separates reasoning that is part of a model's text, such as between <think> and </think>. Models such as DeepSeek R1
 * and Qwen 3 write such tags, and servers that do not support them leave the tags in the text. Prompt templates may
 * contain the opening tag, so that the text has only the closing one.
 */

import type { ModelPart } from '../../../runtime/spec/model.ts';
import {
  anyLoneClosing,
  anyOpening,
  closings,
  findOpening,
  loneClosings,
  maxTagChars,
  mayBecomeTag,
  partialTagLength,
  thinkTags,
  type ThinkingTags,
} from './thinking-tags.ts';

/** Closing tags that an answer may quote before all that follow are taken as quoted. */
const maxQuoted = 20;

/** Stored in place of a field name for reasoning that was part of the text. */
export const inContent = 'content';

/**
 * Yields the parts of one answer. Text at the beginning that can only be reasoning becomes reasoning.
 *
 * @param isAboutTags whether the answer may quote the tags
 */
export async function* separateThinking(
  parts: AsyncIterable<ModelPart>,
  isAboutTags: () => boolean = () => false,
): AsyncGenerator<ModelPart> {
  let first: ThinkingText | null = null;
  /** Whether the server has sent reasoning separately. Its text then contains no reasoning. */
  let isSeparate = false;
  /** Whether the first text is over, so that everything else is passed on. */
  let isDone = false;
  /** The end of the first text, held back with the closing tag before it. */
  let ending: ModelPart | null = null;
  try {
    for await (const part of parts) {
      const isOfFirst = 'id' in part && part.id === first?.id;
      if (isDone) yield part;
      else if (part.type === 'text' && ending === null && (first === null || isOfFirst)) {
        first ??= new ThinkingText(part.id, isSeparate, isAboutTags);
        yield* first.take(part.delta);
      } else if (part.type === 'part-ended' && isOfFirst && first?.isHolding === true)
        ending = part;
      else {
        isSeparate ||= part.type === 'reasoning';
        const isCall = part.type === 'call' || part.type === 'call-delta';
        isDone =
          part.type === 'ended' ||
          (part.type === 'part-ended' && isOfFirst) ||
          ending !== null ||
          (part.type === 'reasoning' && first !== null) ||
          (isCall && first?.isHolding === true);
        if (isDone && first !== null) yield* first.end({ hasCall: isCall });
        // If a call follows, the text was reasoning. Its end may have data that do not belong to reasoning.
        if (ending !== null) yield isCall ? { type: 'part-ended', id: first?.id ?? '' } : ending;
        ending = null;
        yield part;
      }
    }
  } catch (thrown) {
    // What has arrived is kept even if the answer breaks off.
    if (!isDone && first !== null) yield* first.end({ hasCall: false });
    throw thrown;
  }
}

/**
 * What is being read:
 * - `start`: the beginning of the text, or of what follows a closing tag, until it is clear whether it is a tag
 * - `opened`: whitespace after an opening tag
 * - `thinking`: reasoning after an opening tag, until its closing tag
 * - `closed`: whitespace after a closing tag
 * - `unopened`: text without an opening tag, which a closing tag may turn into reasoning
 * - `held`: such a closing tag, which is held back until the text after it shows whether the tag was quoted
 * - `text`: the answer, in which tags have no meaning
 */
type Phase = 'start' | 'opened' | 'thinking' | 'closed' | 'unopened' | 'held' | 'text';

/** The first text of an answer. Each method yields the parts that need not be held back any longer. */
class ThinkingText {
  readonly id: string;
  readonly #isSeparate: boolean;
  readonly #askIfAboutTags: () => boolean;
  #aboutTags: boolean | null = null;
  #phase: Phase = 'start';
  /** The phase after `start` if the text does not begin with a tag. */
  #withoutTag: 'unopened' | 'text';
  /** Text that was not yielded yet: it may be part of a tag, or whitespace before one. */
  #pending = '';
  /** Text before the closing tag that is looked for. */
  #before = new TextBefore();
  /** Whether only whitespace has arrived. */
  #isBlank = true;
  /** The number of closing tags that were quoted. */
  #quoted = 0;
  #hasThought = false;
  /** The tags of the reasoning that was opened last. */
  #tags = thinkTags;
  /** Opening tags within reasoning, for which a further closing tag may follow. */
  #nested = 0;
  /** The closing tag with which the pending text begins in the phase `held`. */
  #heldTag = '';

  /** @param isSeparate whether the answer has had reasoning before this text */
  constructor(id: string, isSeparate: boolean, isAboutTags: () => boolean) {
    this.id = id;
    this.#isSeparate = isSeparate;
    this.#withoutTag = isSeparate ? 'text' : 'unopened';
    this.#askIfAboutTags = isAboutTags;
  }

  /** Whether the text so far ends with a closing tag. */
  get isHolding(): boolean {
    return this.#phase === 'held';
  }

  *take(delta: string): Generator<ModelPart> {
    this.#pending += delta;
    const isBlank = delta.trim() === '';
    this.#isBlank &&= isBlank;
    // Whitespace decides nothing here, and much of it may arrive.
    if (isBlank && (this.#isBlank || this.isHolding)) return;
    if (this.isHolding) yield* this.#decide();
    // A step that changes the phase leaves the rest of the text to the next step.
    let before: Phase | null = null;
    while (this.#phase !== before && this.#pending !== '') {
      before = this.#phase;
      yield* this.#step();
    }
  }

  *#step(): Generator<ModelPart> {
    switch (this.#phase) {
      case 'start':
        this.#readStart();
        break;
      case 'opened':
        this.#skipBlank('thinking');
        break;
      case 'thinking':
        yield* this.#readThinking();
        break;
      case 'closed':
        this.#skipBlank('start');
        break;
      case 'unopened':
        yield* this.#readUnopened();
        break;
      case 'held':
        break;
      case 'text':
        yield* this.#emit('text', this.#pending.length);
    }
  }

  /** @param hasCall whether a call follows, in which case a text that ends with a closing tag was reasoning */
  *end({ hasCall }: { readonly hasCall: boolean }): Generator<ModelPart> {
    if (this.#phase === 'held' && hasCall) {
      yield { type: 'was-reasoning', id: this.id };
      this.#pending = this.#afterTag.trimStart();
      this.#phase = 'text';
    }
    if (this.#phase === 'thinking') {
      yield* this.#emit('reasoning', this.#pending.length);
      yield* this.#endThinking();
    } else if (this.#phase !== 'opened' && this.#phase !== 'closed')
      yield* this.#emit('text', this.#pending.length);
  }

  #readStart(): void {
    const text = this.#pending.trimStart();
    const lower = text.toLowerCase();
    const opened = this.#isSeparate ? undefined : findOpening(lower);
    const closing = closings.find((tag) => lower.startsWith(tag));
    if (opened !== undefined) this.#open(opened.tags, text.slice(opened.opening.length));
    else if (closing !== undefined && !this.#isAboutTags()) {
      // The reasoning before this tag was sent separately, or is empty.
      this.#pending = text.slice(closing.length);
      this.#phase = 'closed';
    } else if (!mayBecomeTag(lower)) this.#phase = this.#withoutTag;
  }

  /** Begins reasoning after an opening tag, unless the tag is quoted. */
  #open(tags: ThinkingTags, rest: string): void {
    if (this.#isAboutTags()) {
      // An answer about the tags may begin with a quoted tag. Templates write the tag in a separate line.
      if (rest === '') return;
      if (!/^\s*\n/.test(rest)) {
        this.#phase = 'text';
        return;
      }
    }
    this.#pending = rest;
    this.#tags = tags;
    this.#phase = 'opened';
  }

  #skipBlank(next: 'thinking' | 'start'): void {
    this.#pending = this.#pending.trimStart();
    if (this.#pending !== '') this.#phase = next;
  }

  *#readThinking(): Generator<ModelPart> {
    const tags = this.#tags;
    const found = tags.anyClosing.exec(this.#pending);
    const partial = partialTagLength(this.#pending, [...tags.openings, ...tags.closings]);
    const end = found?.index ?? this.#pending.length - partial;
    const inside = this.#pending.slice(0, end);
    this.#nested += inside.match(tags.anyOpening)?.length ?? 0;
    yield* this.#emit('reasoning', end);
    if (found === null) return;
    yield* this.#endThinking();
    this.#pending = this.#pending.slice(found[0].length);
    this.#close();
  }

  /** Ends reasoning. If the closing tag was that of nested reasoning, the text after it may be reasoning too. */
  #close(): void {
    this.#phase = 'closed';
    this.#withoutTag = this.#nested > 0 ? 'unopened' : 'text';
    this.#nested = Math.max(0, this.#nested - 1);
    this.#before = new TextBefore();
  }

  *#readUnopened(): Generator<ModelPart> {
    while (this.#phase === 'unopened' && (yield* this.#holdClosing())) yield* this.#decide();
  }

  /** Passes on text up to a closing tag that may end reasoning. @returns whether text follows that tag */
  *#holdClosing(): Generator<ModelPart, boolean> {
    let from = 0;
    for (const { index, 0: tag } of this.#pending.matchAll(anyLoneClosing)) {
      this.#before.add(this.#pending.slice(from, index));
      if (this.#before.mayEnd && !this.#isAboutTags()) {
        yield* this.#emit('text', index);
        this.#heldTag = tag;
        this.#phase = 'held';
        return this.#afterTag.trim() !== '';
      }
      this.#quote(tag);
      if (this.#phase === 'text') return false;
      from = index + tag.length;
    }
    const partial = partialTagLength(this.#pending.slice(from), loneClosings);
    const end = this.#pending.length - partial;
    this.#before.add(this.#pending.slice(from, end));
    yield* this.#emit('text', end);
    return false;
  }

  /** Counts a closing tag that the answer quotes, and treats it as text. */
  #quote(tag: string): void {
    this.#before.add(tag);
    this.#quoted += 1;
    this.#phase = this.#quoted < maxQuoted ? 'unopened' : 'text';
  }

  #isAboutTags(): boolean {
    this.#aboutTags ??= this.#askIfAboutTags();
    return this.#aboutTags;
  }

  get #afterTag(): string {
    return this.#pending.slice(this.#heldTag.length);
  }

  /** Decides by the text after the tag whether it ended reasoning. */
  *#decide(): Generator<ModelPart> {
    const next = this.#afterTag.charAt(0);
    // Prose that quotes a tag continues on the same line: with punctuation, or with a space if the tag begins the line.
    const isQuoted =
      /[`'"’”,.;:!?)]/.test(next) || (this.#before.isOwnLine && /[^\S\n]/.test(next));
    if (isQuoted) {
      this.#quote(this.#heldTag);
      yield* this.#emit('text', this.#heldTag.length);
      return;
    }
    yield { type: 'was-reasoning', id: this.id };
    this.#pending = this.#afterTag;
    this.#close();
  }

  *#emit(type: 'text' | 'reasoning', length: number): Generator<ModelPart> {
    const delta = this.#pending.slice(0, length);
    this.#pending = this.#pending.slice(length);
    if (delta === '') return;
    this.#hasThought ||= type === 'reasoning';
    yield { type, id: type === 'text' ? this.id : this.#thinkingId, delta };
  }

  *#endThinking(): Generator<ModelPart> {
    if (!this.#hasThought) return;
    // Models that write other tags do not expect them in their earlier answers.
    const data = this.#tags === thinkTags ? { data: { cloche: { field: inContent } } } : {};
    yield { type: 'part-ended', id: this.#thinkingId, ...data };
  }

  get #thinkingId(): string {
    return `${this.id} thinking`;
  }
}

/** Reads the text before a closing tag once, piece by piece, and says whether the tag may end reasoning. */
class TextBefore {
  #hasText = false;
  #hasOpening = false;
  /** Whether the text ends inside a block of code, or inside inline code. */
  #isInFence = false;
  #isInCode = false;
  /** Backticks at the end, after complete fences. */
  #backticks = 0;
  /** The last characters, in which an opening tag may begin. */
  #end = '';

  add(text: string): void {
    this.#hasText ||= text.trim() !== '';
    const joined = this.#end + text;
    this.#hasOpening ||= anyOpening.test(joined);
    this.#end = joined.slice(-maxTagChars);
    for (const char of text) {
      if (char === '\n') this.#isInCode = false;
      if (char === '`') {
        this.#isInCode = !this.#isInCode;
        this.#backticks = (this.#backticks + 1) % 3;
        if (this.#backticks === 0) this.#isInFence = !this.#isInFence;
      } else this.#backticks = 0;
    }
  }

  /** Whether a closing tag would begin a line. */
  get isOwnLine(): boolean {
    return this.#end.endsWith('\n');
  }

  /** Whether a closing tag may end reasoning, and is not quoted. */
  get mayEnd(): boolean {
    const isAfterText = this.isOwnLine || /[\p{L}\p{N}.!?…:;)。！？）\]}]$/u.test(this.#end);
    return this.#hasText && isAfterText && !this.#isInFence && !this.#isInCode && !this.#hasOpening;
  }
}
