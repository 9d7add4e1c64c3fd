/**
 * Separates reasoning that is part of a model's text, such as between <think> and </think>. Models such as DeepSeek R1
 * and Qwen 3 write such tags, and servers that do not support them leave the tags in the text. Prompt templates may
 * contain the opening tag, so that the text has only the closing one.
 */

import type { ModelPart, ModelRequest } from '../../../runtime/spec/model.ts';

/** Tags around reasoning, in small letters. */
interface ThinkingTags {
  readonly openings: readonly string[];
  readonly closings: readonly string[];
  readonly anyOpening: RegExp;
  readonly anyClosing: RegExp;
}

const assistant = '<|start|>assistant';
const analysis = '<|channel|>analysis<|message|>';
const final = '<|channel|>final<|message|>';
const messageEnd = '<|end|>';
const thinkTags = tagsOf(['<think>'], ['</think>']);

/** The tags that servers are known to leave in texts. */
const allTags: readonly ThinkingTags[] = [
  thinkTags,
  tagsOf(['<thinking>'], ['</thinking>']),
  tagsOf(['<thought>'], ['</thought>']),
  // Seed-OSS
  tagsOf(['<seed:think>'], ['</seed:think>']),
  // Magistral and Ministral
  tagsOf(['[think]'], ['[/think]']),
  // Kimi-VL
  tagsOf(['◁think▷'], ['◁/think▷']),
  // Command A
  tagsOf(['<|start_thinking|>'], ['<|end_thinking|>']),
  // Sky-T1
  tagsOf(['<|begin_of_thought|>'], ['<|end_of_thought|>']),
  // Gemma 4
  tagsOf(['<|channel>thought'], ['<channel|>']),
  // gpt-oss
  tagsOf([analysis, assistant + analysis], [messageEnd, assistant + final, final]),
];
const openings = allTags.flatMap((tags) => tags.openings);
const closings = allTags.flatMap((tags) => tags.closings);
/** Closing tags that end reasoning without an opening tag. */
const loneClosings = closings.filter((tag) => tag !== messageEnd);
const anyOpening = patternOf(openings, 'i');
const anyClosing = patternOf(loneClosings, 'gi');
const maxTagChars = Math.max(...[...openings, ...closings].map((tag) => tag.length));
/** Closing tags that an answer may quote before all that follow are taken as quoted. */
const maxQuoted = 20;
/** Matches messages about these tags. Answers to such messages may quote the tags. */
const aboutTags =
  /<\/?(?:seed:)?(?:think|thinking|thought)\b|◁\/?think▷|<\|(?:start|end)_thinking\|>|<\|(?:begin|end)_of_thought\|>|\[\/?THINK\]|<\|?channel\|?>|\b(?:think(?:ing)?|thought|reasoning)[-\s]?(?:tag|token|block|marker|delimiter|element)s?\b/i;

/** Stored in place of a field name for reasoning that was part of the text. */
export const inContent = 'content';

/** Returns whether the messages are about these tags. */
export function mentionsThinking({ messages }: Pick<ModelRequest, 'messages'>): boolean {
  return messages.some((message) => {
    const parts =
      message.role === 'user'
        ? message.parts
        : message.role === 'tool'
          ? message.answers.flatMap((answer) => answer.parts)
          : [];
    return parts.some((part) => part.type === 'text' && aboutTags.test(part.text));
  });
}

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
  let isSeparate = false;
  let isDone = false;
  /** The end of the first text, held back with the tag before it. */
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
        // Servers that send reasoning separately do not put it into the text.
        isSeparate ||= part.type === 'reasoning';
        const isCall = part.type === 'call' || part.type === 'call-delta';
        isDone =
          (part.type === 'reasoning' && first !== null) ||
          part.type === 'ended' ||
          ending !== null ||
          (part.type === 'part-ended' && isOfFirst) ||
          (isCall && first?.isHolding === true);
        if (isDone && first !== null) yield* first.end(isCall);
        if (ending !== null) yield isCall ? { type: 'part-ended', id: first?.id ?? '' } : ending;
        ending = null;
        yield part;
      }
    }
  } catch (thrown) {
    // What has arrived is kept even if the answer breaks off.
    if (!isDone && first !== null) yield* first.end(false);
    throw thrown;
  }
}

class ThinkingText {
  readonly id: string;
  readonly #isSeparate: boolean;
  readonly #askIfAboutTags: () => boolean;
  #aboutTags: boolean | null = null;
  #phase: 'start' | 'opened' | 'thinking' | 'closed' | 'unopened' | 'held' | 'text' = 'start';
  /** What a text is that does not begin with a tag. */
  #otherwise: 'unopened' | 'text';
  /** Text that was not yielded yet: it may be part of a tag, or whitespace before one. */
  #pending = '';
  /** Text before the closing tag that is looked for. */
  #before = new TextBefore();
  #isBlank = true;
  #quoted = 0;
  #hasThought = false;
  #tags = thinkTags;
  /** Opening tags within reasoning, for which a further closing tag may follow. */
  #nested = 0;
  #closing = '';

