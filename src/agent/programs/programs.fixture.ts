/** Programs in fake interpreters, in which they are functions of the test. */

import { defaultLimits } from '../../runtime/spec/limits.ts';
import { toolCall } from '../../runtime/spec/call.fixture.ts';
import type { Ask, AskAnswer, CallClock } from '../../runtime/protocol/ask.ts';
import { textResult } from '../../runtime/call/results.ts';
import type { OrLost, PythonOutcome } from '../../runtime/protocol/frame.ts';
import { StreamRecord } from '../../runtime/protocol/stream-record.ts';
import { FakePython } from '../../runtime/sandbox/python.fixture.ts';
import type { PristinePython } from '../../runtime/sandbox/interpreter.ts';
import type { ToolCall } from '../../runtime/spec/call.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { ProgramOwner } from './nested-calls.ts';
import { Programs, type ProgramsDeps } from './programs.ts';

export type AskCall = (tool: string, args?: string) => Promise<AskAnswer>;

interface Given {
  readonly code: string;
  readonly keep: boolean;
  readonly tools: readonly unknown[];
  readonly missing: readonly string[];
  /** Asks anything else than a call. */
  readonly ask: (ask: Ask) => Promise<AskAnswer>;
}

/** A program in TypeScript, in place of Python. Its text is the result. */
type Code = (call: AskCall, given: Given) => Promise<string>;

const nothing = new StreamRecord(defaultLimits).streamed();
const unwatched = { onStream: () => undefined };
export const never = new AbortController().signal;

/** An interpreter in which programs are functions of the test. */
class ProgramPython extends FakePython {
  readonly code: Code;
  printed = '';
  /** Whether an earlier program has broken the interpreter, so that it makes no calls. */
  broken = false;
  /** For each trial program, whether it kept the variables. */
  readonly trials: boolean[] = [];

  constructor(name: string, code: Code) {
    super(name, new Map());
    this.code = code;
  }

  override call(
    ...[, { arguments: args }, , , { answer }]: Parameters<PristinePython['call']>
  ): ReturnType<PristinePython['call']> {
    let n = 0;
    const ask = (asked: Ask): Promise<AskAnswer> => answer((n += 1), asked);
    const askCall: AskCall = (tool, given = '{}') => ask({ ask: 'call', tool, arguments: given });
    let stop: (value: OrLost<PythonOutcome>) => void = () => undefined;
    const stopped = new Promise<OrLost<PythonOutcome>>((resolve) => (stop = resolve));
    const given = { ...(JSON.parse(args) as Omit<Given, 'ask'>), ask };
    const streamed = { ...nothing, stdout: this.printed };
    const base = { content: [], metadata: '{}', recoverable: false, durationMs: 1, streamed };
    const outcome = this.#outcome(askCall, given).then(
      (text) => ({ ...base, ok: true, content: [{ type: 'text', text }] }) as const,
      (thrown: unknown) => ({ ...base, ok: false, error: String(thrown), message: String(thrown) }),
    );
    return {
      outcome: Promise.race([
        outcome.then((value) => ({ ok: true, value }) as unknown as OrLost<PythonOutcome>),
        stopped,
      ]),
      cancel: () =>
        stop({
          ok: true,
          value: { ...base, ok: false, error: 'CancelledError' },
        } as unknown as OrLost<PythonOutcome>),
      streamed: () => Promise.resolve(streamed),
    };
  }

  async #outcome(call: AskCall, given: Given): Promise<string> {
    if (given.code !== 'await cloche_trial.call()') return this.code(call, given);
    this.trials.push(given.keep);
    const answer = this.broken ? null : await call('cloche:trial');
    if (answer?.answer !== 'refused') return 'forged';
    throw Object.assign(new Error(answer.message), { name: answer.error });
  }
}

/**
 * A page on which programs run.
 * @param more in place of a host that allows everything, and of approvals that are never asked for
 */
export function page(
  code: Code,
  more: Partial<Pick<ProgramsDeps, 'openHost' | 'approvals' | 'packageProblems'>> = {},
) {
  const pythons: ProgramPython[] = [];
  const clocks: Pick<CallClock, 'pause' | 'resume'>[] = [];
  const ended: string[] = [];
  const views: string[][] = [];
  const folder: { current: object | null } = { current: {} };
  const timers: (() => void)[] = [];
  let ids = 0;
  const programs = new Programs({
    take: () => {
      const python = new ProgramPython(`p${pythons.length}`, code);
      pythons.push(python);
      return Promise.resolve(python);
    },
    current: () => folder.current,
    after: (_, then) => {
      timers.push(then);
      return () => undefined;
    },
    limits: defaultLimits,
    onChange: () => views.push(programs.list().map(({ state }) => state)),
    openHost: () => ({
      network: [],
      answer: () => Promise.resolve({ answer: 'done' }),
      end: () => undefined,
    }),
    approvals: {
      begin: (id, clock) => {
        clocks.push(clock);
        return () => ended.push(id);
      },
    },
    packageProblems: () => [],
    newId: () => `n${(ids += 1)}`,
    ...more,
  });
  const events: string[] = [];
  const calls: ToolCall[] = [];
  const owner: ProgramOwner & {
    onCall: (signal: AbortSignal, call: ToolCall) => Promise<ToolResult>;
  } = {
    key: 's',
    session: 's',
    tools: [{ name: 't:f', description: '', parameters: {} }],
    onCall: (_, { arguments: args }) => Promise.resolve(textResult(args)),
    call: (signal, call) => {
      calls.push(call);
      return owner.onCall(signal, call);
    },
    onBegan: ({ id }) => events.push(`began ${id}`),
    onEnded: ({ id }, { error = 'ok' }) => events.push(`ended ${id} ${error}`),
  };
  const run = (signal = never, keep = false, key = 's'): Promise<ToolResult> => {
    const call = toolCall('program', { caller: 'model', sessionId: 's', turnId: 'turn' });
    return programs.run(signal, { call, code: '…', keep }, { ...owner, key }, unwatched);
  };
  return { views, programs, pythons, clocks, ended, folder, timers, events, calls, owner, run };
}
