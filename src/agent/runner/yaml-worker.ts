/** Reads and changes YAML in a worker, which is started with the first text. */

import type { MessageTap } from '../../runtime/protocol/message-tap.ts';
import type { Remote } from 'comlink';
import { WorkerClient, type RunningWorker } from '../../runtime/async/worker-client.ts';
import type { ParsedText, YamlTexts, YamlWorker } from '../../runtime/protocol/yaml.ts';

/** A text that takes longer is given up, with the worker. */
const deadlineMs = 5_000;
/** Longest time in which the worker's script is loaded; milliseconds. */
const startMs = 60_000;

export function yamlTexts(start: () => Worker): YamlTexts {
  const client = new WorkerClient<YamlWorker>({
    start,
    died: () => new Error('Reading plans and evaluations has failed. Reload the page.'),
  });
  const { signal } = new AbortController();
  /** Workers whose script has loaded. */
  const loaded = new WeakSet<RunningWorker<YamlWorker>>();
  let last: Promise<unknown> = Promise.resolve();

  /** Asks one question after the other: each has the whole time, and one that takes too long ends no other. */
  function ask<T>(question: Question<T>): Promise<T> {
    const answer = last.then(() => askNow(question));
    last = answer.catch(() => undefined);
    return answer;
  }

  async function askNow<T>(question: Question<T>): Promise<T> {
    const worker = client.connect();
    if (!loaded.has(worker)) {
      const limits = { deadlineMs: startMs, what: 'Loading the code' };
      await worker.ask(signal, worker.remote.lines('', []), limits);
      loaded.add(worker);
    }
    return worker.ask(signal, question(worker.remote), { deadlineMs, what: 'Reading the text' });
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

export function startYamlWorker(tap: MessageTap): Worker {
  const worker = new Worker(new URL('../../../workers/texts/yaml.ts', import.meta.url), {
    type: 'module',
    name: 'yaml',
  });
  return tap.watch('yaml', worker);
}

type Question<T> = (worker: Remote<YamlWorker>) => Promise<T>;
