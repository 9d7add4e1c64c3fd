/** A call as the log keeps it: whole where it is small, with its long texts cut where it is not. */

import type { LoggedCall } from '../spec/call.ts';
import type { ContentPart, ToolResult } from '../spec/result.ts';

/** Characters of one call that the log keeps, about. */
const mostChars = 1_000_000;
/** Characters of each text once a call is too long. */
const textChars = 100_000;

/** Characters that an entry holds, about: a measure of its size in memory and on disk. */
export function sizeOf({ call, result }: LoggedCall): number {
  const parts = result.content.reduce((sum, part) => sum + partText(part).length, 0);
  const updates = result.updates.reduce((sum, { json }) => sum + json.length + 20, 0);
  const log = result.log.reduce((sum, { message }) => sum + message.length + 20, 0);
  const { textResultForLlm, stdout, stderr, metadata, traceback = '' } = result;
  const texts = [call.arguments, textResultForLlm, stdout, stderr, metadata, traceback];
  return texts.reduce((sum, text) => sum + text.length, 500 + parts + updates + log);
}

/** The entry itself, or a copy that fits and is marked as cut. */
export function cutCall(entry: LoggedCall): LoggedCall {
  if (sizeOf(entry) <= mostChars) return entry;
  const { call, result } = entry;
  return {
    ...entry,
    cut: true,
    call: { ...call, arguments: cut(call.arguments) },
    result: cutResult(result),
  };
}

function cutResult(result: ToolResult): ToolResult {
  let room = textChars;
  return {
    ...result,
    textResultForLlm: cut(result.textResultForLlm),
    stdout: cut(result.stdout),
    stderr: cut(result.stderr),
    metadata: result.metadata.length > textChars ? '{}' : result.metadata,
    content: result.content.slice(0, 5).map(cutPart),
    updates: result.updates.filter(({ json }) => (room -= json.length) >= 0),
    log: result.log.slice(0, 100),
  };
}

/** A picture that is cut is none: its data goes whole. */
function cutPart(part: ContentPart): ContentPart {
  if ('text' in part) return { ...part, text: cut(part.text) };
  return part.data.length > textChars * 4 ? { ...part, data: '' } : part;
}

function partText(part: ContentPart): string {
  return 'text' in part ? part.text : part.data;
}

function cut(text: string): string {
  return text.length > textChars ? `${text.slice(0, textChars)}…` : text;
}
