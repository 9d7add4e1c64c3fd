/** Limits the body of an answer: silence, too many bytes and a lost connection end it with a clear error. */

import { ModelError } from '../../spec/model-error.ts';
import { cut } from './answer-parts.ts';

export interface Watch {
  readonly signal: AbortSignal;
  readonly idleMs: number;
  readonly maxBytes: number;
  readonly readLine: ((line: string) => string) | undefined;
  /**
   * Called with the error that ended the body.
   *
   * @returns the error to throw
   */
  readonly onFault: (fault: ModelError) => ModelError;
}

export function watchedBody(response: Response, watch: Watch): ReadableStream<Uint8Array> {
  const body = response.body ?? new Blob([]).stream();
  const reader = body.getReader();
  let bytes = 0;
  const watched = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await withTimeout(reader.read(), watch.idleMs);
        if (done) {
          controller.close();
          return;
        }
        bytes += value.byteLength;
        if (bytes > watch.maxBytes) throw tooLarge(watch.maxBytes);
        controller.enqueue(value);
      } catch (thrown) {
        void reader.cancel().catch(() => {});
        const fault = thrown instanceof ModelError ? thrown : cut();
        controller.error(watch.signal.aborted ? watch.signal.reason : watch.onFault(fault));
      }
    },
    cancel: () => reader.cancel(),
  });
  return watch.readLine === undefined ? watched : transformLines(watched, watch.readLine);
}

/** Passes whole lines through `readLine`. */
function transformLines(
  body: ReadableStream<Uint8Array>,
  readLine: (line: string) => string,
): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        const whole = lines.map((line) => `${readLine(line)}\n`).join('');
        if (whole !== '') controller.enqueue(encoder.encode(whole));
      },
      flush(controller) {
        if (rest !== '') controller.enqueue(encoder.encode(readLine(rest)));
      },
    }),
  );
}

function withTimeout<T>(answer: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(silent(ms));
    }, ms);
    answer.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
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
