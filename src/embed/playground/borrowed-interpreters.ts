/** The interpreters of another playground of the page with the same files. When it goes, or the files change, this one opens its own. */

import type {
  FolderInspector,
  FolderInterpreters,
} from '../../runtime/open-folder/folder-interpreters.ts';
import { failure, endingText } from '../../runtime/call/results.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { FolderChanges, FolderSnapshot } from '../../runtime/spec/folder.ts';
import type { SettingValues } from '../../runtime/spec/setting.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import { lend } from './lent-interpreters.ts';
import type { SharingChannel } from './sharing-channel.ts';
import { thrownOf, type Answer, type Asked } from './sharing-wire.ts';

export interface BorrowingDeps {
  readonly channel: SharingChannel;
  /** The frame that has Python. */
  readonly lender: string;
  /** Opens interpreters with the files as they were at first. */
  readonly open: () => Promise<FolderInterpreters>;
}

type Value = Extract<Answer, { step: 'done' }>['value'];

interface Pending {
  readonly onStep: (answer: Answer) => void;
  readonly resolve: (value: Value) => void;
  readonly reject: (thrown: ToolError) => void;
}

/** Milliseconds between two questions whether the frame that has Python still is there, while it owes an answer. */
const pingMs = 700;
/** Unanswered questions after which it counts as gone. */
const maxUnanswered = 4;

export class BorrowedInterpreters implements FolderInterpreters {
  readonly #channel: SharingChannel;
  readonly #open: () => Promise<FolderInterpreters>;
  readonly #pending = new Map<number, Pending>();
  /** The frame that everything pending was asked of. */
  #lender: string;
  /** Null while another frame's are used. */
  #own: Promise<FolderInterpreters | null> = Promise.resolve(null);
  #borrows = true;
  #asked = 0;
  #unanswered = 0;
  #pings: ReturnType<typeof setInterval> | undefined;

  constructor({ channel, lender, open }: BorrowingDeps) {
    this.#channel = channel;
    this.#lender = lender;
    this.#open = open;
    this.#listen();
  }

  async ready(): Promise<void> {
    // Once more if the frame that has Python went.
    await this.#start().catch(() => this.#start());
  }

