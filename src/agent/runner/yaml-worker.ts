/** Reads and changes YAML in a worker, which is started with the first text. */

import { wrap, type Remote } from 'comlink';
import { wait } from '../../runtime/async/wait.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { ParsedText, YamlTexts, YamlWorker } from '../../runtime/protocol/yaml.ts';

/** A text that takes longer is given up, with the worker. */
const deadlineMs = 5_000;
/** Longest time in which the worker's script is loaded; milliseconds. */
const startMs = 60_000;

/** @param start starts the worker; an `error` event of the worker means that it has died */
export function yamlTexts(start: () => Worker): YamlTexts {
  let running: Running | null = null;
  let last: Promise<unknown> = Promise.resolve();

  /** Asks one question after the other: each has the whole time, and one that takes too long ends no other. */
  function ask<T>(question: Question<T>): Promise<T> {
    const answer = last.then(() => askNow(question));
    last = answer.catch(() => undefined);
    return answer;
  }

  async function askNow<T>(question: Question<T>): Promise<T> {
    if (running === null || running.lost.signal.aborted) running = new Running(start());
    const worker = running;
    const lost = worker.lost.signal;
    const { signal } = new AbortController();
    try {
      await wait(signal, worker.loaded, { lost, deadlineMs: startMs, what: 'Loading the code' });
      return await wait(signal, question(worker.remote), {
        lost,
        deadlineMs,
        what: 'Reading the text',
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
  return new Worker(new URL('../../../workers/texts/yaml.ts', import.meta.url), {
    type: 'module',
    name: 'yaml',
  });
}

type Question<T> = (worker: Remote<YamlWorker>) => Promise<T>;

/** A worker until its death. */
class Running {
  readonly remote: Remote<YamlWorker>;
  /** Settles when the worker answers. */
  readonly loaded: Promise<unknown>;
  readonly lost = new AbortController();
  readonly #worker: Worker;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.remote = wrap<YamlWorker>(worker);
    worker.addEventListener('error', () => {
      this.end(new Error('Reading plans and evaluations has failed. Reload the page.'));
    });
    this.loaded = this.remote.lines('', []);
  }

  /** Ends the worker, and its question with it. */
  end(reason: unknown): void {
    this.#worker.terminate();
    this.lost.abort(reason);
  }
}

function isTimeout(thrown: unknown): boolean {
  return thrown instanceof ToolError && thrown.code === 'timeout';
}
