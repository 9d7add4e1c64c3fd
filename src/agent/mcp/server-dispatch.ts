/**
 * Runs calls of the tools of one MCP server, as the call path asks: checks the arguments, sends the call over the server's
 * connection, passes on progress, log lines and the server's questions to the user, and masks the server's keys in
 * everything that comes back.
 */

import { Stopwatch } from '../../runtime/sandbox/call-limits.ts';
import { wait } from '../../runtime/async/wait.ts';
import type { OutputMask } from '../../runtime/call/output-mask.ts';
import { endingText, failure, textResult } from '../../runtime/call/results.ts';
import { askingOf, type Questions } from '../../runtime/grants/questions.ts';
import type {
  Answer,
  AskAnswer,
  LogReport,
  McpFault,
  McpOutcome,
  ProgressReport,
  ServerAsk,
} from '../../runtime/protocol/mcp.ts';
import type { Dispatch, RunWatch, ToolCall } from '../../runtime/spec/call.ts';
import { asObject, parseJson } from '../../runtime/spec/guards.ts';
import type { Ending, LogLine, Stream, ToolResult, Update } from '../../runtime/spec/result.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import type { ArgumentChecking } from '../../runtime/sandbox/argument-checker.ts';
import type { Limits } from '../../runtime/spec/limits.ts';
import { serverFaultText } from './server-fault-text.ts';
import type { ServerLink } from './server-link.ts';

export interface CallDeps {
  readonly argumentChecking: () => Promise<ArgumentChecking>;
  readonly questions: Pick<Questions, 'ask'>;
  readonly limits: Pick<Limits, 'idleMs' | 'updates'>;
  readonly now: () => number;
}

export interface DispatchDeps {
  readonly link: () => ServerLink;
  /** Waits for the connection. @returns why there is none */
  readonly connected: () => Promise<McpFault | null>;
  readonly reconnect: () => Promise<void>;
  /** Called when the server no longer accepts the sign-in. */
  readonly onSignInWanted: (fault: McpFault) => void;
  /** Called when a call did not reach the server, or its answer may not be read, as that of a proxy without CORS. */
  readonly onUnreached: () => void;
  /** Masks what gives access to the server, which it may repeat. */
  readonly mask: () => OutputMask;
  /** Whether the server has changed the tool, by the server's name for it. */
  readonly hasChanged: (name: string) => boolean;
  /** Called with what a result breaks. */
  readonly onProblem: (problem: string) => void;
  readonly deps: () => CallDeps;
}

export function serverDispatch(server: DispatchDeps): Dispatch {
  return {
    check: (signal, tool, call) => refusalOf(server, signal, tool, call),
    // A server's own statement that a tool is harmless does not replace the user's approval.
    needsApproval: () => Promise.resolve(true),
    run: async (signal, tool, call, watch) => {
      const { now } = server.deps();
      const time = new Stopwatch(now);
      const mask = server.mask();
      const updates = new Updates(server.deps().limits.updates, mask.watch(watch));
      // Failures are returned as results. Only a wait that the signal ends rejects.
      const result = await run(server, signal, tool, call, updates, time).catch(() =>
        endingResult('cancelled', tool),
      );
      const whole = { ...result, ...updates.kept(), durationMs: time.ms };
      // @mutant a server that repeats its key gives it to no model => mask.result(whole) -> whole
      //   [src/agent/mcp/server-keys.test.ts]
      return mask.result(whole);
    },
  };
}

async function run(
  server: DispatchDeps,
  signal: AbortSignal,
  tool: RegisteredTool,
  call: ToolCall,
  updates: Updates,
  time: Stopwatch,
): Promise<ToolResult> {
  const refusal = await refusalOf(server, signal, tool, call);
  if (refusal !== null) return refusal;
  // The connection is also that of other calls, so a cancelled call only stops waiting.
  const fault = await wait(signal, server.connected());
  if (fault !== null) return faultResult(fault, tool);
  // Connecting may have shown that the tool has changed.
  if (server.hasChanged(tool.handler.name)) return changedResult(tool);
  updates.start();
  const over = new AbortController();
  const whileRunning = AbortSignal.any([signal, over.signal]);
  const { questions } = server.deps();
  const ask = (): Promise<Answer<McpOutcome>> =>
    server.link().call(signal, {
      tool: tool.handler.name,
      arguments: call.arguments,
      idleMs: server.deps().limits.idleMs,
      totalMs: tool.timeout_s * 1000,
      onProgress: (report) => updates.add(report),
      onLog: (report) => updates.log(report),
      onAsk: async (asked) => {
        // The time that the user takes to answer does not count as the call's.
        time.pause();
        try {
          return await askUser(whileRunning, questions, asked, tool, call);
        } finally {
          time.resume();
        }
      },
    });
  try {
    return await resultOf(signal, server, tool, ask);
  } finally {
    over.abort();
  }
}

async function resultOf(
  signal: AbortSignal,
  server: DispatchDeps,
  tool: RegisteredTool,
  ask: () => Promise<Answer<McpOutcome>>,
): Promise<ToolResult> {
  let answer = await ask();
  // The server has forgotten the session, so it has not run the call.
  if (!answer.ok && answer.fault.cause === 'lost') {
    await wait(signal, server.reconnect());
    if (server.hasChanged(tool.handler.name)) return changedResult(tool);
    answer = await ask();
  }
  if (!answer.ok) {
    const { fault } = answer;
    if (fault.cause === 'sign-in') server.onSignInWanted(fault);
    if (fault.cause === 'network') server.onUnreached();
    return faultResult(fault, tool);
  }
  const { content, textResultForLlm, isError, metadata } = answer.value;
  if (isError) {
    const error = `ToolError: ${textResultForLlm.slice(0, 500)}`;
    return failure(error, textResultForLlm, { content, metadata, recoverable: true });
  }
  void checkResult(server, tool, answer.value);
  return { ...textResult(textResultForLlm), content, metadata };
}

