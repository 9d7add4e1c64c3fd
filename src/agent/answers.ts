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
/** Those that providers take. */
const imageTypes = /^image\/(png|jpeg|gif|webp)$/;

/** What the one who is told can take, and has to hear. */
export interface Hearer {
  /** The model takes them. */
  readonly images: boolean;
  /** This result is the first to say that Python state was lost. */
  readonly lossIsNews: boolean;
}

/** The answer to a call that has ended. */
export function answerOf(call: SessionCall, result: ToolResult, hearer: Hearer): ToolAnswer {
  const { askedId, wire, id } = call.asked;
  const pictures = hearer.images ? result.content.filter(isPicture).slice(0, mostImages) : [];
  const text = [
    boundedText(harmless(result.textResultForLlm), id, 0),
    ...otherParts(result, pictures),
    ...printed(result),
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

/** A stretch of a text from an offset on, with a mark where it was cut. */
export function boundedText(text: string, callId: string, offset: number): string {
  if (text.length - offset <= answerChars) return text.slice(offset);
  const piece = text.slice(offset, offset + answerChars - markChars);
  const left = text.length - offset - piece.length;
  const next = JSON.stringify({ result: shortId(callId), offset: offset + piece.length });
  return `${piece}\n[… ${left} more characters: read_result ${next} reads on]`;
}

/** By which a model names a result. */
export function shortId(callId: string): string {
  return callId.slice(0, 8);
}

/** Whether a result was too long to be told at once. */
export function isCut(result: ToolResult): boolean {
  return result.textResultForLlm.length > answerChars;
}

/** Without escape sequences and control characters, which say nothing to a model and much to a terminal. */
export function harmless(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex -- they are what is looked for
      .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g, '')
      // eslint-disable-next-line no-control-regex -- likewise
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '')
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

/** What a tool that returns nothing has printed is what it had to say. */
function printed({ textResultForLlm, stdout }: ToolResult): string[] {
  if (textResultForLlm !== 'null' || stdout.trim() === '') return [];
  return [`Printed:\n${harmless(stdout).slice(0, answerChars)}`];
}
