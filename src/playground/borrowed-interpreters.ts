/** The interpreters of another playground of the page with the same files. When it goes, or the files change, this one opens its own. */

import type { FolderInspector, FolderInterpreters } from '../app/folder/folder-interpreters.ts';
import { failure, endingText } from '../call/results.ts';
import { ToolError } from '../spec/error.ts';
import type { FolderChanges, FolderSnapshot } from '../spec/folder.ts';
import type { ToolResult } from '../spec/result.ts';
import { LentInterpreters } from './lent-interpreters.ts';
import type { SharingChannel } from './sharing-channel.ts';
import { thrownOf, type Answer, type Asked, type Shared } from './sharing-wire.ts';

export interface BorrowingDeps {
  /** Of the lock. */
  readonly name: string;
  readonly channel: SharingChannel;
  readonly locks: LockManager;
  readonly id: string;
  /** Opens interpreters with the files as they were at first. */
  readonly open: () => Promise<FolderInterpreters>;
}

type Value = Extract<Answer, { step: 'done' }>['value'];

interface Pending {
  readonly onStep: (answer: Answer) => void;
  readonly resolve: (value: Value) => void;
  readonly reject: (thrown: ToolError) => void;
}

export class BorrowedInterpreters implements FolderInterpreters {
  readonly #deps: BorrowingDeps;
  readonly #pending = new Map<number, Pending>();
  readonly #life = new AbortController();
  /** Null while another frame's are used. */
  #own: Promise<FolderInterpreters> | null = null;
  #asked = 0;

  constructor(deps: BorrowingDeps) {
    this.#deps = deps;
    const { name, locks, channel, id } = deps;
    channel.listen((message) => {
      if (message.type === 'lent') this.#giveUp();
      else if (message.type === 'answer' && message.to === id) this.#take(message.n, message.answer);
    });
    // Granted when the frame that has Python is gone, or its files have changed.
    locks
      .request(name, { signal: this.#life.signal }, () => {
        if (this.#own !== null) return undefined;
        return new Promise<void>((release) => {
          this.#lend(release);
        });
      })
      .catch(() => undefined);
  }

  async ready(): Promise<void> {
    if (this.#own !== null) return (await this.#own).ready();
    await this.#ask(null, { ask: 'ready' });
  }

  async inspect(...[signal, files, onReport]: Parameters<FolderInterpreters['inspect']>): Promise<void> {
    if (this.#own !== null) return (await this.#own).inspect(signal, files, onReport);
    await this.#ask(signal, { ask: 'inspect', files }, (answer) => {
      if (answer.step !== 'report') return;
      onReport('code' in answer.report ? thrownOf(answer.report) : answer.report);
    });
  }

  readonly run: FolderInterpreters['run'] = async (signal, tool, call, watch) => {
    if (this.#own !== null) return (await this.#own).run(signal, tool, call, watch);
    try {
      const result = await this.#ask(signal, { ask: 'run', tool, call }, (answer) => {
        if (answer.step === 'start') watch.onStart();
        else if (answer.step === 'stream') watch.onStream(answer.stream);
      });
      return result as ToolResult;
    } catch {
      return failure('interrupted', endingText('interrupted', tool.name, 'Run it again.'));
    }
  };

  readonly check: FolderInterpreters['check'] = async (signal, tool, call) => {
    if (this.#own !== null) return (await this.#own).check(signal, tool, call);
    return this.#ask(signal, { ask: 'check', tool, call }).catch(() => null) as Promise<ToolResult | null>;
  };

  readonly needsApproval: FolderInterpreters['needsApproval'] = async (signal, tool, call) => {
    if (this.#own !== null) return (await this.#own).needsApproval(signal, tool, call);
    return (await this.#ask(signal, { ask: 'approval', tool, call })) === true;
  };

  readonly judge: FolderInterpreters['judge'] = async (...asked) =>
    (await this.#takeOver()).judge(...asked);

  list(): ReturnType<FolderInterpreters['list']> {
    return [];
  }

  observe(): () => void {
    return () => undefined;
  }

  endSession(id: string): void {
    if (this.#own === null) this.#send({ type: 'leave', from: this.#deps.id });
    else void this.#own.then((own) => own.endSession(id)).catch(() => undefined);
  }

  update(folder: FolderSnapshot, changes: FolderChanges): void {
    void this.#takeOver().then((own) => own.update(folder, changes)).catch(() => undefined);
  }

  openInspector(): FolderInspector {
    let inspector: Promise<FolderInspector> | null = null;
    return {
      inspect: async (...asked) => {
        inspector ??= this.#takeOver().then((own) => own.openInspector());
        return (await inspector).inspect(...asked);
      },
      dispose: () => {
        inspector?.then((opened) => opened.dispose()).catch(() => undefined);
      },
    };
  }

  retire(): void {
    if (this.#own === null) this.dispose();
    else void this.#own.then((own) => own.retire()).catch(() => undefined);
  }

  dispose(): void {
    this.#leave();
    this.#own?.then((own) => own.dispose()).catch(() => undefined);
  }

  /** Opens interpreters of its own, which it does not share. */
  #takeOver(): Promise<FolderInterpreters> {
    if (this.#own !== null) return this.#own;
    this.#leave();
    this.#own = this.#deps.open();
    this.#own.catch(() => undefined);
    return this.#own;
  }

  /** Takes the place of the frame that is gone. */
  #lend(release: () => void): void {
    const { channel, open } = this.#deps;
    this.#own = open().then((own) => new LentInterpreters({ channel, release, own }));
    this.#own.catch(release);
    this.#giveUp();
  }

  #leave(): void {
    if (this.#life.signal.aborted || this.#own !== null) return;
    this.#send({ type: 'leave', from: this.#deps.id });
    this.#life.abort();
    this.#deps.channel.close();
    this.#giveUp();
  }

  /** What was asked will not be answered. */
  #giveUp(): void {
    const gone = new ToolError('crashed', 'Python was ended', 'Run the tool again.');
    for (const { reject } of this.#pending.values()) reject(gone);
    this.#pending.clear();
  }

  #ask(
    signal: AbortSignal | null,
    asked: Asked,
    onStep: (answer: Answer) => void = () => undefined,
  ): Promise<Value> {
    const n = (this.#asked += 1);
    const abort = (): void => {
      this.#send({ type: 'abort', from: this.#deps.id, n });
    };
    signal?.addEventListener('abort', abort, { once: true });
    this.#send({ type: 'ask', from: this.#deps.id, n, asked });
    if (signal?.aborted === true) abort();
    return new Promise<Value>((resolve, reject) => {
      this.#pending.set(n, { onStep, resolve, reject });
    }).finally(() => signal?.removeEventListener('abort', abort));
  }

  #send(shared: Shared): void {
    this.#deps.channel.send(shared);
  }

  #take(n: number, answer: Answer): void {
    const pending = this.#pending.get(n);
    if (pending === undefined) return;
    if (answer.step === 'done' || answer.step === 'failed') this.#pending.delete(n);
    if (answer.step === 'done') pending.resolve(answer.value);
    else if (answer.step === 'failed') pending.reject(thrownOf(answer.error));
    else pending.onStep(answer);
  }
}
