/** A pool with fake interpreters. Each call runs until the test ends it. */

import type { CallClock, CallHost } from '../protocol/ask.ts';
import { type Loss, lossError, type OrLost, type PythonOutcome } from '../protocol/frame.ts';
import { StreamRecord } from '../protocol/stream-record.ts';
import { toolCall } from '../spec/call.fixture.ts';
import type { FolderSnapshot } from '../spec/folder.ts';
import { defaultLimits, type Limits } from '../spec/limits.ts';
import type { Stream, ToolResult } from '../spec/result.ts';
import type { SettingValues } from '../spec/setting.ts';
import type { RegisteredTool, SpecProposal } from '../spec/tool.ts';
import type { Capacity } from './interpreter-allocator.ts';
import type { PristinePython } from './interpreter.ts';
import { InterpreterPool } from './interpreter-pool.ts';
import { registered, type FakeTool } from './fake-tool.fixture.ts';

const nothing = new StreamRecord(defaultLimits).streamed();

/** A call that has reached a fake interpreter, and the ways in which a test ends it. */
export interface FakeCall {
  readonly tool: string;
  readonly args: string;
  readonly python: FakePython;
  asked: boolean;
  ended: boolean;
  /** The call only checks its arguments. */
  readonly checkOnly: boolean;
  stream(stream?: Partial<Stream>): void;
  end(text?: string): void;
  /** Ends the call with a failure. */
  refuse(error: string): void;
  /** Answers that the interpreter is lost, before `ended` resolves. */
  lose(): void;
}

const noHost: CallHost = {
  network: [],
  answer: () => Promise.resolve({ answer: 'done' }),
  end: () => undefined,
};

export class FakePython implements PristinePython {
  readonly name: string;
  readonly ended: Promise<Loss>;
  /** Answers of `mayOverlap`, by arguments. */
  readonly decisions: Map<string, Promise<boolean>>;
  readonly calls: FakeCall[] = [];
  readonly updates: string[] = [];
  /** Id of the folder snapshot that it has. */
  has = '';
  /** Runs at each update; a rejection makes the update fail. */
  onUpdate: () => Promise<void> = () => Promise.resolve();
  #lose: (loss: Loss) => void = () => undefined;
  readonly #pending = new Set<(loss: Loss) => void>();
  alive = true;
  readonly workspace = null;

  constructor(name: string, decisions: Map<string, Promise<boolean>>) {
    this.name = name;
    this.decisions = decisions;
    this.ended = new Promise((resolve) => {
      this.#lose = resolve;
    });
  }

  /** Calls that are running. */
  get running(): FakeCall[] {
    return this.calls.filter(({ ended }) => !ended);
  }

  openFolder(_: AbortSignal, { id }: FolderSnapshot): Promise<void> {
    this.has = id;
    return Promise.resolve();
  }

  async updateFiles(_: AbortSignal, { id }: FolderSnapshot): Promise<ReadonlySet<string>> {
    this.updates.push(id);
    await this.onUpdate();
    this.has = id;
    return new Set(['t.py']);
  }

  async inspect(
    _: AbortSignal,
    files: readonly string[],
    __: Limits,
    onReport: (report: never) => void,
  ): Promise<void> {
    for (const file of files) {
      await Promise.resolve();
      if (file.startsWith('slow')) await new Promise((resolve) => setTimeout(resolve, 60_000));
      if (file.startsWith('bad')) throw lossError({ reason: 'crashed', detail: file });
      onReport({ file } as never);
    }
  }

  setSettings(_: AbortSignal, values: SettingValues): Promise<ReadonlySet<string>> {
    this.updates.push(`settings ${JSON.stringify(values)}`);
    return Promise.resolve(new Set(Object.keys(values)));
  }

  propose(_: AbortSignal, file: string, names: readonly string[] | null): Promise<SpecProposal> {
    if (file.startsWith('bad'))
      return Promise.reject(lossError({ reason: 'crashed', detail: file }));
    const text = `${this.has} ${(names ?? ['all']).join()}`;
    return Promise.resolve({ file, tools: [], text, notes: [] });
  }

  mayOverlap(signal: AbortSignal, _: RegisteredTool, args: string): Promise<boolean> {
    const given = new Promise<boolean>((resolve) => {
      signal.addEventListener('abort', () => {
        resolve(false);
      });
    });
    return Promise.race([given, this.decisions.get(args) ?? Promise.resolve(false)]);
  }

  needsApproval(): Promise<boolean> {
    return Promise.resolve(true);
  }

  /** The answer of {@link judge}. */
  verdict: Promise<readonly string[]> = Promise.resolve([]);

  judge(): Promise<readonly string[]> {
    return this.verdict;
  }

  /** Whether a ping is answered. */
  responds = true;

  respond(): Promise<void> {
    return this.responds ? Promise.resolve() : Promise.reject(new Error('no answer'));
  }

