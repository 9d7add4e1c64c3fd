/** One call of a fixture's handler: what it streams and asks, and its result, as the broker reports them. */

import type { Ask, AskAnswer } from '../../../src/runtime/protocol/ask.ts';
import type { FromBroker, PythonOutcome, Streamed } from '../../../src/runtime/protocol/frame.ts';
import type { Frame, Stream } from '../../../src/runtime/spec/result.ts';
import { pythonContent, pythonJson } from './python-content.ts';
import { PythonError, type FakeCall } from './tool-file.ts';

type Tell = (message: FromBroker) => void;

export class RunningCall implements FakeCall {
  readonly source: string;
  readonly memory: Map<string, unknown>;
  readonly files: Map<string, Uint8Array> | null;
  readonly #id: number;
  readonly #tell: Tell;
  readonly #cancelled = Promise.withResolvers<never>();
  readonly #answers = new Map<number, (answer: AskAnswer) => void>();
  #asked = 0;
  #streamed: Streamed = {
    updates: [],
    updatesDropped: 0,
    stdout: '',
    stderr: '',
    outputDropped: 0,
    log: [],
  };

  constructor(id: number, given: Pick<FakeCall, 'source' | 'memory' | 'files'>, tell: Tell) {
    this.#id = id;
    this.#tell = tell;
    this.source = given.source;
    this.memory = given.memory;
    this.files = given.files;
    // A handler that waits for nothing hears of no cancel.
    this.#cancelled.promise.catch(() => undefined);
  }

  get streamed(): Streamed {
    return this.#streamed;
  }

  update(value: unknown): void {
    const update = { n: this.#streamed.updates.length, json: pythonJson(value) };
    this.#streamed = { ...this.#streamed, updates: [...this.#streamed.updates, update] };
    this.#stream({ updates: [update] });
  }

  print(text: string): void {
    const out = `${text}\n`;
    this.#streamed = { ...this.#streamed, stdout: this.#streamed.stdout + out };
    this.#stream({ out });
  }

  sleep(ms: number): Promise<void> {
    return this.#unlessCancelled(new Promise((wake) => setTimeout(wake, ms)));
  }

  async approve(question: string, details?: unknown): Promise<boolean> {
    const shown = details === undefined ? null : pythonJson(details);
    const answer = await this.#ask({ ask: 'approve', question, details: shown });
    return answer.answer === 'approval' && answer.approved;
  }

  async fetch(url: string): Promise<number> {
    const answer = await this.#ask({
      ask: 'fetch',
      url,
      method: 'GET',
      headers: [],
      body: null,
      timeoutMs: null,
    });
    if (answer.answer === 'refused') throw new PythonError(answer.error, answer.message);
    return answer.answer === 'response' ? answer.status : 0;
  }

  async call(tool: string, args: unknown): Promise<unknown> {
    const answer = await this.#ask({ ask: 'call', tool, arguments: JSON.stringify(args) });
    return answer.answer === 'value' ? JSON.parse(answer.value) : answer;
  }

  cancel(): void {
    this.#cancelled.reject(new PythonError('CancelledError', ''));
  }

  answer(n: number, answer: AskAnswer): void {
    this.#answers.get(n)?.(answer);
  }

  /** @param handled what the handler returned, or rejects with what it threw */
  async outcome(file: string, handled: Promise<unknown>): Promise<PythonOutcome> {
    const shared = { metadata: '{}', recoverable: false };
    try {
      const content = pythonContent(await handled);
      return { ok: true, content, ...shared, streamed: this.#streamed };
    } catch (thrown) {
      const { type, message, at, libraries } =
        thrown instanceof PythonError ? thrown : new PythonError('RuntimeError', String(thrown));
      const error = message === '' ? type : `${type}: ${message}`;
      const frames = at === undefined ? [] : [this.#frame(file, at)];
      const traceback = [
        'Traceback (most recent call last):',
        ...frames.map(({ line, name }) => `  File "${file}", line ${line}, in ${name}\n    ${at}`),
        ...libraries.map((path) => `  File "${path}", line 1, in call\n    call()`),
        error,
      ].join('\n');
      const failed = { ok: false, content: [], error, message: error, traceback, frames };
      return { ...failed, ...shared, streamed: this.#streamed };
    }
  }

  #frame(file: string, at: string): Frame {
    const lines = this.source.split('\n');
    const index = lines.findIndex((text) => text.includes(at));
    const defined = lines.slice(0, index).reverse().join('\n');
    const [, name = '<module>'] = /def (\w+)/.exec(defined) ?? [];
    return { file, line: index + 1, name };
  }

  #ask(ask: Ask): Promise<AskAnswer> {
    const n = (this.#asked += 1);
    this.#tell({ type: 'ask', id: this.#id, n, ask });
    return this.#unlessCancelled(new Promise((resolve) => this.#answers.set(n, resolve)));
  }

  #unlessCancelled<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#cancelled.promise]);
  }

  #stream(part: Partial<Stream>): void {
    const stream = { updates: [], dropped: 0, out: '', err: '', log: [], ...part };
    this.#tell({ type: 'stream', id: this.#id, stream });
  }
}
