/** Started interpreters for whoever opens a folder; one can be kept warm. */

import type { Limits } from '../spec/limits.ts';
import { fetchSandboxFiles, type SandboxFiles } from './assets.ts';
import { openFrame } from './frame.ts';
import { Interpreter } from './interpreter.ts';

export interface InterpreterSourceOptions {
  readonly document: Document;
  readonly limits: Limits;
  /** Told what the start is at, for the person who waits. */
  onStep(step: string): void;
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

  /** A started interpreter that has seen no tool code. @throws {ToolError} */
  async take(signal: AbortSignal): Promise<Interpreter> {
    const warm = this.#warm;
    this.#warm = null;
    const interpreter = await warm?.catch(() => null);
    return interpreter?.alive ? interpreter : this.#start(signal);
  }

  async #start(signal: AbortSignal): Promise<Interpreter> {
    const { document, limits, onStep } = this.#options;
    const files = await this.#fetchFiles();
    const frame = await openFrame(document, files.broker);
    const interpreter = new Interpreter(`python-${++this.#started}`, frame);
    try {
      await interpreter.start(signal, files, limits, onStep);
      return interpreter;
    } catch (thrown) {
      interpreter.dispose();
      throw thrown;
    }
  }

  #fetchFiles(): Promise<SandboxFiles> {
    const { document, onStep } = this.#options;
    this.#files ??= fetchSandboxFiles(document.baseURI, (received, total) => {
      onStep(`Loading Python: ${megabytes(received)} of ${megabytes(total)} MB`);
    }).catch((thrown: unknown) => {
      // The next start tries again.
      this.#files = null;
      throw thrown;
    });
    return this.#files;
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
