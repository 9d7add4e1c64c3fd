/** Starts interpreters, and keeps some warm for the next folder. */

import { wait } from '../async/wait.ts';
import { errorText, ToolError } from '../spec/error.ts';
import type { MessageTap } from '../protocol/message-tap.ts';
import type { Limits } from '../spec/limits.ts';
import { importsCanWait, type ArrivingFiles, type SandboxFiles } from './assets.ts';
import { openFrame, type SandboxFrame } from './frame.ts';
import { Interpreter } from './interpreter.ts';
import type { FoundSnapshot, Snapshots } from './snapshots.ts';

export interface InterpreterSourceDeps {
  readonly document: Document;
  readonly files: SandboxFiles;
  readonly limits: Limits;
  readonly snapshots: Snapshots;
  /** Receives the progress and failures of starts that the user waits for. */
  readonly onStatus: OnStatus;
  /** Sees the messages of sandbox frames. */
  readonly tap?: MessageTap | undefined;
  /** Receives failures that do not keep Python from running. */
  readonly report: (thrown: unknown) => void;
}

/** Limit of warm interpreters: one for the next folder, and its spare. */
const maxWarm = 2;

export interface StartOptions {
  /** Whether no caller waits for the interpreter, so that its progress is not reported. */
  readonly quiet?: boolean;
}

interface Start {
  readonly name: string;
  /** Null if no caller waits for this start. */
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
  #hasReportedLate = false;

  constructor(deps: InterpreterSourceDeps) {
    this.#deps = deps;
    this.#status = new StartStatus(deps.onStatus);
    deps.files.observe((received, total) => {
      this.#status.progress(`Loading Python: ${megabytes(received)} of ${megabytes(total)} MB`);
    });
  }

  /** Starts an interpreter before it is needed, unless one is warm already. */
  warm(): void {
    if (this.#warm.length === 0) this.#startWarm({ quiet: false });
  }

  /**
   * Starts a second warm interpreter, so that the spare of the next folder need not start during
   * that folder's first calls. Does nothing if there is a snapshot, or if the first warm
   * interpreter has already been taken. Call it only if the folder may keep a spare. Never rejects.
   * @param afterMs milliseconds to wait after the first warm interpreter has started
   */
  async warmSpare(afterMs: number): Promise<void> {
    const [first] = this.#warm;
    const isAlive = await first?.then(
      ({ alive }) => alive,
      () => false,
    );
    if (first === undefined || isAlive !== true) return;
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    if ((await this.#deps.snapshots.find()) !== null) return;
    if (this.#warm.includes(first) && this.#warm.length < maxWarm) this.#startWarm({ quiet: true });
  }

  /** Downloads the rest of the standard library, which interpreters get when they need it. */
  completeLibrary(): void {
    const { libraries, sources } = this.#deps.files.fetchLate();
    for (const file of [libraries, sources])
      file.catch((thrown: unknown) => this.#reportLate(thrown));
  }

  #startWarm(options: StartOptions): void {
    const warm = this.#start(new AbortController().signal, options);
    // `take` reports a failure.
    warm.catch(() => undefined);
    this.#warm.push(warm);
  }

  /** Returns a started interpreter that has not run any tool code. @throws {ToolError} */
  async take(signal: AbortSignal, options: StartOptions = {}): Promise<Interpreter> {
    const warm = this.#warm.shift();
    if (warm === undefined) return this.#start(signal, options);
    const started = warm.catch(() => null);
    const interpreter = await wait(signal, started).catch((thrown: unknown) => {
      this.#warm.unshift(warm);
      // Another interpreter may have been started meanwhile.
      this.#keepWarm(maxWarm);
      throw thrown;
    });
    return interpreter?.alive ? interpreter : this.#start(signal, options);
  }

  /** Ends the interpreters that were not taken. */
  dispose(): void {
    this.#keepWarm(0);
  }

  /** Ends all warm interpreters except the first `count`. */
  #keepWarm(count: number): void {
    for (const warm of this.#warm.splice(count))
      warm.then(
        (python) => python.dispose(),
        () => undefined,
      );
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
    const late = files.fetchLate();
    const interpreter = await this.#open(either, 'snapshot', arriving);
    try {
      // The bytes belong to the frame, so store them before it is removed.
      const [python, libraries] = await Promise.all([arriving.python, late.libraries]);
      const { forPackages } = snapshots;
      const snapshot = interpreter.makeSnapshot(either, python, libraries, forPackages, limits);
      await snapshots.store(await snapshot, { forPackages });
    } finally {
      interpreter.dispose();
    }
  }

  async #start(signal: AbortSignal, { quiet = false }: StartOptions): Promise<Interpreter> {
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
      const content = snapshot?.content ?? null;
      // Where imports cannot wait, Python starts only with its whole standard library.
      const completed = importsCanWait ? null : this.#complete(interpreter);
      const arrived = Promise.all([arriving.wasm, completed]);
      const started = interpreter.start(signal, python, arrived, content, limits, (step) => {
        status?.progress(step);
      });
      interpreter.onLibraryWanted = () => {
        this.#complete(interpreter).catch((thrown: unknown) => this.#reportLate(thrown));
      };
      await Promise.all([started, snapshot?.intact.then(expectIntact)]);
      return interpreter;
    } catch (thrown) {
      interpreter.dispose();
      throw thrown;
    }
  }

  /** Hands over the late files as they arrive. @returns resolves when the libraries have been handed over */
  async #complete(python: Interpreter): Promise<void> {
    const { libraries, sources } = this.#deps.files.fetchLate();
    sources.then(
      (arrived) => python.addSources(arrived),
      (thrown: unknown) => this.#reportLate(thrown),
    );
    try {
      python.addLibraries(await libraries);
    } catch (thrown) {
      python.addLibraries(null);
      throw thrown;
    }
  }

  /** Reports once in a visit that a part of the standard library is missing. */
  #reportLate(thrown: unknown): void {
    if (this.#hasReportedLate) return;
    this.#hasReportedLate = true;
    const why = errorText(thrown);
    this.#deps.report(new Error(`Python's standard library is incomplete: ${why}`));
  }

  async #open(
    signal: AbortSignal,
    name: string,
    { boot, wasm }: ArrivingFiles,
  ): Promise<Interpreter> {
    const { document, tap } = this.#deps;
    const frame = await openAnswering(signal, () => openFrame(document, boot, tap));
    const interpreter = new Interpreter(name, frame);
    wasm.then(
      (arrived) => {
        interpreter.compile(arrived);
      },
      // The start waits for the same download, and reports its failure.
      () => undefined,
    );
    return interpreter;
  }
}

