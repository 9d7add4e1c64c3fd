/** Checks arguments in a worker while they are typed: a hostile pattern may take forever. */

import { noTap } from '../protocol/message-tap.ts';
import { WorkerClient, type RunningWorker } from '../async/worker-client.ts';
import type { ArgumentError, ArgumentWorker } from '../protocol/argument-check.ts';
import type { ObservedRun } from '../spec/call.ts';
import type { JsonObject, JsonText } from '../spec/json.ts';

/** A check that takes longer is left to the run. */
const deadlineMs = 3_000;

/** Checks arguments as a run does, for the page. */
export type ArgumentChecking = Pick<ArgumentChecker, 'check' | 'dispose'>;
export type SchemaInference = Pick<ArgumentChecker, 'inferSchema' | 'dispose'>;

export class ArgumentChecker {
  readonly #client: WorkerClient<ArgumentWorker>;
  /** The schema that each worker has received last. */
  readonly #schemas = new WeakMap<RunningWorker<ArgumentWorker>, JsonText>();
  #tooSlow: JsonText | null = null;

  constructor(start: () => Worker) {
    this.#client = new WorkerClient({ start, died: () => new Error('The check has failed') });
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
    const worker = this.#client.connect();
    const isKnown = this.#schemas.get(worker) === schema;
    this.#schemas.set(worker, schema);
    const answer: Promise<readonly ArgumentError[]> = worker.remote.check(
      isKnown ? null : schema,
      args,
    );
    try {
      // @mutant the deadline of the check while arguments are typed => without deadlineMs,
      return await worker.ask(signal, answer, { deadlineMs, what: 'Checking the arguments' });
    } catch (thrown) {
      // After an abort, the check ends by itself. Otherwise it has failed or takes too long, so the
      // worker is replaced.
      if (!signal.aborted) {
        this.#tooSlow = schema;
        this.dispose();
      }
      throw thrown;
    }
  }

  /**
   * Infers the schema of what runs returned; null if it would say nothing. Rejects as {@link check}.
   * @param code the code of the tool: keys that it does not contain are data
   */
  async inferSchema(
    signal: AbortSignal,
    runs: readonly ObservedRun[],
    code: string,
  ): Promise<JsonObject | null> {
    signal.throwIfAborted();
    const worker = this.#client.connect();
    const answer: Promise<JsonObject | null> = worker.remote.inferSchema(runs, code);
    return worker.ask(signal, answer, { deadlineMs, what: 'Looking at the results' });
  }

  dispose(): void {
    this.#client.end();
  }
}

export function startArgumentWorker(tap = noTap): Worker {
  const worker = new Worker(new URL('../../../workers/arguments/checker.ts', import.meta.url), {
    type: 'module',
    name: 'arguments',
  });
  return tap.watch('arguments', worker);
}