  call(
    ...[tool, { arguments: args }, , , { onStream }, options]: Parameters<PristinePython['call']>
  ) {
    let settle: (outcome: OrLost<PythonOutcome>) => void = () => undefined;
    const outcome = new Promise<OrLost<PythonOutcome>>((resolve) => {
      settle = resolve;
    });
    const lose = (loss: Loss): void => {
      call.ended = true;
      settle({ ok: false, loss });
    };
    const call: FakeCall = {
      tool: tool.name,
      args,
      python: this,
      asked: false,
      ended: false,
      checkOnly: options?.checkOnly === true,
      stream: (stream) => {
        onStream?.({ updates: [], dropped: 0, out: '', err: '', log: [], ...stream });
      },
      end: (text = 'done') => {
        call.ended = true;
        this.#pending.delete(lose);
        const content = [{ type: 'text', text } as const];
        const shared = { metadata: '{}', recoverable: false, streamed: nothing };
        settle({ ok: true, value: { ok: true, content, ...shared } });
      },
      refuse: (error) => {
        call.ended = true;
        this.#pending.delete(lose);
        const shared = { content: [], metadata: '{}', recoverable: false, streamed: nothing };
        settle({ ok: true, value: { ok: false, error, ...shared } });
      },
      lose: () => {
        this.#pending.delete(lose);
        lose({ reason: 'crashed', detail: 'the worker died' });
      },
    };
    this.calls.push(call);
    if (this.alive) this.#pending.add(lose);
    else lose({ reason: 'terminated', detail: 'gone' });
    return {
      outcome,
      cancel: () => {
        call.asked = true;
      },
      streamed: () => Promise.resolve({ ...nothing, stdout: 'so far' }),
    };
  }

  dispose(): void {
    this.die({ reason: 'terminated', detail: 'The interpreter was stopped' });
  }

  die(loss: Loss = { reason: 'crashed', detail: 'the worker died' }): void {
    if (!this.alive) return;
    this.alive = false;
    this.#lose(loss);
    for (const lose of this.#pending) lose(loss);
    this.#pending.clear();
  }
}

export class FakePool {
  readonly pythons: FakePython[] = [];
  readonly decisions = new Map<string, Promise<boolean>>();
  /** The time limits of started calls, by arguments. */
  readonly clocks = new Map<string, CallClock>();
  readonly pool: InterpreterPool;
  /** Runs at each start. By default it resolves immediately. */
  onTake: () => Promise<void> = () => Promise.resolve();

  constructor(capacity: Partial<Capacity> = {}, limits: Partial<Limits> = {}) {
    this.pool = new InterpreterPool(snapshot('1'), {
      onFirstResult: () => undefined,
      openHost: (_, { arguments: args }, clock) => {
        this.clocks.set(args, clock);
        return noHost;
      },
      take: async () => {
        await this.onTake();
        const python = new FakePython(`python-${this.pythons.length + 1}`, this.decisions);
        this.pythons.push(python);
        return python;
      },
      capacity: { cores: 2, max: 8, starts: 2, helpers: 1, keepsSpare: true, ...capacity },
      limits: { ...defaultLimits, ...limits },
      report: (thrown) => {
        throw thrown;
      },
    });
  }

  /** Checks arguments as the call path does before it asks the user. */
  check(args: string, tool: FakeTool = {}, sessionId = 's'): PendingCheck {
    const stop = new AbortController();
    return {
      stop: () => {
        stop.abort();
      },
      result: this.pool.check(
        stop.signal,
        registered(tool),
        toolCall(args, { arguments: args, caller: 'page', sessionId }),
      ),
    };
  }

  /** Updates the folder's files. @param id of the new snapshot */
  save(id: string): void {
    this.pool.update(snapshot(id), { written: [], removed: [], cameOrWent: false });
  }

  get alive(): FakePython[] {
    return this.pythons.filter(({ alive }) => alive);
  }

  /** Arguments of the running calls. */
  get running(): string[] {
    return this.pythons.flatMap(({ running }) => running).map(({ args }) => args);
  }

  /** Returns the call with these arguments. @throws unless there is exactly one */
  of(args: string): FakeCall {
    const [call, ...more] = this.pythons.flatMap(({ calls }) =>
      calls.filter((one) => one.args === args),
    );
    if (!call || more.length > 0) throw new Error(`${args} ran ${call ? 'twice' : 'never'}.`);
    return call;
  }

  /** @param args also identify the call */
  call(args: string, tool: FakeTool = {}, sessionId = 's'): PendingCall {
    const stop = new AbortController();
    let started = 0;
    const given = [
      registered(tool),
      toolCall(args, { arguments: args, caller: 'page', sessionId }),
    ] as const;
    const result = this.pool.run(stop.signal, ...given, {
      onStart: () => {
        started += 1;
      },
      onStream: () => undefined,
    });
    return {
      stop: () => {
        stop.abort();
      },
      result,
      started: () => started,
    };
  }
}

export interface PendingCall {
  stop(): void;
  readonly result: Promise<ToolResult>;
  started(): number;
}

function snapshot(id: string): FolderSnapshot {
  return { id, name: 'f', files: [], folders: [], problems: [] };
}

export interface PendingCheck {
  stop(): void;
  readonly result: Promise<ToolResult | null>;
}

/** A promise that the test settles. */
export function later() {
  let end: () => void = () => undefined;
  let fail: (reason: Error) => void = () => undefined;
  const done = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  return { done, end: () => end(), fail: (reason: Error) => fail(reason) };
}

/** Runs all pending promise callbacks. */
export async function settled(): Promise<void> {
  for (let n = 0; n < 50; n += 1) await Promise.resolve();
}
