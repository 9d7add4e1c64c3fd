/** Parses and validates payloads from the tool worker; null if a payload is invalid. */

import {
  ask,
  inspection,
  pythonResult,
  pythonStream,
  resolution,
  pythonWorkspace,
} from 'virtual:cloche/validators';
import type { AskMessage } from '../../src/protocol/ask.ts';
import { fromBase64 } from '../../src/protocol/base64.ts';
import type { PythonFacts, PythonOutcome } from '../../src/protocol/frame.ts';
import type { ResolveAnswer } from '../../src/protocol/packages.ts';
import {
  answerBytes,
  longestPathInCopy,
  mostInCopy,
  type LeftInCopy,
  type WorkspaceReport,
  type WorkspaceRequest,
} from '../../src/protocol/workspace.ts';
import { deeperThan, moreThan } from '../../src/spec/depth.ts';
import { exactWriter, parseExact } from '../../src/spec/exact-json.ts';
import { fields, isCount, isObject, isRecord, isStrings } from '../../src/spec/guards.ts';
import type { Inspection, PackedInspection } from '../../src/spec/inspection.ts';
import type { Json } from '../../src/spec/json.ts';
import type { Stream } from '../../src/spec/result.ts';

/** Limit of a report's nesting; the loader refuses schemas deeper than 64 levels. */
const mostDepth = 200;

/** Limit of the JSON values of one tool, nested ones included; the loader refuses more than 50,000. */
const mostToolValues = 60_000;

/** Limit of a list of paths. A tools folder has at most 5,000 files, and tools may have written more. */
const mostPaths = 20_000;

interface PythonResult extends Omit<PythonOutcome, 'recoverable' | 'streamed'> {
  readonly recoverable?: boolean;
  readonly durationMs: number;
  readonly outputDropped: number;
}

export function toInspection(payload: string, file: string): PackedInspection | null {
  const value = parse(payload, parseExact);
  // A deeply nested report would overflow the stack when it is sent to the page.
  if (deeperThan(value as Json, mostDepth) || !inspection(value)) return null;
  const report = value as Inspection;
  if (report.file !== file) return null;
  if (report.tools.some((tool) => moreThan(tool as unknown as Json, mostToolValues))) return null;
  // The numbers of schemas and examples stay as the author wrote them.
  const write = exactWriter(payload);
  return { ...report, tools: report.tools.map((tool) => write(tool as unknown as Json)) };
}

export function toStream(payload: string): Stream | null {
  const value = parse(payload);
  return pythonStream(value) ? (value as Stream) : null;
}

export function toAsk(payload: string): AskMessage | null {
  const value = parse(payload);
  return ask(value) ? (value as AskMessage) : null;
}

export function toStarted(payload: string): { value: PythonFacts } | null {
  try {
    const { version, stackSwitching } = JSON.parse(payload) as Record<string, unknown>;
    if (typeof version !== 'string' || typeof stackSwitching !== 'boolean') return null;
    return { value: { version: version.slice(0, 100), stackSwitching } };
  } catch {
    return null;
  }
}

export function toPaths(payload: string): { value: readonly string[] } | null {
  const value = parse(payload);
  return isStrings(value) && value.length <= mostPaths ? { value } : null;
}

export function toReasons(payload: string): { value: readonly string[] } | null {
  const value = parse(payload);
  return isStrings(value) ? { value } : null;
}

export function toResolution(payload: string): { value: ResolveAnswer } | null {
  const value = parse(payload);
  return resolution(value) ? { value: value as ResolveAnswer } : null;
}

/** The outcome without what was streamed, and the number of output characters that the tool worker dropped. */
export function toOutcome(
  payload: string,
): { outcome: Omit<PythonOutcome, 'streamed'>; outputDropped: number } | null {
  const value = withLongText(payload);
  if (!pythonResult(value)) return null;
  const { outputDropped, durationMs: _ignored, ...result } = value as PythonResult;
  if (!isJsonObject(result.metadata)) return null;
  const failed = !result.ok;
  if (failed && result.error === undefined) return null;
  return { outcome: { ...result, recoverable: result.recoverable ?? false }, outputDropped };
}

/** Puts the long text of a result into its place; undefined if there is no such place. The value is not validated yet. */
function withLongText(payload: string): unknown {
  const end = payload.indexOf('\n');
  if (end < 0) return parse(payload);
  const { longText, ...result } = fields(parse(payload.slice(0, end)));
  const { content } = result;
  const part: unknown = Array.isArray(content) && isCount(longText) ? content[longText] : null;
  if (!isRecord(part)) return undefined;
  const text = payload.slice(end + 1);
  Object.assign(part, 'text' in part ? { text } : { data: text });
  return result;
}

function isJsonObject(text: string): boolean {
  return isObject(parse(text));
}

function parse(text: string, read: (text: string) => unknown = JSON.parse): unknown {
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

interface EncodedReport extends Omit<WorkspaceReport, 'files' | 'left'> {
  readonly files: readonly { path: string; modifiedAt: number; data: string }[];
  readonly left: readonly LeftInCopy[];
}

/** Limit of the answer to a request, in characters. */
export function workspaceChars({ tell, fileBytes }: WorkspaceRequest): number {
  // The allowance per path covers escaped characters and the JSON around it.
  const paths = mostInCopy * (longestPathInCopy + 100);
  if (tell === 'nothing') return 100_000;
  return paths + (tell === 'contents' ? Math.ceil(((fileBytes + answerBytes) * 4) / 3) : 0);
}

/** Null if the payload is invalid. The page decides whether the paths may be written. */
export function toWorkspaceReport(payload: string): { value: WorkspaceReport } | null {
  const report = parse(payload);
  if (!pythonWorkspace(report)) return null;
  const { files, ...rest } = report as EncodedReport;
  const decoded: WorkspaceReport['files'][number][] = [];
  for (const { path, modifiedAt, data } of files) {
    const bytes = fromBase64(data);
    if (bytes === null) return null;
    decoded.push({ path, modifiedAt, bytes });
  }
  return { value: { ...rest, files: decoded } };
}
