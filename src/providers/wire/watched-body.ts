/** Limits the body of an answer: silence, too many bytes and a lost connection end it with a clear error. */

import { ModelError } from '../../spec/model-error.ts';
import { cut } from './answer-parts.ts';

export interface Watch {
  readonly signal: AbortSignal;
  readonly idleMs: number;
  readonly maxBytes: number;
  /** Changes each line. */
  readonly readLine: ((line: string) => string) | undefined;
  /** Receives the lines that have arrived together, before `readLine`. */
  readonly joinLines?: ((lines: readonly string[]) => readonly string[]) | undefined;
  /** Receives the text of each piece as it was sent. */
  readonly onText: ((text: string) => void) | undefined;
  /**
   * Called with the error that ended the body.
   *
   * @returns the error to throw
   */
  readonly onFault: (fault: ModelError) => ModelError;
}

/** One stream for everything that is done to the body, since each further one costs as much as reading the body. */
export function watchedBody(response: Response, watch: Watch): ReadableStream<Uint8Array> {
  const body = response.body ?? new Blob([]).stream();
  const reader = body.getReader();
  const passed = passing(watch);
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          // A piece may complete no line.
          for (let piece: Bytes = noBytes; piece.byteLength === 0;) {
            const { done, value } = await withTimeout(reader.read(), watch.idleMs);
            if (done) {
              piece = passed(null);
              if (piece.byteLength > 0) controller.enqueue(piece);
              controller.close();
              return;
            }
            bytes += value.byteLength;
            if (bytes > watch.maxBytes) throw tooLarge(watch.maxBytes);
            piece = passed(value);
            if (piece.byteLength > 0) controller.enqueue(piece);
          }
        } catch (thrown) {
          void reader.cancel().catch(() => {});
          const fault = thrown instanceof ModelError ? thrown : cut();
          controller.error(watch.signal.aborted ? watch.signal.reason : watch.onFault(fault));
        }
      },
      cancel: () => reader.cancel(),
    },
    { highWaterMark: 0 },
  );
}

type Bytes = Uint8Array<ArrayBuffer>;

const noBytes: Bytes = new Uint8Array();

/** Returns a function that gives what to pass on for each piece, and for null, what is left at the end. */
function passing({
  readLine,
  joinLines = (same) => same,
  onText,
}: Pick<Watch, 'readLine' | 'joinLines' | 'onText'>): (piece: Bytes | null) => Bytes {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  return (piece) => {
    if (readLine === undefined) {
      if (piece !== null) onText?.(decoder.decode(piece, { stream: true }));
      return piece ?? noBytes;
    }
    if (piece === null) return rest === '' ? noBytes : encoder.encode(readLine(rest));
    const text = decoder.decode(piece, { stream: true });
    onText?.(text);
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    const read = joinLines(lines).map((line) => `${readLine(line)}\n`);
    return encoder.encode(read.join(''));
  };
}

function withTimeout<T>(answer: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(silent(ms));
    }, ms);
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (thrown: unknown) => {
        clearTimeout(timer);
        reject(thrown instanceof Error ? thrown : cut());
      },
    );
  });
}

function silent(ms: number): ModelError {
  return new ModelError(
    'cut',
    `The answer stopped: no data for ${ms / 1000} seconds.`,
    'Try again. If it keeps failing, check the provider’s status page.',
  );
}

function tooLarge(bytes: number): ModelError {
  return new ModelError(
    'answer',
    `The answer is longer than ${bytes} bytes and was not read completely.`,
    'Choose another model.',
  );
}
