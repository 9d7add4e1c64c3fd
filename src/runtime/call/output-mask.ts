/** Masks the keys of a folder in the output of its tools, so that no log, transcript or export contains them. */

import { createPacer, runPaced, type Pacer } from '../async/pace.ts';
import { fromBase64, joinBytes, toBase64 } from '../spec/bytes.ts';
import type { RunWatch } from '../spec/call.ts';
import { JsonReader } from '../spec/json-reader.ts';
import type { JsonText } from '../spec/json.ts';
import { MaskedText, SecretMask } from '../spec/secret-mask.ts';
import type {
  CallChange,
  ContentPart,
  Frame,
  Stream,
  ToolResult,
  WorkspaceNote,
} from '../spec/result.ts';

/** Masks the output of one call. */
export interface OutputMask {
  /** Masks what the running call streams. Printed text that may begin a key is held back until more text arrives. */
  watch(watch: RunWatch): RunWatch;
  /** Masks a result, after everything that the call has streamed. */
  result(result: ToolResult): Promise<ToolResult>;
}

/** Length of the pieces that are masked at once, so that the page can draw between them. */
const pieceChars = 65_536;
/** Limit of streamed characters that wait to be masked. Beyond it, stream messages are dropped; the result has their content. */
const maxWaitingChars = 16 * 1024 * 1024;

/**
 * Creates the mask for one call.
 * @param secrets returns the texts to mask, which may change while the call runs
 */
export function outputMask(secrets: () => readonly string[]): OutputMask {
  const before = secrets();
  const streams = before.length === 0 ? null : new MaskedStreams(new SecretMask(before));
  return {
    // @mutant keys are masked in what a running call streams => streams?.watch(watch) ?? watch -> watch
    watch: (watch) => streams?.watch(watch) ?? watch,
    async result(result) {
      await streams?.ended;
      // The call may have read the old or the new value of a setting that the user changed meanwhile.
      const all = new Set([...before, ...secrets()]);
      if (all.size === 0) return result;
      const longestFirst = [...all].sort((a, b) => b.length - a.length);
      return maskedResult(result, new SecretMask(longestFirst));
    },
  };
}

/** Masks the streams of a call one after the other. */
class MaskedStreams {
  readonly #mask: SecretMask;
  readonly #out: MaskedText;
  readonly #err: MaskedText;
  readonly #pacer = createPacer();
  #waitingChars = 0;
  /** Updates that were dropped since the last message that was passed on. */
  #dropped = 0;
  /** Resolves when all messages so far have been masked and passed on. */
  ended = Promise.resolve();

  constructor(mask: SecretMask) {
    this.#mask = mask;
    this.#out = new MaskedText(mask);
    this.#err = new MaskedText(mask);
  }

  watch(watch: RunWatch): RunWatch {
    return {
      onStart: () => watch.onStart(),
      onStream: (stream) => {
        const chars = charsOf(stream);
        if (this.#waitingChars + chars > maxWaitingChars) {
          this.#dropped += stream.updates.length + stream.dropped;
          return;
        }
        this.#waitingChars += chars;
        const dropped = stream.dropped + this.#dropped;
        this.#dropped = 0;
        this.ended = this.ended.then(async () => {
          const masked = await this.#maskStream({ ...stream, dropped });
          this.#waitingChars -= chars;
          watch.onStream(masked);
        });
      },
    };
  }

