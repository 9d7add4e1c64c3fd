/** Checks arguments in a worker while they are typed: a hostile pattern may take forever. */

import { wait } from '../async/wait.ts';
import type {
  ArgumentAnswer,
  ArgumentError,
  ArgumentQuestion,
} from '../protocol/argument-check.ts';
import type { JsonText } from '../spec/json.ts';

/** A check that takes longer is left to the run. */
const deadlineMs = 3_000;

/** Checks arguments as a run does, for the page. */
export type ArgumentChecking = Pick<ArgumentChecker, 'check' | 'dispose'>;

export class ArgumentChecker {
  readonly #start: () => Worker;
  #worker: Worker | null = null;
  #schema: JsonText | null = null;
  #tooSlow: JsonText | null = null;
  #lastId = 0;

  /** @param start starts the worker; an `error` event of the worker means that it has died */
  constructor(start: () => Worker) {
    this.#start = start;
  }

  /**
   * Returns the errors that a run would report. Returns null if an earlier check with the same
   * schema took too long, since no other is tried. Rejects if this check takes too long, fails, or
   * is aborted.
   */
  async check(
    signal: AbortSignal,
    schema: JsonText,
    args: JsonText,
  ): Promise<readonly ArgumentError[] | null> {
    signal.throwIfAborted();
    if (schema === this.#tooSlow) return null;
    const worker = (this.#worker ??= this.#start());
    const id = (this.#lastId += 1);
    const question: ArgumentQuestion = {
      id,
      ...(schema === this.#schema ? {} : { schema }),
      arguments: args,
    };
    const listening = new AbortController();
    const answer = new Promise<readonly ArgumentError[]>((resolve, reject) => {
      const { signal: listens } = listening;
      const receive = ({ data }: MessageEvent<ArgumentAnswer>): void => {
        if (data.id === id) resolve(data.errors);
      };
      worker.addEventListener('message', receive, { signal: listens });
      worker.addEventListener('error', () => reject(new Error('The check has failed')), {
        signal: listens,
      });
    });
    this.#schema = schema;
    worker.postMessage(question);
    try {
      return await wait(signal, answer, { deadlineMs, what: 'Checking the arguments' });
    } catch (thrown) {
      // After an abort, the check ends by itself. Otherwise it has failed or takes too long, so the
      // worker is replaced.
      if (!signal.aborted) {
        this.#tooSlow = schema;
        this.dispose();
      }
      throw thrown;
    } finally {
      listening.abort();
    }
  }

  dispose(): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#schema = null;
  }
}

export function startArgumentWorker(): Worker {
  return new Worker(new URL('../../../workers/arguments/checker.ts', import.meta.url), {
    type: 'module',
    name: 'arguments',
  });
}
