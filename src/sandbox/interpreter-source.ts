/** Starts interpreters, and keeps some warm for the next folder. */

import { wait } from '../async/wait.ts';
import { errorText } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import { openAnswering } from './answering-frame.ts';
import type { ArrivingFiles, SandboxFiles } from './assets.ts';
import { openFrame } from './frame.ts';
import { Interpreter } from './interpreter.ts';
import type { FoundSnapshot, Snapshots } from './snapshots.ts';
import { StartStatus, type OnStatus } from './start-status.ts';

export interface InterpreterSourceDeps {
  readonly document: Document;
  readonly files: SandboxFiles;
  readonly limits: Limits;
  readonly snapshots: Snapshots;
  /** Receives the progress and failures of starts that the user waits for. */
  readonly onStatus: OnStatus;
}

interface Start {
  readonly name: string;
  /** Null if nobody waits for this start. */
  readonly status: StartStatus | null;
}

export class InterpreterSource {
  readonly #deps: InterpreterSourceDeps;
  readonly #status: StartStatus;
  /** Interpreters that were started before they are needed, in order. */
  readonly #warm: Promise<Interpreter>[] = [];
  #started = 0;
  /** Number of running starts. */
  #starts = 0;
  #snapshotAbort: AbortController | null = null;

  constructor(deps: InterpreterSourceDeps) {
    this.#deps = deps;
    this.#status = new StartStatus(deps.onStatus);
    deps.files.observe((received, total) => {
      this.#status.progress(`Loading Python: ${megabytes(received)} of ${megabytes(total)} MB`);
    });
  }

  /**
   * Starts an interpreter before it is needed. On a first visit, without a snapshot, another one follows if no folder has
   * been opened when the first one has started: the folder's spare, which then need not be started beside its first calls.
   */
  async warm(): Promise<void> {
    const { signal } = new AbortController();
    const first = this.#start(signal);
    this.#warm.push(first);
    // `take` reports a failure.
    const hasStarted = await first.then(
      () => true,
      () => false,
    );
    const hasSnapshot = (await this.#deps.snapshots.find()) !== null;
    if (!hasStarted || hasSnapshot || !this.#warm.includes(first)) return;
    const second = this.#start(signal, true);
    this.#warm.push(second);
    await second.catch(() => undefined);
  }

  /**
   * Returns a started interpreter that has not run any tool code.
   * @param quiet nobody waits for it, so its progress is not reported
   * @throws {ToolError}
   */
  async take(signal: AbortSignal, quiet = false): Promise<Interpreter> {
    const warm = this.#warm.shift();
    if (warm === undefined) return this.#start(signal, quiet);
    const interpreter = await wait(
      signal,
      warm.catch(() => null),
    ).catch((thrown: unknown) => {
      this.#warm.unshift(warm);
      throw thrown;
    });
    return interpreter?.alive ? interpreter : this.#start(signal, quiet);
  }

  /** Whether an interpreter is being started, including spares. */
  get starting(): boolean {
    return this.#starts > 0;
  }

  /**
   * Makes a snapshot in a separate interpreter without any folder, stores it, and ends that interpreter. A
   * start that begins meanwhile takes precedence and cancels it.
   * @throws {ToolError}
   */
  async makeSnapshot(signal: AbortSignal): Promise<void> {
    const { files, limits, snapshots } = this.#deps;
    this.#snapshotAbort = new AbortController();
    const either = AbortSignal.any([signal, this.#snapshotAbort.signal]);
    const arriving = files.fetch();
    const interpreter = await this.#open(either, 'snapshot', arriving);
    try {
      // The bytes belong to the frame, so store them before it is removed.
      const [python, libraries] = await Promise.all([arriving.python, arriving.libraries]);
      await snapshots.store(await interpreter.makeSnapshot(either, python, libraries, limits));
    } finally {
      interpreter.dispose();
    }
  }

  async #start(signal: AbortSignal, quiet = false): Promise<Interpreter> {
    const status = quiet ? null : this.#status;
    this.#starts += 1;
    this.#snapshotAbort?.abort();
    status?.started();
    try {
      const name = `python-${++this.#started}`;
      const interpreter = await this.#startOrRetry(signal, { name, status });
      status?.ready();
      return interpreter;
    } catch (thrown) {
      if (signal.aborted) status?.aborted();
      else status?.failed(errorText(thrown));
      throw thrown;
    } finally {
      this.#starts -= 1;
    }
  }

  /** Starts from a snapshot if there is one and it works, otherwise without. */
  async #startOrRetry(signal: AbortSignal, start: Start): Promise<Interpreter> {
    const { snapshots } = this.#deps;
    const found = snapshots.find();
    try {
      return await this.#startFrom(signal, start, found);
    } catch (thrown) {
      const snapshot = await found;
      if (signal.aborted || snapshot === null) throw thrown;
      // Whatever the cause was, try again without the snapshot. A damaged one has been removed.
      if (await snapshot.intact) await snapshots.disable().catch(() => undefined);
      return this.#startFrom(signal, start, Promise.resolve(null));
    }
  }

  /** Prepares the frame while the files and the snapshot are still loading. */
  async #startFrom(
    signal: AbortSignal,
    { name, status }: Start,
    found: Promise<FoundSnapshot | null>,
  ): Promise<Interpreter> {
    const { files, limits } = this.#deps;
    const arriving = files.fetch();
    const interpreter = await this.#open(signal, name, arriving);
    try {
      const [python, snapshot] = await Promise.all([arriving.python, found]);
      const started = interpreter.start(
        signal,
        python,
        arriving.libraries,
        snapshot?.content ?? null,
        limits,
        (step) => {
          status?.progress(step);
        },
      );
      arriving.sources.then(
        (sources) => {
          interpreter.addSources(sources);
        },
        // Tracebacks show no source of the standard library then. The next start fetches the files again.
        () => undefined,
      );
      await Promise.all([started, snapshot?.intact.then(orDamaged)]);
      return interpreter;
    } catch (thrown) {
      interpreter.dispose();
      throw thrown;
    }
  }

  async #open(
    signal: AbortSignal,
    name: string,
    { boot, wasm }: ArrivingFiles,
  ): Promise<Interpreter> {
    const { document } = this.#deps;
    const frame = await openAnswering(signal, () => openFrame(document, boot));
    const interpreter = new Interpreter(name, frame);
    wasm.then(
      (arrived) => {
        interpreter.compile(arrived);
      },
      // The libraries fail with it, for which a start waits.
      () => undefined,
    );
    return interpreter;
  }
}

function orDamaged(isIntact: boolean): void {
  if (!isIntact) throw new Error('The stored snapshot is damaged.');
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
