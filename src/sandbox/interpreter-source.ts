/** Started interpreters for whoever opens a folder; one can be kept warm. */

import { wait } from '../async/wait.ts';
import { errorText } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import { openAnswering } from './answering-frame.ts';
import { fetchSandboxFiles, type ArrivingFiles } from './assets.ts';
import { openFrame } from './frame.ts';
import { Interpreter } from './interpreter.ts';
import type { Snapshots } from './snapshots.ts';
import { StartStatus, type OnStatus } from './start-status.ts';

export interface InterpreterSourceDeps {
  readonly document: Document;
  readonly limits: Limits;
  readonly snapshots: Snapshots;
  /** Told what a start is at or what it failed with, for the person who waits. */
  readonly onStatus: OnStatus;
}

interface Start {
  readonly name: string;
  /** Null where nobody waits for it. */
  readonly status: StartStatus | null;
}

export class InterpreterSource {
  readonly #deps: InterpreterSourceDeps;
  readonly #status: StartStatus;
  #arriving: ArrivingFiles | null = null;
  #warm: Promise<Interpreter> | null = null;
  #started = 0;
  /** Starts under way. */
  #starts = 0;
  #making: AbortController | null = null;

  constructor(deps: InterpreterSourceDeps) {
    this.#deps = deps;
    this.#status = new StartStatus(deps.onStatus);
  }

  /** Starts one ahead of its need. */
  warm(): void {
    this.#warm ??= this.#start(new AbortController().signal);
    // Whoever takes it is told why it failed.
    this.#warm.catch(() => undefined);
  }

  /**
   * A started interpreter that has seen no tool code.
   * @param quiet nobody waits for it, so nobody is told of its start
   * @throws {ToolError}
   */
  async take(signal: AbortSignal, quiet = false): Promise<Interpreter> {
    const warm = this.#warm;
    this.#warm = null;
    if (warm === null) return this.#start(signal, quiet);
    const interpreter = await wait(
      signal,
      warm.catch(() => null),
    ).catch((thrown: unknown) => {
      this.#warm ??= warm;
      throw thrown;
    });
    return interpreter?.alive ? interpreter : this.#start(signal, quiet);
  }

  /** Somebody waits for an interpreter, or a spare one is being started. */
  get starting(): boolean {
    return this.#starts > 0;
  }

  /**
   * Makes a snapshot in an interpreter of its own, which has seen nothing of any folder and is gone afterwards, and
   * keeps it. A start that begins meanwhile goes before, and ends it.
   * @throws {ToolError}
   */
  async makeSnapshot(signal: AbortSignal): Promise<void> {
    const { limits, snapshots } = this.#deps;
    this.#making = new AbortController();
    const either = AbortSignal.any([signal, this.#making.signal]);
    const arriving = this.#fetchFiles();
    const interpreter = await this.#open(either, 'snapshot', arriving);
    try {
      // The bytes are still the frame's: it goes when they are stored.
      await snapshots.keep(await interpreter.makeSnapshot(either, await arriving.assets, limits));
    } finally {
      interpreter.dispose();
    }
  }

  async #start(signal: AbortSignal, quiet = false): Promise<Interpreter> {
    const status = quiet ? null : this.#status;
    this.#starts += 1;
    this.#making?.abort();
    status?.began();
    try {
      const name = `python-${++this.#started}`;
      const interpreter = await this.#startEither(signal, { name, status });
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

  /** From a snapshot, where there is one and it works. */
  async #startEither(signal: AbortSignal, start: Start): Promise<Interpreter> {
    const { snapshots } = this.#deps;
    const found = snapshots.find();
    try {
      return await this.#startFrom(signal, start, found);
    } catch (thrown) {
      if (signal.aborted || (await found) === null) throw thrown;
      // Whatever it was, it will not happen again without the snapshot.
      await snapshots.giveUp().catch(() => undefined);
      return this.#startFrom(signal, start, Promise.resolve(null));
    }
  }

  /** The frame is got ready while the files and the snapshot are on their way. */
  async #startFrom(
    signal: AbortSignal,
    { name, status }: Start,
    found: Promise<ArrayBuffer | null>,
  ): Promise<Interpreter> {
    const { limits } = this.#deps;
    const arriving = this.#fetchFiles();
    const interpreter = await this.#open(signal, name, arriving);
    try {
      const [assets, snapshot] = await Promise.all([arriving.assets, found]);
      await interpreter.start(signal, assets, snapshot, limits, (step) => {
        status?.isAt(step);
      });
      return interpreter;
    } catch (thrown) {
      interpreter.dispose();
      throw thrown;
    }
  }

  async #open(signal: AbortSignal, name: string, { boot }: ArrivingFiles): Promise<Interpreter> {
    const { document } = this.#deps;
    return new Interpreter(name, await openAnswering(signal, () => openFrame(document, boot)));
  }

  #fetchFiles(): ArrivingFiles {
    if (this.#arriving !== null) return this.#arriving;
    const { document } = this.#deps;
    const arriving = fetchSandboxFiles(document.baseURI, (received, total) => {
      this.#status.isAt(`Loading Python: ${megabytes(received)} of ${megabytes(total)} MB`);
    });
    arriving.assets.catch(() => {
      // The next start tries again.
      this.#arriving = null;
    });
    return (this.#arriving = arriving);
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