  async #start(): Promise<void> {
    const own = await this.#own;
    if (own !== null) return own.ready();
    await this.#ask(null, { ask: 'ready' });
  }

  async inspect(
    ...[signal, files, onReport]: Parameters<FolderInterpreters['inspect']>
  ): Promise<void> {
    const own = await this.#own;
    if (own !== null) return own.inspect(signal, files, onReport);
    await this.#ask(signal, { ask: 'inspect', files }, (answer) => {
      if (answer.step !== 'report') return;
      onReport('code' in answer.report ? thrownOf(answer.report) : answer.report);
    });
  }

  readonly run: FolderInterpreters['run'] = async (signal, tool, call, watch) => {
    // Once more if the frame that has Python went before the call began.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const started = { already: false };
      try {
        const own = await this.#own;
        if (own !== null) return await own.run(signal, tool, call, watch);
        const result = await this.#ask(signal, { ask: 'run', tool, call }, (answer) => {
          if (answer.step === 'start') {
            started.already = true;
            watch.onStart();
          } else if (answer.step === 'stream') watch.onStream(answer.stream);
        });
        return result as ToolResult;
      } catch {
        if (started.already) break;
      }
    }
    return failure('interrupted', endingText('interrupted', tool.name, 'Run it again.'));
  };

  readonly check: FolderInterpreters['check'] = async (signal, tool, call) => {
    try {
      const own = await this.#own;
      if (own !== null) return await own.check(signal, tool, call);
      return (await this.#ask(signal, { ask: 'check', tool, call })) as ToolResult | null;
    } catch {
      return null;
    }
  };

  readonly needsApproval: FolderInterpreters['needsApproval'] = async (signal, tool, call) => {
    const own = await this.#own;
    if (own !== null) return own.needsApproval(signal, tool, call);
    // In case of doubt, approval is needed.
    return (await this.#ask(signal, { ask: 'approval', tool, call })) !== false;
  };

  readonly judge: FolderInterpreters['judge'] = async (...asked) =>
    (await this.#separate()).judge(...asked);

  list(): ReturnType<FolderInterpreters['list']> {
    return [];
  }

  observe(): () => void {
    return () => undefined;
  }

  endSession(id: string): void {
    if (this.#borrows) this.#channel.send({ type: 'leave', from: this.#channel.id });
    this.#withOwn((own) => own.endSession(id));
  }

  update(folder: FolderSnapshot, changes: FolderChanges): void {
    void this.#separate().then(
      (own) => own.update(folder, changes),
      () => undefined,
    );
  }

  setSettings(settings: SettingValues): void {
    void this.#separate().then(
      (own) => own.setSettings(settings),
      () => undefined,
    );
  }

  openInspector(): FolderInspector {
    let inspector: Promise<FolderInspector> | null = null;
    const opened = (): Promise<FolderInspector> =>
      (inspector ??= this.#separate().then((own) => own.openInspector()));
    return {
      inspect: async (...asked) => (await opened()).inspect(...asked),
      propose: async (...asked) => (await opened()).propose(...asked),
      dispose: () => {
        inspector?.then(
          (one) => one.dispose(),
          () => undefined,
        );
      },
    };
  }

  retire(): void {
    this.#withOwn((own) => own.retire());
    this.#leave();
  }

  dispose(): void {
    this.#withOwn((own) => own.dispose());
    this.#leave();
  }

  #withOwn(then: (own: FolderInterpreters) => void): void {
    void this.#own.then(
      (own) => {
        if (own !== null) then(own);
      },
      () => undefined,
    );
  }

  #listen(): void {
    const { id } = this.#channel;
    this.#channel.listen((message) => {
      if (message.type === 'lent') this.#hear(message.from);
      else if (message.type === 'gone') this.#replace();
      else if (message.type === 'answer' && message.to === id)
        this.#take(message.n, message.answer);
    });
  }

  /** A frame says that it has Python. While another one owes an answer, only that one counts. */
  #hear(lender: string): void {
    if (this.#pending.size === 0) this.#lender = lender;
    if (lender === this.#lender) this.#unanswered = 0;
  }

  /** Opens separate interpreters, which this frame does not share. */
  async #separate(): Promise<FolderInterpreters> {
    const own = this.#own.then((current) => current ?? this.#open());
    this.#own = own;
    own.catch(() => undefined);
    this.#leave();
    return own;
  }

  /** The frame that had Python is gone: this one, or another of those that are left, takes its place. */
  #replace(): void {
    if (!this.#borrows) return;
    this.#giveUp();
    this.#own = this.#channel.elect().then(async (lender) => {
      if (!this.#borrows) return null;
      if (lender !== null) {
        this.#lender = lender;
        this.#listen();
        return null;
      }
      this.#borrows = false;
      return lend(this.#channel, this.#open);
    });
    this.#own.catch(() => undefined);
  }

  #leave(): void {
    if (!this.#borrows) return;
    this.#borrows = false;
    this.#channel.send({ type: 'leave', from: this.#channel.id });
    this.#channel.close();
    this.#giveUp();
  }

  /** Fails all pending requests, because they will not be answered. */
  #giveUp(): void {
    clearInterval(this.#pings);
    this.#pings = undefined;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of pending) reject(ended());
  }

  #ask(
    signal: AbortSignal | null,
    asked: Asked,
    onStep: (answer: Answer) => void = () => undefined,
  ): Promise<Value> {
    if (!this.#borrows) return Promise.reject(ended());
    const from = this.#channel.id;
    const n = (this.#asked += 1);
    const abort = (): void => this.#channel.send({ type: 'abort', from, n });
    signal?.addEventListener('abort', abort, { once: true });
    this.#channel.send({ type: 'ask', from, to: this.#lender, n, asked });
    if (signal?.aborted === true) abort();
    this.#watchOver();
    return new Promise<Value>((resolve, reject) => {
      this.#pending.set(n, { onStep, resolve, reject });
    }).finally(() => signal?.removeEventListener('abort', abort));
  }

  #watchOver(): void {
    if (this.#pings !== undefined) return;
    this.#unanswered = 0;
    this.#pings = setInterval(() => {
      if (this.#pending.size === 0) {
        clearInterval(this.#pings);
        this.#pings = undefined;
      } else if (this.#unanswered === maxUnanswered) this.#replace();
      else {
        this.#unanswered += 1;
        this.#channel.send({ type: 'ping' });
      }
    }, pingMs);
  }

  #take(n: number, answer: Answer): void {
    const pending = this.#pending.get(n);
    if (pending === undefined) return;
    this.#unanswered = 0;
    if (answer.step === 'done' || answer.step === 'failed') this.#pending.delete(n);
    if (answer.step === 'done') pending.resolve(answer.value);
    else if (answer.step === 'failed') pending.reject(thrownOf(answer.error));
    else pending.onStep(answer);
  }
}

function ended(): ToolError {
  return new ToolError('crashed', 'Python was ended', 'Run the tool again.');
}
