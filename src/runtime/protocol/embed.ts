/**
 * The wire between a page that embeds a playground and the playground's frame. Neither side trusts the other: what arrives
 * is read into new objects of bounded size, and what does not fit is dropped.
 */

import { isRecord } from '../spec/guards.ts';

export const playgroundViews = ['full', 'form', 'json', 'result'] as const;
export type PlaygroundView = (typeof playgroundViews)[number];

/** A file of a playground. */
export interface PlaygroundFile {
  /** Relative to the playground's folder. */
  readonly path: string;
  readonly text: string;
}

/**
 * Colours, fonts and sizes that a page may set; each is the value of the custom property `--cloche-{name}`. The font size
 * of the page is that of the text around the playground.
 */
export const lookNames = [
  'accent',
  'on-accent',
  'background',
  'well',
  'text',
  'soft-text',
  'line',
  'font',
  'code-font',
  'font-size',
  'radius',
  'page-size',
] as const;
/** Words that a page may replace; each is the value of the custom property `--cloche-label-{name}`. */
export const labelNames = ['run', 'stop', 'edit', 'open', 'arguments', 'result', 'source'] as const;
export type LabelName = (typeof labelNames)[number];

/** The look of the page around the playground. Values are CSS, not validated here. */
export interface Look {
  /** `auto`: as the browser prefers. */
  readonly scheme: 'auto' | 'light' | 'dark';
  readonly values: Readonly<Partial<Record<(typeof lookNames)[number], string>>>;
  readonly labels: Readonly<Partial<Record<LabelName, string>>>;
}

export interface PlaygroundSetup {
  /** Id of the page, by which its playgrounds learn that others use Python. */
  readonly page: string;
  readonly files: readonly PlaygroundFile[];
  /** Requirements such as `numpy` or `attrs>=23`. */
  readonly packages: readonly string[];
  /** Full name or function name of the tool that is shown first; empty for the first one. */
  readonly tool: string;
  /** Text of a JSON object; empty for the tool's example. */
  readonly arguments: string;
  readonly view: PlaygroundView;
  readonly autorun: boolean;
  readonly readonly: boolean;
  /** Text of a recording to play; empty for none. */
  readonly recording: string;
  readonly look: Look;
}

/** The outcome of a call. */
export interface PlaygroundResult {
  readonly callId: string;
  readonly tool: string;
  readonly resultType: 'success' | 'failure';
  readonly text: string;
  /** `Type: message`, or a word such as `cancelled`; empty on success. */
  readonly error: string;
  readonly durationMs: number;
}

/** A message of the page's script. The answer to a request repeats its `id`. */
export type ToPlayground =
  | { readonly type: 'run'; readonly id: number }
  | { readonly type: 'cancel' }
  | { readonly type: 'files'; readonly id: number; readonly files: readonly PlaygroundFile[] }
  | { readonly type: 'arguments'; readonly id: number; readonly arguments: string }
  | { readonly type: 'look'; readonly look: Look };

export type FromPlayground =
  | { readonly type: 'ready' }
  | { readonly type: 'height'; readonly height: number }
  | {
      readonly type: 'change';
      readonly files: readonly PlaygroundFile[];
      readonly tool: string;
      readonly arguments: string;
    }
  | {
      readonly type: 'call';
      readonly callId: string;
      readonly tool: string;
      readonly arguments: string;
    }
  | ({ readonly type: 'result' } & PlaygroundResult)
  | {
      readonly type: 'error';
      readonly code: string;
      readonly message: string;
      readonly hint: string;
    }
  /** Answers a request; exactly one of the two is null. */
  | {
      readonly type: 'answer';
      readonly id: number;
      readonly result: PlaygroundResult | null;
      readonly failed: string | null;
    };

/** The frame's first message to the page around it; the answer is {@link setupMark}, with the port. */
export const helloMark = 'cloche-playground-hello';
export const setupMark = 'cloche-playground-setup';
/** Code of the frame's last error, after which it listens no more. */
export const floodedCode = 'flooded';

/** Limits of each part; characters unless they say otherwise. */
export const embedLimits = {
  files: 50,
  pathChars: 200,
  sourceChars: 1_000_000,
  argumentsChars: 200_000,
  recordingChars: 2_000_000,
  resultChars: 1_000_000,
  packages: 20,
  wordChars: 300,
  labelChars: 60,
  /** Pixels. */
  height: 20_000,
  messagesPerSecond: 120,
  /** Messages in one second, above which a page gets no more answers. */
  floodPerSecond: 2_000,
} as const;

/** @returns null if it is not a setup */
export function readSetup(value: unknown): PlaygroundSetup | null {
  if (!isRecord(value)) return null;
  const { page, view, autorun, readonly } = value;
  const files = readFiles(value.files);
  const packages = textList(value.packages, embedLimits.packages);
  const look = readLook(value.look);
  const tool = text(value.tool, embedLimits.wordChars);
  const args = text(value.arguments, embedLimits.argumentsChars);
  const recording = text(value.recording, embedLimits.recordingChars);
  if (files === null || packages === null || look === null || tool === null) return null;
  if (args === null || recording === null || !isView(view)) return null;
  if (typeof page !== 'string' || !/^[\w-]{1,64}$/.test(page)) return null;
  if (typeof autorun !== 'boolean' || typeof readonly !== 'boolean') return null;
  return { page, files, packages, tool, arguments: args, view, autorun, readonly, recording, look };
}

