/** Results as a model is told them: bounded, harmless, with what was cut named and readable on demand. */

import type { SessionCall } from '../session/session-state.ts';
import type { ToolAnswer, UserPart } from '../spec/model.ts';
import type { ContentPart, ToolResult } from '../spec/result.ts';

/** Characters of one result that a model is given at once; a further call reads on. */
export const answerChars = 30_000;
/** Of those, for the mark at a cut. */
const markChars = 200;
/** Images of one result, and characters of each in base64. */
const mostImages = 5;
const imageChars = 6_000_000;
/** Of changed arguments. */
const argumentChars = 4_000;
/** Those that providers take. */
const imageTypes = /^image\/(png|jpeg|gif|webp)$/;

/** What the one who is told can take, and has to hear. */
export interface Hearer {
  /** The model takes them. */
  readonly images: boolean;
  /** This result is the first to say that Python state was lost. */
  readonly lossIsNews: boolean;
  /** Characters of one result that it has room for; {@link answerChars} unless told. */
  readonly chars?: number;
}

/** The answer to a call that has ended. */
export function answerOf(call: SessionCall, result: ToolResult, hearer: Hearer): ToolAnswer {
  const { askedId, wire, id } = call.asked;
  const pictures = hearer.images ? result.content.filter(isPicture).slice(0, mostImages) : [];
  const text = [
    ...(call.arguments === call.asked.arguments ? [] : [changedBy(call.arguments)]),
    boundedText(toldText(result), id, 0, hearer.chars),
    ...otherParts(result, pictures),
    ...(hearer.lossIsNews
      ? [
          '[Python state of earlier calls in this session was lost; imports and variables are gone.]',
        ]
      : []),
  ].join('\n');
  return {
    askedId,
    wire,
    isError: result.resultType === 'failure',
    parts: [
      { type: 'text', text: text === '' ? '(empty)' : text },
      ...pictures.map(({ mediaType, data }): UserPart => ({ type: 'image', mediaType, data })),
    ],
  };
}

/** A stretch of a text from an offset on, with a mark where it was cut. @param chars with the mark */
export function boundedText(
  text: string,
  callId: string,
  offset: number,
  chars = answerChars,
): string {
  if (text.length - offset <= chars) return text.slice(offset);
  // Half a character is none.
  const piece = text.slice(offset, offset + chars - markChars).replace(/[\ud800-\udbff]$/, '');
  const left = text.length - offset - piece.length;
  const next = JSON.stringify({ result: shortId(callId), offset: offset + piece.length });
  return `${piece}\n[… ${left} more characters: read_result ${next} reads on]`;
}

/** By which a model names a result. */
export function shortId(callId: string): string {
  return callId.slice(0, 8);
}

/** Whether a result was too long to be told at once. */
export function isCut(result: ToolResult, chars = answerChars): boolean {
  return toldText(result).length > chars;
}

const told = new WeakMap<ToolResult, string>();

/** All that a result says to a model. */
export function toldText(result: ToolResult): string {
  const known = told.get(result);
  if (known !== undefined) return known;
  const { textResultForLlm, stdout } = result;
  // What a tool that returns nothing has printed is what it had to say.
  const prints = textResultForLlm === 'null' && stdout.trim() !== '';
  const text = harmless(prints ? `null\nPrinted:\n${stdout}` : textResultForLlm);
  told.set(result, text);
  return text;
}

function changedBy(args: string): string {
  return `[The person changed the arguments; it ran with: ${boundedArguments(args)}]`;
}

function boundedArguments(args: string): string {
  return args.length <= argumentChars ? args : `${args.slice(0, argumentChars)} …`;
}

/** Without escape sequences and control characters, which say nothing to a model and much to a terminal. */
function harmless(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex -- they are what is looked for
      .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g, '')
      // eslint-disable-next-line no-control-regex -- likewise
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '')
      // Half a character, which Python can return, no provider takes.
      .toWellFormed()
  );
}

type Picture = Extract<ContentPart, { type: 'image' | 'binary' }>;

function isPicture(part: ContentPart): part is Picture {
  return part.type === 'image' && imageTypes.test(part.mediaType) && part.data.length <= imageChars;
}

/** Says what only the person sees; the text has named it. */
function otherParts({ content }: ToolResult, sent: readonly Picture[]): string[] {
  const types = content.flatMap((part) =>
    (part.type === 'image' || part.type === 'binary') && !sent.includes(part)
      ? [part.mediaType]
      : [],
  );
  return types.length === 0 ? [] : [`[Shown to the person, not to you: ${types.join(', ')}]`];
}
