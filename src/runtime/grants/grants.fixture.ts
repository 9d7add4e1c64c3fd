/** A folder's policy with fakes for everything around it: network, user, clock. */

import { toolCall } from '../spec/call.fixture.ts';
import type { CallClock, FetchAsk, OpenHost } from '../protocol/ask.ts';
import { fakeTool } from '../scan/tool.fixture.ts';
import type { NetworkRequest } from '../protocol/network.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { FolderPolicy } from './folder-policy.ts';
import { hostOpener } from './call-grants.ts';
import { Questions, type Reply, type Unaskable } from './questions.ts';
import { RequestLog } from './request-log.ts';
import type { Sent } from './network-sender.ts';
import { Semaphore } from '../async/wait.ts';

export const origin = 'https://api.example.com';

function ignore(thrown: unknown): void {
  throw thrown;
}

export function registered(overrides: Partial<RegisteredTool> = {}): RegisteredTool {
  return { ...fakeTool('t:f'), hash: '', loadedAt: 0, state: 'ready', ...overrides };
}

export function get(url: string, more: Partial<FetchAsk> = {}): FetchAsk {
  return { ask: 'fetch', url, method: 'GET', headers: [], body: null, timeoutMs: null, ...more };
}

/** Returns a response whose body consists of these pieces. */
export function response(
  pieces: readonly string[] = [],
  status = 200,
): Exclude<Sent, { failed: string }> {
  const rest = pieces.map((piece) => new TextEncoder().encode(piece));
  return {
    status,
    statusText: 'OK',
    headers: [['content-type', 'text/plain']],
    read: () => Promise.resolve(rest.shift() ?? null),
    cancel: () => undefined,
  };
}

export class FakeGrants {
  readonly policy = new FolderPolicy(ignore);
  readonly log = new RequestLog(ignore);
  readonly sent: NetworkRequest[] = [];
  /** Calls of the clock's methods, in order. */
  readonly clocked: string[] = [];
  readonly clock: CallClock = {
    pause: () => void this.clocked.push('pause'),
    resume: () => void this.clocked.push('resume'),
    progress: () => undefined,
  };
  readonly timers: (() => void)[] = [];
  readonly questions: Questions;
  readonly openHost: OpenHost;
  /** The task of every sub-agent. */
  readonly task = { run: 'r', title: 'Mail' };
  whyUnaskable: Unaskable | null = null;
  online = true;
  respond: (request: NetworkRequest, signal: AbortSignal) => Promise<Sent> = () =>
    Promise.resolve(response(['hello']));

  constructor(semaphore = new Semaphore(2, 2)) {
    this.questions = new Questions({
      whyUnaskable: () => this.whyUnaskable,
      after: (_, then) => {
        this.timers.push(then);
        return () => this.timers.splice(this.timers.indexOf(then), 1);
      },
      report: ignore,
    });
    this.openHost = hostOpener(() => ({
      taskOf: (call) => (call.caller === 'sub-agent' ? this.task : null),
      policy: this.policy,
      questions: this.questions,
      log: this.log,
      semaphore,
      send: (signal, request) => {
        this.sent.push(request);
        return this.respond(request, signal);
      },
      appOrigin: 'https://cloche.example',
      isOnline: () => this.online,
      maxBytes: 10,
      now: () => 1_000,
    }));
  }

  host(call = toolCall('c1')): ReturnType<OpenHost> {
    return this.openHost(registered(), call, this.clock);
  }

  /** Answers the current question as soon as there is one. */
  async reply(reply: Reply, reason = ''): Promise<void> {
    for (let turn = 0; this.questions.list().length === 0; turn += 1) {
      if (turn > 1_000) throw new Error('Nobody asks.');
      await new Promise((resolve) => setTimeout(resolve));
    }
    const [first] = this.questions.list();
    this.questions.answer(first?.id ?? 0, reply, reason);
  }
}