/** @returns null if it is no message for a playground */
export function readToPlayground(value: unknown): ToPlayground | null {
  if (!isRecord(value)) return null;
  const { type } = value;
  const id = count(value.id);
  switch (type) {
    case 'run':
      return id === null ? null : { type, id };
    case 'cancel':
      return { type };
    case 'files': {
      const files = readFiles(value.files);
      return id === null || files === null ? null : { type, id, files };
    }
    case 'arguments': {
      const args = text(value.arguments, embedLimits.argumentsChars);
      return id === null || args === null ? null : { type, id, arguments: args };
    }
    case 'look': {
      const look = readLook(value.look);
      return look && { type, look };
    }
    default:
      return null;
  }
}

/** @returns null if it is no message of a playground */
export function readFromPlayground(value: unknown): FromPlayground | null {
  if (!isRecord(value)) return null;
  const { type, height } = value;
  const tool = text(value.tool, embedLimits.wordChars);
  const args = text(value.arguments, embedLimits.argumentsChars);
  switch (type) {
    case 'ready':
      return { type };
    case 'height':
      if (typeof height !== 'number' || !(height >= 0 && height <= embedLimits.height)) return null;
      return { type, height };
    case 'change': {
      const files = readFiles(value.files);
      return files === null || tool === null || args === null
        ? null
        : { type, files, tool, arguments: args };
    }
    case 'call': {
      const callId = text(value.callId, embedLimits.wordChars);
      return callId === null || tool === null || args === null
        ? null
        : { type, callId, tool, arguments: args };
    }
    case 'result': {
      const result = readResult(value);
      return result && { type, ...result };
    }
    case 'error': {
      const [code, message, hint] = [value.code, value.message, value.hint].map((each) =>
        text(each, 2_000),
      );
      return typeof code === 'string' && typeof message === 'string' && typeof hint === 'string'
        ? { type, code, message, hint }
        : null;
    }
    case 'answer': {
      const id = count(value.id);
      const result = value.result === null ? null : readResult(value.result);
      const failed = value.failed === null ? null : text(value.failed, 2_000);
      return id === null ? null : { type, id, result, failed };
    }
    default:
      return null;
  }
}

/** Counts messages: at most so many in one second are read. */
export class MessageRate {
  #second = 0;
  #count = 0;

  /**
   * Counts one more.
   * @param now milliseconds
   * @returns `many`: the message is dropped; `flood`: so are all later ones
   */
  count(now: number): 'read' | 'many' | 'flood' {
    const second = Math.floor(now / 1_000);
    if (second !== this.#second) this.#count = 0;
    this.#second = second;
    this.#count += 1;
    if (this.#count <= embedLimits.messagesPerSecond) return 'read';
    return this.#count <= embedLimits.floodPerSecond ? 'many' : 'flood';
  }
}

/** The number of a request that is refused unread; null if it is no request. */
export function requestNumber(value: unknown): number | null {
  return isRecord(value) ? count(value.id) : null;
}

function readResult(value: unknown): PlaygroundResult | null {
  if (!isRecord(value)) return null;
  const { resultType, durationMs } = value;
  const callId = text(value.callId, embedLimits.wordChars);
  const tool = text(value.tool, embedLimits.wordChars);
  const resultText = text(value.text, embedLimits.resultChars);
  const error = text(value.error, embedLimits.resultChars);
  if (callId === null || tool === null || resultText === null || error === null) return null;
  if (resultType !== 'success' && resultType !== 'failure') return null;
  if (typeof durationMs !== 'number' || !(durationMs >= 0)) return null;
  return { callId, tool, resultType, text: resultText, error, durationMs };
}

/** @returns null if they are not files, are too many, are too long together, or have the same path twice */
export function readFiles(value: unknown): readonly PlaygroundFile[] | null {
  if (!Array.isArray(value) || value.length > embedLimits.files) return null;
  const files: PlaygroundFile[] = [];
  const paths = new Set<string>();
  let chars = 0;
  for (const each of value as unknown[]) {
    if (!isRecord(each)) return null;
    const path = text(each.path, embedLimits.pathChars);
    const content = text(each.text, embedLimits.sourceChars);
    if (path === null || path === '' || paths.has(path) || content === null) return null;
    paths.add(path);
    chars += content.length;
    files.push({ path, text: content });
  }
  // @mutant playground: the length of its files => without chars > embedLimits.sourceChars ? null :
  return chars > embedLimits.sourceChars ? null : files;
}

function readLook(value: unknown): Look | null {
  if (!isRecord(value)) return null;
  const { scheme } = value;
  if (scheme !== 'auto' && scheme !== 'light' && scheme !== 'dark') return null;
  return {
    scheme,
    values: textsByName(value.values, lookNames, embedLimits.wordChars),
    labels: textsByName(value.labels, labelNames, embedLimits.labelChars),
  };
}

/** The texts of known names; others are left out. */
function textsByName<Name extends string>(
  value: unknown,
  names: readonly Name[],
  max: number,
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  if (!isRecord(value)) return found;
  for (const name of names) {
    const label = Object.hasOwn(value, name) ? text(value[name], max) : null;
    if (label !== null && label !== '') found[name] = label;
  }
  return found;
}

export function isView(value: unknown): value is PlaygroundView {
  return playgroundViews.some((view) => view === value);
}

function text(value: unknown, max: number): string | null {
  return typeof value === 'string' && value.length <= max ? value : null;
}

function textList(value: unknown, max: number): readonly string[] | null {
  if (!Array.isArray(value) || value.length > max) return null;
  const list = (value as unknown[]).map((each) => text(each, embedLimits.wordChars));
  return list.includes(null) ? null : (list as string[]);
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