/** Limit of results that are checked; characters. */
const maxChecked = 1_000_000;

/** Checks a result against its outputSchema. The result is used as it is, and the call does not wait. */
async function checkResult(
  { deps, onProblem }: DispatchDeps,
  { handler, returns }: RegisteredTool,
  { content, isStructured }: McpOutcome,
): Promise<void> {
  if (returns === null) return;
  const [structured] = content;
  const tool = `Tool “${handler.name}”`;
  if (!isStructured || structured === undefined || !('text' in structured)) {
    onProblem(`${tool} has an outputSchema, and returned no structuredContent.`);
    return;
  }
  if (structured.text.length > maxChecked) return;
  try {
    const checker = await deps().argumentChecking();
    const { signal } = new AbortController();
    const errors = await checker.check(signal, JSON.stringify(returns), structured.text);
    for (const { path, message } of (errors ?? []).slice(0, 3))
      onProblem(`${tool}: its structuredContent breaks its outputSchema at ${path}: ${message}`);
  } catch {
    // The check takes too long, so nothing is known.
  }
}

/** Asks the user what the server asks for during a call. */
async function askUser(
  signal: AbortSignal,
  questions: Pick<Questions, 'ask'>,
  { message, schema, url }: ServerAsk,
  tool: RegisteredTool,
  call: ToolCall,
): Promise<AskAnswer> {
  const asking = { ...askingOf(tool, call), message };
  const form = asObject(parseJson(schema ?? '{}'));
  const answered = await questions.ask(
    signal,
    schema === null ? { ...asking, kind: 'address', url } : { ...asking, kind: 'form', form },
  );
  // @mutant what the user declines to tell an MCP server is not sent => 'once' -> 'no'
  //   [src/agent/mcp/servers.test.ts]
  if (answered.reply === 'once')
    return { action: 'accept', content: schema === null ? null : (answered.changed ?? '{}') };
  return { action: answered.reply === null ? 'cancel' : 'decline', content: null };
}

/** Why the call cannot be made; null if it can. */
async function refusalOf(
  server: DispatchDeps,
  signal: AbortSignal,
  tool: RegisteredTool,
  call: ToolCall,
): Promise<ToolResult | null> {
  // @mutant a tool that its server has changed is not called => never
  //   [src/agent/mcp/servers.test.ts]
  if (server.hasChanged(tool.handler.name)) return changedResult(tool);
  if (!call.validate) return null;
  const { argumentChecking } = server.deps();
  let errors;
  try {
    const checker = await argumentChecking();
    errors = await checker.check(signal, JSON.stringify(tool.parameters), call.arguments);
  } catch {
    // The check takes too long, or the arguments are no JSON, which the server will say.
    return signal.aborted ? endingResult('cancelled', tool) : null;
  }
  if (errors === null || errors.length === 0) return null;
  const text = errors.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return failure(`ValidationError: ${text}`, `The call was refused: ${text}`);
}

function changedResult(tool: RegisteredTool): ToolResult {
  const why = `The server has changed the definition of ${tool.name} since the user last saw it.`;
  return failure(
    'ChangedError: the server has changed this tool',
    `${why} It can be called again after the user has accepted the change on the Servers page.`,
  );
}

function faultResult(fault: McpFault, tool: RegisteredTool): ToolResult {
  if (fault.cause === 'timeout') return endingResult('timeout', tool);
  const words = serverFaultText(fault, tool.source.file);
  const kind = fault.cause === 'refused' ? 'ServerError' : 'ConnectionError';
  return failure(`${kind}: ${words}`, `The call to ${tool.name} failed: ${words}`);
}

function endingResult(ending: Ending, { name }: RegisteredTool): ToolResult {
  return failure(ending, endingText(ending, name));
}

const nothing: Stream = { updates: [], dropped: 0, out: '', err: '', log: [] };

/** The updates and log lines that a call reports while it runs. */
class Updates {
  readonly #max: number;
  readonly #watch: RunWatch;
  #updates: Update[] = [];
  #log: LogLine[] = [];
  #logDropped = 0;
  #n = 0;
  #dropped = 0;

  constructor(max: number, watch: RunWatch) {
    this.#max = max;
    this.#watch = watch;
  }

  start(): void {
    this.#watch.onStart();
  }

  add({ json, dropped }: ProgressReport): void {
    this.#n += dropped;
    const update = { n: this.#n, json };
    this.#n += 1;
    const isFull = this.#updates.length >= this.#max;
    this.#dropped += dropped + (isFull ? 1 : 0);
    // When the list is full, the latest update replaces the last one.
    if (isFull) this.#updates.pop();
    this.#updates.push(update);
    this.#watch.onStream({ ...nothing, updates: [update], dropped });
  }

  log({ lines, dropped }: LogReport): void {
    const room = Math.max(0, this.#max - this.#log.length);
    const kept = lines.slice(0, room);
    this.#log.push(...kept);
    this.#logDropped += dropped + lines.length - kept.length;
    if (kept.length > 0) this.#watch.onStream({ ...nothing, log: kept });
  }

  kept(): Pick<ToolResult, 'updates' | 'updatesDropped' | 'log'> {
    const message = `${this.#logDropped} more messages were left out.`;
    const log = this.#logDropped === 0 ? this.#log : [...this.#log, { level: 'warning', message }];
    return { updates: this.#updates, updatesDropped: this.#dropped, log };
  }
}
