/** Started interpreters for whoever opens a folder; one can be kept warm. */

import { errorText } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import { fetchSandboxFiles, type SandboxFiles } from './assets.ts';
import { openFrame } from './frame.ts';
import { Interpreter } from './interpreter.ts';
import type { Snapshots } from './snapshots.ts';

export interface InterpreterSourceOptions {
  readonly document: Document;
  readonly limits: Limits;
  /** Null where none can be kept. Never rejects. */
  readonly snapshots: Promise<Snapshots | null>;
  /** Told what a start is at or what it failed with, for the person who waits. */
  readonly onStatus: (state: 'starting' | 'ready' | 'failed', text: string) => void;
}

interface Start {
  readonly name: string;
  readonly onStatus: InterpreterSourceOptions['onStatus'];
}

export class InterpreterSource {
  readonly #options: InterpreterSourceOptions;
  #files: Promise<SandboxFiles> | null = null;
  #warm: Promise<Interpreter> | null = null;
  #started = 0;
  /** Starts under way. */
  #starts = 0;
  #making: AbortController | null = null;

  constructor(options: InterpreterSourceOptions) {
    this.#options = options;
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
    const interpreter = await Promise.race([warm.catch(() => null), aborted(signal)]);
    if (signal.aborted) {
      this.#warm ??= warm;
      signal.throwIfAborted();
    }
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
    const { document, limits } = this.#options;
    const snapshots = await this.#options.snapshots;
    if (snapshots === null) return;
    const files = await this.#fetchFiles();
    const interpreter = new Interpreter('snapshot', await openFrame(document, files.broker));
    this.#making = new AbortController();
    const either = AbortSignal.any([signal, this.#making.signal]);
    try {
      // The bytes are still the frame's: it goes when they are stored.
      await snapshots.keep(await interpreter.makeSnapshot(either, files, limits));
    } finally {
      interpreter.dispose();
    }
  }

  async #start(signal: AbortSignal, quiet = false): Promise<Interpreter> {
    const onStatus = quiet ? (): void => undefined : this.#options.onStatus;
    const start: Start = { name: `python-${++this.#started}`, onStatus };
    this.#starts += 1;
    this.#making?.abort();
    try {
      const interpreter =
        (await this.#startQuickly(signal, start)) ?? (await this.#startFrom(signal, start, null));
      onStatus('ready', '');
      return interpreter;
    } catch (thrown) {
      if (!signal.aborted) onStatus('failed', errorText(thrown));
      throw thrown;
    } finally {
      this.#starts -= 1;
    }
  }

  /** Null: it has to be done without a snapshot. */
  async #startQuickly(signal: AbortSignal, start: Start): Promise<Interpreter | null> {
    const { snapshots: opened } = this.#options;
    const found = opened.then((snapshots) => snapshots?.find());
    const [snapshots, snapshot] = await Promise.all([opened, found, this.#fetchFiles()]);
    if (!snapshots || !snapshot) return null;
    try {
      return await this.#startFrom(signal, start, snapshot);
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      // Whatever it was, it will not happen again without the snapshot.
      await snapshots.giveUp().catch(() => undefined);
      return null;
    }
  }

  async #startFrom(
    signal: AbortSignal,
    { name, onStatus }: Start,
    snapshot: ArrayBuffer | null,
  ): Promise<Interpreter> {
    const { document, limits } = this.#options;
    const files = await this.#fetchFiles();
    const interpreter = new Interpreter(name, await openFrame(document, files.broker));
    try {
      await interpreter.start(signal, files, snapshot, limits, (step) => {
        onStatus('starting', step);
      });
      return interpreter;
    } catch (thrown) {
      interpreter.dispose();
      throw thrown;
    }
  }

  #fetchFiles(): Promise<SandboxFiles> {
    const { document, onStatus } = this.#options;
    this.#files ??= fetchSandboxFiles(document.baseURI, (received, total) => {
      onStatus('starting', `Loading Python: ${megabytes(received)} of ${megabytes(total)} MB`);
    }).catch((thrown: unknown) => {
      // The next start tries again.
      this.#files = null;
      throw thrown;
    });
    return this.#files;
  }
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => {
      resolve(null);
    });
    if (signal.aborted) resolve(null);
  });
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
