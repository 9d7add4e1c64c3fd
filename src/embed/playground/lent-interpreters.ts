/** The interpreters of the frame that has Python, which also run the calls of other playgrounds with the same files. */

import type {
  FolderInspector,
  FolderInterpreters,
} from '../../runtime/open-folder/folder-interpreters.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { SharingChannel } from './sharing-channel.ts';
import { saidError, type Answer, type Asked, type Shared } from './sharing-wire.ts';

export interface LendingDeps {
  readonly channel: SharingChannel;
  readonly own: FolderInterpreters;
}

/** Opens interpreters for this frame and others. If that fails, another frame takes its place. */
export async function lend(
  channel: SharingChannel,
  open: () => Promise<FolderInterpreters>,
): Promise<LentInterpreters> {
  try {
    return new LentInterpreters({ channel, own: await open() });
  } catch (thrown) {
    channel.end();
    throw thrown;
  }
}

export class LentInterpreters implements FolderInterpreters {
  readonly #channel: SharingChannel;
  readonly #own: FolderInterpreters;
  readonly #running = new Map<string, AbortController>();
  readonly #borrowers = new Set<string>();
  readonly #forgetFrame: () => void;
  #isLending = true;

  constructor({ channel, own }: LendingDeps) {
    this.#channel = channel;
    this.#own = own;
    channel.listen((message) => {
      if (message.type === 'claim' || message.type === 'ping') this.#say();
      else this.#take(message);
    });
    this.#say();
    this.#forgetFrame = channel.whenGone(this.#stopLending);
  }

  ready: FolderInterpreters['ready'] = () => this.#own.ready();
  inspect: FolderInterpreters['inspect'] = (...request) => this.#own.inspect(...request);
  run: FolderInterpreters['run'] = (...call) => this.#own.run(...call);
  check: FolderInterpreters['check'] = (...call) => this.#own.check(...call);
  needsApproval: FolderInterpreters['needsApproval'] = (...call) =>
    this.#own.needsApproval(...call);
  judge: FolderInterpreters['judge'] = (...asked) => this.#own.judge(...asked);
  list: FolderInterpreters['list'] = () => this.#own.list();
  observe: FolderInterpreters['observe'] = (listener) => this.#own.observe(listener);

  endSession(id: string): void {
    this.#own.endSession(id);
  }

  openInspector(): FolderInspector {
    return this.#own.openInspector();
  }

  /** The others go on with the files as they were, in a Python that one of them starts. */
  update(...change: Parameters<FolderInterpreters['update']>): void {
    this.#stopLending();
    this.#own.update(...change);
  }

  setSettings(...values: Parameters<FolderInterpreters['setSettings']>): void {
    this.#stopLending();
    this.#own.setSettings(...values);
  }

  retire(): void {
    this.#stopLending();
    this.#own.retire();
  }

  dispose(): void {
    this.#stopLending();
    this.#own.dispose();
  }

  #say(): void {
    this.#channel.send({ type: 'lent', from: this.#channel.id });
  }

  readonly #stopLending = (): void => {
    if (!this.#isLending) return;
    this.#isLending = false;
    this.#forgetFrame();
    this.#channel.end();
    for (const stop of this.#running.values()) stop.abort();
    for (const from of this.#borrowers) this.#own.endSession(sessionOf(from));
  };

  #take(shared: Shared): void {
    if (shared.type !== 'leave' && shared.type !== 'abort' && shared.type !== 'ask') return;
    const { from } = shared;
    if (shared.type === 'leave') {
      this.#borrowers.delete(from);
      for (const [key, stop] of this.#running) if (key.startsWith(`${from} `)) stop.abort();
      this.#own.endSession(sessionOf(from));
      return;
    }
    // The request was for the frame that lent Python before. Its sender will repeat it.
    if (shared.type === 'ask' && shared.to !== this.#channel.id) return;
    const key = `${from} ${shared.n}`;
    if (shared.type === 'abort') {
      this.#running.get(key)?.abort();
      return;
    }
    this.#borrowers.add(from);
    const stop = new AbortController();
    this.#running.set(key, stop);
    const send = (answer: Answer): void => {
      this.#channel.send({ type: 'answer', to: from, n: shared.n, answer });
    };
    void this.#answer(stop.signal, from, shared.asked, send)
      .then(
        (value) => send({ step: 'done', value }),
        (thrown: unknown) => send({ step: 'failed', error: saidError(thrown) }),
      )
      .finally(() => this.#running.delete(key));
  }

  async #answer(
    signal: AbortSignal,
    from: string,
    asked: Asked,
    send: (answer: Answer) => void,
  ): Promise<Extract<Answer, { step: 'done' }>['value']> {
    const own = this.#own;
    switch (asked.ask) {
      case 'ready':
        await own.ready();
        return null;
      case 'inspect':
        await own.inspect(signal, asked.files, (report) => {
          send({
            step: 'report',
            report: report instanceof ToolError ? saidError(report) : report,
          });
        });
        return null;
      default: {
        // Each playground has a separate Python state.
        const call = { ...asked.call, sessionId: sessionOf(from) };
        if (asked.ask === 'check') return own.check(signal, asked.tool, call);
        if (asked.ask === 'approval') return own.needsApproval(signal, asked.tool, call);
        return own.run(signal, asked.tool, call, {
          onStart: () => send({ step: 'start' }),
          onStream: (stream) => send({ step: 'stream', stream }),
        });
      }
    }
  }
}

function sessionOf(from: string): string {
  return `playground ${from}`;
}
