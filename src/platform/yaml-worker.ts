/** Reads and changes YAML in a worker, which is started with the first text. */

import { wrap, type Remote } from 'comlink';
import { wait } from '../async/wait.ts';
import { ToolError } from '../spec/error.ts';
import type { ParsedText, YamlTexts, YamlWorker } from '../protocol/yaml.ts';

/** A text that takes longer is given up, with the worker. */
const deadlineMs = 5_000;

/** @param start starts the worker; an `error` event of the worker means that it has died */
export function yamlTexts(start: () => Worker): YamlTexts {
  let running: Running | null = null;

  async function ask<T>(question: (worker: Remote<YamlWorker>) => Promise<T>): Promise<T> {
    if (running === null || running.lost.signal.aborted) running = new Running(start());
    const { remote, lost } = running;
    const { signal } = new AbortController();
    const worker = running;
    try {
      return await wait(signal, question(remote), {
        ...{ lost: lost.signal, deadlineMs, what: 'Reading the text' },
      });
    } catch (thrown) {
      if (isTimeout(thrown)) worker.end(thrown);
      throw thrown;
    }
  }

  return {
    parse: (text) => ask(async (worker): Promise<ParsedText> => worker.parse(text)),
    lines: (text, paths) => ask((worker) => worker.lines(text, paths)),
    planText: (plan) => ask((worker) => worker.planText(plan)),
    withValue: (...asked) => ask((worker) => worker.withValue(...asked)),
    withTask: (...asked) => ask((worker) => worker.withTask(...asked)),
    withoutTask: (...asked) => ask((worker) => worker.withoutTask(...asked)),
    withMovedTask: (...asked) => ask((worker) => worker.withMovedTask(...asked)),
    withTaskId: (...asked) => ask((worker) => worker.withTaskId(...asked)),
  };
}

export function startYamlWorker(): Worker {
  return new Worker(new URL('../../workers/texts/yaml.ts', import.meta.url), {
    type: 'module',
    name: 'yaml',
  });
}

/** A worker until its death. */
class Running {
  readonly remote: Remote<YamlWorker>;
  readonly lost = new AbortController();
  readonly #worker: Worker;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.remote = wrap<YamlWorker>(worker);
    worker.addEventListener('error', () => {
      this.end(new Error('Reading plans and evaluations has failed. Reload the page.'));
    });
  }

  /** All other questions end too. */
  end(reason: unknown): void {
    this.#worker.terminate();
    this.lost.abort(reason);
  }
}

function isTimeout(thrown: unknown): boolean {
  return thrown instanceof ToolError && thrown.code === 'timeout';
}