  async #maskStream(stream: Stream): Promise<Stream> {
    return {
      ...stream,
      ...(await maskedLists(stream, this.#mask, this.#pacer)),
      out: await nextText(stream.out, this.#out, this.#pacer),
      err: await nextText(stream.err, this.#err, this.#pacer),
    };
  }
}

function charsOf({ updates, out, err, log }: Stream): number {
  const chars = [...updates.map(({ json }) => json), ...log.map(({ message }) => message)];
  return chars.reduce((sum, { length }) => sum + length, out.length + err.length);
}

async function maskedResult(result: ToolResult, mask: SecretMask): Promise<ToolResult> {
  const pacer = createPacer();
  const maskWhole = (whole: string): Promise<string> => maskedText(whole, mask, pacer);
  const { error, traceback, frames, workspace, changes } = result;
  const maskFrame = async ({ file, line, name }: Frame): Promise<Frame> => ({
    file: await maskWhole(file),
    line,
    name: await maskWhole(name),
  });
  const maskChange = async (change: CallChange): Promise<CallChange> => ({
    ...change,
    before: await maskWhole(change.before),
    after: await maskWhole(change.after),
  });
  return {
    ...result,
    ...(await maskedLists(result, mask, pacer)),
    textResultForLlm: await maskWhole(result.textResultForLlm),
    ...(error !== undefined && { error: await maskWhole(error) }),
    ...(traceback !== undefined && { traceback: await maskWhole(traceback) }),
    ...(frames !== undefined && { frames: await mapInOrder(frames, maskFrame) }),
    ...(workspace !== undefined && { workspace: await maskedNote(workspace, maskWhole) }),
    // @mutant keys are masked in the changes of a call => await mapInOrder(changes, maskChange) -> changes
    ...(changes !== undefined && { changes: await mapInOrder(changes, maskChange) }),
    content: await mapInOrder(result.content, (part) => maskedPart(part, mask, pacer)),
    metadata: await maskedJson(result.metadata, mask, pacer, '{}'),
    stdout: await maskWhole(result.stdout),
    stderr: await maskWhole(result.stderr),
  };
}

async function maskedLists(
  { updates, log }: Pick<Stream, 'updates' | 'log'>,
  mask: SecretMask,
  pacer: Pacer,
): Promise<Pick<Stream, 'updates' | 'log'>> {
  return {
    updates: await mapInOrder(updates, async ({ n, json }) => ({
      n,
      json: await maskedJson(json, mask, pacer),
    })),
    log: await mapInOrder(log, async ({ level, message }) => ({
      level: await maskedText(level, mask, pacer),
      message: await maskedText(message, mask, pacer),
    })),
  };
}

/** A tool chooses the names of the files that it writes. */
async function maskedNote(
  note: WorkspaceNote,
  text: (whole: string) => Promise<string>,
): Promise<WorkspaceNote> {
  const { trouble } = note;
  return {
    ...note,
    entries: await mapInOrder(note.entries, async (entry) => ({
      ...entry,
      path: await text(entry.path),
      ...(entry.reason !== undefined && { reason: await text(entry.reason) }),
    })),
    ...(trouble !== undefined && { trouble: await text(trouble) }),
  };
}

async function maskedPart(part: ContentPart, mask: SecretMask, pacer: Pacer): Promise<ContentPart> {
  switch (part.type) {
    case 'text':
      return { ...part, text: await maskedText(part.text, mask, pacer) };
    case 'json':
      return { ...part, text: await maskedJson(part.text, mask, pacer) };
    case 'image':
    case 'binary':
      return {
        ...part,
        mediaType: await maskedText(part.mediaType, mask, pacer),
        data: await maskedBase64(part.data, mask, pacer),
      };
  }
}

async function maskedText(text: string, mask: SecretMask, pacer: Pacer): Promise<string> {
  const masked = new MaskedText(mask);
  const whole = (await nextText(text, masked, pacer)) + masked.rest();
  // Text without a key is returned unchanged, even if it is not valid Unicode.
  return masked.hasMasked ? whole : text;
}

async function nextText(text: string, masked: MaskedText, pacer: Pacer): Promise<string> {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieceChars) {
    pieces.push(masked.next(text.slice(at, at + pieceChars)));
    if (pacer.mustRest()) await pacer.rest();
  }
  return pieces.join('');
}

/** @param otherwise the replacement if masked text is no longer JSON; by default, a JSON string with that text */
async function maskedJson(
  json: JsonText,
  mask: SecretMask,
  pacer: Pacer,
  otherwise?: JsonText,
): Promise<JsonText> {
  const masked = await maskedText(json, mask, pacer);
  if (masked === json || (await runPaced(isPythonJson(masked)))) return masked;
  return otherwise ?? JSON.stringify(masked);
}

/** Whether a text is JSON as Python writes it. */
function* isPythonJson(text: string): Generator<undefined, boolean> {
  const reader = new JsonReader(text.replaceAll(/-?\b(?:NaN|Infinity)\b/g, '0'));
  for (;;) {
    const reached = reader.advance(pieceChars);
    if (reached !== 'more') return reached === 'done';
    yield undefined;
  }
}

async function maskedBase64(data: string, mask: SecretMask, pacer: Pacer): Promise<string> {
  const masked = new SecretMask(mask);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += pieceChars) {
    const bytes = fromBase64(data.slice(at, at + pieceChars));
    // Data that is not base64 is dropped, because it can neither be masked nor shown or saved as a file.
    if (bytes === null) return '';
    pieces.push(masked.next(bytes));
    if (pacer.mustRest()) await pacer.rest();
  }
  pieces.push(masked.rest());
  return masked.hasMasked ? toBase64(joinBytes(pieces)) : data;
}

async function mapInOrder<T>(
  list: readonly T[],
  one: (item: T) => Promise<T>,
): Promise<readonly T[]> {
  const out: T[] = [];
  for (const item of list) out.push(await one(item));
  return out;
}