function expectIntact(isIntact: boolean): void {
  if (!isIntact) throw new Error('The stored snapshot is damaged.');
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}

type OnStatus = (state: 'off' | 'starting' | 'ready' | 'failed', text: string) => void;

/**
 * Reports the progress of starts to the user. Counts only starts for which a caller waits. Each method is called when what
 * it is named after has happened.
 */
export class StartStatus {
  readonly #onStatus: OnStatus;
  #running = 0;
  #settled: 'off' | 'ready' = 'off';

  constructor(onStatus: OnStatus) {
    this.#onStatus = onStatus;
  }

  started(): void {
    this.#running += 1;
  }

  progress(step: string): void {
    this.#onStatus('starting', step);
  }

  ready(): void {
    this.#running -= 1;
    this.#settled = 'ready';
    this.#onStatus('ready', '');
  }

  failed(why: string): void {
    this.#running -= 1;
    this.#onStatus('failed', why);
  }

  /** Records that no caller waits for this start any more. If no other start is running, restores the earlier status. */
  aborted(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#onStatus(this.#settled, '');
  }
}

/** Timeout of each try, in milliseconds. It grows, because the machine may just be busy. */
const deadlinesMs = [3_000, 8_000, 20_000];

/**
 * Opens a sandbox frame and makes sure that its broker answers. In Firefox 140 to 153, about one in a hundred
 * `new Worker` calls made inside a worker hangs forever, more often on a busy machine
 * (docs/decisions/workers-in-workers.md). The only remedy is to remove the frame and open another.
 *
 * @throws {ToolError} if no frame answers; rethrows errors of `open`
 */
export async function openAnswering(
  signal: AbortSignal,
  open: () => Promise<SandboxFrame>,
): Promise<SandboxFrame> {
  let failed: unknown;
  for (const ms of deadlinesMs) {
    const frame = await open();
    const gone = new AbortController();
    frame.onGone(() => gone.abort(new ToolError('crashed', 'The sandbox is gone')));
    try {
      await wait(signal, frame.broker.ping(), {
        lost: gone.signal,
        deadlineMs: ms,
        what: 'Starting the sandbox',
      });
      return frame;
    } catch (thrown) {
      frame.remove();
      if (signal.aborted) throw thrown;
      failed = thrown;
    }
  }
  throw failed;
}
