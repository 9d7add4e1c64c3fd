/** Started interpreters for whoever opens a folder; one can be kept warm. */

import { errorText } from '../spec/error.ts';
import type { Limits } from '../spec/limits.ts';
import { fetchSandboxFiles, type SandboxFiles } from './assets.ts';
import { openFrame } from './frame.ts';
import { Interpreter } from './interpreter.ts';

export interface InterpreterSourceOptions {
  readonly document: Document;
  readonly limits: Limits;
  /** Told what a start is at or what it failed with, for the person who waits. */
  readonly onStatus: (state: 'starting' | 'ready' | 'failed', text: string) => void;
}

export class InterpreterSource {
  readonly #options: InterpreterSourceOptions;
  #files: Promise<SandboxFiles> | null = null;
  #warm: Promise<Interpreter> | null = null;
  #started = 0;

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

  async #start(signal: AbortSignal, quiet = false): Promise<Interpreter> {
    const { document, limits } = this.#options;
    const onStatus = quiet ? (): void => undefined : this.#options.onStatus;
    let interpreter: Interpreter | null = null;
    try {
      const files = await this.#fetchFiles();
      const frame = await openFrame(document, files.broker);
      interpreter = new Interpreter(`python-${++this.#started}`, frame);
      await interpreter.start(signal, files, limits, (step) => {
        onStatus('starting', step);
      });
      onStatus('ready', '');
      return interpreter;
    } catch (thrown) {
      interpreter?.dispose();
      if (!signal.aborted) onStatus('failed', errorText(thrown));
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