  /** @param isSeparate whether the answer has had reasoning before this text */
  constructor(id: string, isSeparate: boolean, isAboutTags: () => boolean) {
    this.id = id;
    this.#isSeparate = isSeparate;
    this.#otherwise = isSeparate ? 'text' : 'unopened';
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
    for (let phase = ''; phase !== this.#phase && this.#pending !== '';) {
      phase = this.#phase;
      yield* this.#step();
    }
  }

  *#step(): Generator<ModelPart> {
    if (this.#phase === 'start') this.#start();
    else if (this.#phase === 'opened') this.#skipBlank('thinking');
    else if (this.#phase === 'thinking') yield* this.#think();
    else if (this.#phase === 'closed') this.#skipBlank('start');
    else if (this.#phase === 'text') yield* this.#emit('text', this.#pending.length);
    else while (this.#phase === 'unopened' && (yield* this.#findClosing())) yield* this.#decide();
  }

  /** @param hasCall whether a call follows, in which case a text that ends with a closing tag was reasoning */
  *end(hasCall: boolean): Generator<ModelPart> {
    if (this.#phase === 'held' && hasCall) {
      yield { type: 'was-reasoning', id: this.id };
      this.#pending = this.#afterTag.trimStart();
      this.#phase = 'text';
    }
    if (this.#phase !== 'thinking') {
      if (this.#phase !== 'opened' && this.#phase !== 'closed')
        yield* this.#emit('text', this.#pending.length);
      return;
    }
    yield* this.#emit('reasoning', this.#pending.length);
    yield* this.#endThinking();
  }

  #start(): void {
    const text = this.#pending.trimStart().toLowerCase();
    const tags = allTags.find((one) => one.openings.some((tag) => text.startsWith(tag)));
    const opening = tags?.openings.find((tag) => text.startsWith(tag)) ?? '';
    const closing = closings.find((tag) => text.startsWith(tag));
    if (tags !== undefined && !this.#isSeparate) {
      const rest = this.#pending.trimStart().slice(opening.length);
      if (rest === '' && this.#isAboutTags()) return;
      // An answer about the tags may begin with a quoted tag. Templates write the tag in a separate line.
      if (this.#isAboutTags() && !/^\s*\n/.test(rest)) this.#phase = 'text';
      else {
        this.#pending = rest;
        this.#tags = tags;
        this.#phase = 'opened';
      }
    } else if (closing !== undefined && !this.#isAboutTags()) {
      // The reasoning before this tag was sent separately, or is empty.
      this.#pending = this.#pending.trimStart().slice(closing.length);
      this.#phase = 'closed';
    } else if (![...openings, ...closings].some((tag) => tag.startsWith(text)))
      this.#phase = this.#otherwise;
  }

  #skipBlank(next: 'thinking' | 'start'): void {
    this.#pending = this.#pending.trimStart();
    if (this.#pending !== '') this.#phase = next;
  }

  *#think(): Generator<ModelPart> {
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

  /** Ends reasoning. The tag of a nested one leaves open whether what follows is reasoning too. */
  #close(): void {
    this.#phase = 'closed';
    this.#otherwise = this.#nested > 0 ? 'unopened' : 'text';
    this.#nested = Math.max(0, this.#nested - 1);
    this.#before = new TextBefore();
  }

  /** Passes on text up to a closing tag that may end reasoning. @returns whether text follows that tag */
  *#findClosing(): Generator<ModelPart, boolean> {
    let from = 0;
    for (const { index, 0: tag } of this.#pending.matchAll(anyClosing)) {
      this.#before.add(this.#pending.slice(from, index));
      if (this.#before.mayEnd && !this.#isAboutTags()) {
        yield* this.#emit('text', index);
        this.#closing = tag;
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
    return this.#pending.slice(this.#closing.length);
  }

  /** Decides by the text after the tag whether it ended reasoning. */
  *#decide(): Generator<ModelPart> {
    const { isOwnLine } = this.#before;
    const next = this.#afterTag.charAt(0);
    // Prose that quotes a tag continues in the same line.
    const isQuoted = isOwnLine ? /[^\S\n]|[`'"’”,.;:!?)]/.test(next) : /[`'"’”,.;:!?)]/.test(next);
    if (isQuoted) {
      this.#quote(this.#closing);
      yield* this.#emit('text', this.#closing.length);
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

/** The text before a closing tag: whether the tag may end reasoning, found without reading the text again. */
class TextBefore {
  #hasText = false;
  #hasOpening = false;
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

/** Returns how many characters at the end may be the beginning of a tag. */
function partialTagLength(text: string, tags: readonly string[]): number {
  const end = text.slice(-maxTagChars).toLowerCase();
  for (const { index } of end.matchAll(/[<[◁]/g)) {
    const rest = end.slice(index);
    if (tags.some((tag) => tag.startsWith(rest))) return rest.length;
  }
  return 0;
}

function tagsOf(opening: readonly string[], closing: readonly string[]): ThinkingTags {
  return {
    openings: opening,
    closings: closing,
    anyOpening: patternOf(opening, 'gi'),
    anyClosing: patternOf(closing, 'i'),
  };
}

/** A pattern that matches any of these texts. */
function patternOf(texts: readonly string[], flags: string): RegExp {
  const escaped = texts.map((text) => text.replace(/[[\]|/]/g, '\\$&'));
  return new RegExp(escaped.join('|'), flags);
}
