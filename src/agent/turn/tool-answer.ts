/**
 * Builds the answer that a model receives for a call: limited in length, without control characters, and marked where
 * it is cut.
 */

import type { SessionCall } from '../session/session-state.ts';
import type { ToolAnswer, UserPart } from '../../runtime/spec/model.ts';
import type { ContentPart, ToolResult } from '../../runtime/spec/result.ts';

/** Characters of one answer; `read_result` returns the rest. */
export const maxAnswerChars = 30_000;
/** Characters reserved for the mark at the cut. */
const markChars = 200;
/** Limits for the images of one result, and for the base64 characters of each. */
const maxImages = 5;
const maxDocuments = 2;
const maxImageChars = 6_000_000;
/** Limit for arguments that the user changed. */
const maxArgumentChars = 4_000;
const maxNameChars = 200;
/** The image types that all providers accept. */
const imageTypes = /^image\/(png|jpeg|gif|webp)$/;

export interface AnswerOptions {
  readonly images: boolean;
  /** Whether the model accepts PDF documents in results. */
  readonly documents?: boolean;
  /** Whether to say that Python state was lost. Only the first result after the loss does. */
  readonly stateLost: boolean;
  /** Limit for the characters of one answer; 30,000 if absent. */
  readonly chars?: number;
}

export function toolAnswer(
  call: SessionCall,
  result: ToolResult,
  { images, documents = false, stateLost, chars }: AnswerOptions,
): ToolAnswer {
  const { askedId, wire, id } = call.asked;
  const sent = images ? result.content.filter(isSupportedImage).slice(0, maxImages) : [];
  const files = documents ? result.content.filter(isDocument).slice(0, maxDocuments) : [];
  const text = [
    ...changedArguments(call, result),
    cutExcerpt(modelText(result), id, 0, chars),
    ...unsentParts(result, [...sent, ...files]),
    ...(stateLost
      ? [
          '[Python state was reset: variables and imports from earlier calls in this session are lost.]',
        ]
      : []),
  ].join('\n');
  return {
    askedId,
    wire,
    isError: result.resultType === 'failure',
    parts: [
      { type: 'text', text: text === '' ? '(empty)' : text },
      ...sent.map(({ mediaType, data }): UserPart => ({ type: 'image', mediaType, data })),
      ...files.map(({ data }, index): UserPart => ({
        type: 'file',
        mediaType: 'application/pdf',
        name: `result-${index + 1}.pdf`,
        data,
      })),
    ],
  };
}

/**
 * Returns a part of a text from an offset, with a mark where it is cut.
 *
 * @param chars limit for the length, including the mark
 */
export function cutExcerpt(
  text: string,
  callId: string,
  offset: number,
  chars = maxAnswerChars,
): string {
  if (text.length - offset <= chars) return text.slice(offset);
  // Do not split a surrogate pair.
  const piece = text.slice(offset, offset + chars - markChars).replace(/[\ud800-\udbff]$/, '');
  const left = text.length - offset - piece.length;
  const next = JSON.stringify({ result: shortId(callId), offset: offset + piece.length });
  return `${piece}\n[… ${left} more characters: call read_result with ${next} to continue]`;
}

/** The name of a result for `read_result`. */
export function shortId(callId: string): string {
  return callId.slice(0, 8);
}

export function isTooLong(result: ToolResult, chars = maxAnswerChars): boolean {
  return modelText(result).length > chars;
}

const texts = new WeakMap<ToolResult, string>();

export function modelText(result: ToolResult): string {
  const known = texts.get(result);
  if (known !== undefined) return known;
  const { textResultForLlm, stdout } = result;
  // For a tool that prints and returns nothing, the output is the result.
  const isPrinted = textResultForLlm === 'null' && stdout.trim() !== '';
  const text = withoutControls(isPrinted ? `null\nPrinted:\n${stdout}` : textResultForLlm);
  texts.set(result, text);
  return text;
}

/** Says who changed the arguments, and with which ones the call ran. */
function changedArguments(call: SessionCall, { changes = [] }: ToolResult): readonly string[] {
  // A call that the user denied has not run.
  const denied = call.approval?.approval === 'deny' || call.approval?.approval === 'never';
  const argumentEdits = denied ? [] : changes.filter(({ what }) => what === 'arguments');
  const byUser = call.arguments !== call.asked.arguments;
  if (!byUser && argumentEdits.length === 0) return [];
  const names = argumentEdits.flatMap(({ by }) =>
    by === undefined ? [] : [by.slice(0, maxNameChars)],
  );
  const authors = [
    ...(byUser ? ['the user'] : []),
    ...Array.from(new Set(names), (name) => `the interceptor ${withoutControls(name)}`),
  ].join(' and ');
  const args = argumentEdits.at(-1)?.after ?? call.arguments;
  const shown = args.length <= maxArgumentChars ? args : `${args.slice(0, maxArgumentChars)} …`;
  const who = authors.charAt(0).toUpperCase() + authors.slice(1);
  return [`[${who} changed the arguments. The call ran with: ${shown}]`];
}

/** Removes escape sequences and control characters. */
function withoutControls(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex -- they are what is looked for
      .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|.)/g, '')
      // eslint-disable-next-line no-control-regex -- likewise
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '')
      // Python can return lone surrogates, which no provider accepts.
      .toWellFormed()
  );
}

type Image = Extract<ContentPart, { type: 'image' | 'binary' }>;

function isSupportedImage(part: ContentPart): part is Image {
  return (
    part.type === 'image' && imageTypes.test(part.mediaType) && part.data.length <= maxImageChars
  );
}

function isDocument(part: ContentPart): part is Image {
  const isPdf = part.type === 'binary' && part.mediaType === 'application/pdf';
  return isPdf && part.data.length <= maxImageChars;
}

/** Names the parts that only the user can see. */
function unsentParts({ content }: ToolResult, sent: readonly Image[]): string[] {
  const types = content.flatMap((part) =>
    (part.type === 'image' || part.type === 'binary') && !sent.includes(part)
      ? [part.mediaType]
      : [],
  );
  return types.length === 0 ? [] : [`[Shown to the user, not to you: ${types.join(', ')}]`];
}
