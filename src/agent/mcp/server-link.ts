/** The page's end of the connection to one server: asks its worker, which is started with the first question. */

import type { Remote } from 'comlink';
import { noTap, type MessageTap } from '../../runtime/protocol/message-tap.ts';
import {
  reportMs,
  type Answer,
  type AskAnswer,
  type Guarded,
  type LogReport,
  type ServerAsk,
  type McpOutcome,
  type McpWorker,
  type ProgressReport,
  type ServerAccess,
  type ServerFacts,
  type SignInCode,
  type SignInRequest,
  type SignInStep,
  type RefreshedSignIn,
  type SignedIn,
  type ToolListing,
} from '../../runtime/protocol/mcp.ts';
import { WorkerClient, type RunningWorker } from '../../runtime/async/worker-client.ts';
import { ToolError, errorText } from '../../runtime/spec/error.ts';
import type { JsonText } from '../../runtime/spec/json.ts';

/** Milliseconds by which the worker may exceed its own deadlines before it is considered dead. */
const graceMs = 10_000;
const connectMs = 60_000;
const listMs = 60_000;

export interface LinkCall {
  readonly tool: string;
  readonly arguments: JsonText;
  /** Milliseconds. */
  readonly idleMs: number;
  readonly totalMs: number;
  readonly onProgress: (report: ProgressReport) => void;
  readonly onLog: (report: LogReport) => void;
  readonly onAsk: (ask: ServerAsk) => Promise<AskAnswer>;
}

export interface LinkListeners {
  readonly onToolsChanged: () => void;
  readonly onOffersChanged: () => void;
  readonly onResourcesChanged: (uris: readonly string[]) => void;
  /** Called when the connection may have ended. */
  readonly onClosed: () => void;
  readonly onRefreshed: (refreshed: RefreshedSignIn) => void;
  /** Called with a description when the server breaks the specification. */
  readonly onProblem: (problem: string) => void;
}

/** Returns the values that are masked in all output: those of the headers, and the secrets of the sign-in. */
export function serverSecrets({
  headers,
  signedIn,
}: Pick<ServerAccess, 'headers' | 'signedIn'>): readonly string[] {
  return [...headers.map(([, value]) => value), ...(signedIn?.secrets ?? [])];
}

export class ServerLink {
  readonly #client: WorkerClient<McpWorker>;
  readonly #listeners: LinkListeners;
  readonly #calls = new Map<number, LinkCall>();
  /** The worker whose reports are followed. */
  #followed: RunningWorker<McpWorker> | null = null;
  #lastId = 0;

  constructor(start: () => Worker, listeners: LinkListeners) {
    this.#client = new WorkerClient<McpWorker>({
      start,
      died: workerGoneError,
      late: workerGoneError,
    });
    this.#listeners = listeners;
  }

  /** Connects, or connects again. @throws the signal's reason */
  connect(signal: AbortSignal, access: ServerAccess): Promise<Answer<ServerFacts>> {
    const request = { access, secrets: serverSecrets(access) };
    return this.#request(signal, (worker) => worker.remote.connect(request), connectMs);
  }

  /** @throws the signal's reason */
  signIn(signal: AbortSignal, access: SignInRequest): Promise<Answer<SignInStep>> {
    const request = { access, secrets: access.client === null ? [] : [access.client.secret] };
    return this.#request(signal, (worker) => worker.remote.signIn(request), connectMs);
  }

  /** @throws the signal's reason */
  finishSignIn(signal: AbortSignal, access: SignInCode): Promise<Answer<Guarded<SignedIn>>> {
    const code = { access, secrets: [access.code] };
    return this.#request(signal, (worker) => worker.remote.finishSignIn(code), connectMs);
  }

  /** @throws the signal's reason */
  tools(signal: AbortSignal): Promise<Answer<ToolListing>> {
    return this.#request(signal, (worker) => worker.remote.tools(), listMs);
  }

  /** Sends a request that the user makes, such as reading a resource. @throws the signal's reason */
  request<T>(
    signal: AbortSignal,
    question: (remote: Remote<McpWorker>) => Promise<Answer<T>>,
  ): Promise<Answer<T>> {
    return this.#request(signal, (worker) => question(worker.remote), listMs);
  }

  /** Notifies the server when the signal aborts. @throws the signal's reason */
  async call(signal: AbortSignal, call: LinkCall): Promise<Answer<McpOutcome>> {
    const id = (this.#lastId += 1);
    this.#calls.set(id, call);
    const { tool, idleMs: idle, totalMs: total } = call;
    const cancel = (): void => void this.#client.connect().remote.cancel(id);
    signal.addEventListener('abort', cancel);
    try {
      return await this.#request(
        signal,
        async (worker) => {
          const end = await worker.remote.call(id, tool, call.arguments, { idle, total });
          if (end.progress !== null) call.onProgress(end.progress);
          if (end.log !== null) call.onLog(end.log);
          return end.answered;
        },
        // The worker ends the call in time, except while the user is asked. A dead worker stops reporting.
        Infinity,
      );
    } finally {
      this.#calls.delete(id);
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Ends the session on the server, and the worker. */
  async close(): Promise<void> {
    if (this.#followed === null) return;
    const ending = this.#request(
      AbortSignal.timeout(graceMs),
      (worker) => worker.remote.close().then(() => ({ ok: true, value: null }) as const),
      graceMs,
    );
    await ending.catch(() => undefined);
    this.#client.end();
  }

  async #request<T>(
    signal: AbortSignal,
    question: (worker: RunningWorker<McpWorker>) => Promise<Answer<T>>,
    ms: number,
  ): Promise<Answer<T>> {
    signal.throwIfAborted();
    const worker = this.#client.connect();
    void this.#follow(worker);
    try {
      return await worker.ask(signal, question(worker), { deadlineMs: ms + graceMs });
    } catch (thrown) {
      signal.throwIfAborted();
      return { ok: false, fault: { cause: 'protocol', message: errorText(thrown), status: null } };
    }
  }

  async #answerServer({ remote }: RunningWorker<McpWorker>, ask: ServerAsk): Promise<void> {
    // Without a reply, the call would wait forever.
    const asking = this.#calls.get(ask.call)?.onAsk(ask);
    const answer = await asking?.catch(() => undefined);
    await remote.reply(ask.id, answer ?? { action: 'cancel', content: null });
  }

  /** Reads what the server reports, until the worker ends. */
  async #follow(worker: RunningWorker<McpWorker>): Promise<void> {
    if (this.#followed === worker) return;
    this.#followed = worker;
    const never = new AbortController().signal;
    try {
      for (;;) {
        const deadlineMs = reportMs + graceMs;
        const report = await worker.ask(never, worker.remote.next(), { deadlineMs });
        for (const progress of report.progress)
          this.#calls.get(progress.call)?.onProgress(progress);
        for (const log of report.logs) this.#calls.get(log.call)?.onLog(log);
        for (const ask of report.asks) void this.#answerServer(worker, ask);
        for (const problem of report.problems) this.#listeners.onProblem(problem);
        for (const refreshed of report.refreshed) this.#listeners.onRefreshed(refreshed);
        if (report.offersChanged) this.#listeners.onOffersChanged();
        if (report.changedResources.length > 0)
          this.#listeners.onResourcesChanged(report.changedResources);
        if (report.closed) this.#listeners.onClosed();
        if (report.toolsChanged) this.#listeners.onToolsChanged();
      }
    } catch {
      // The worker has ended, or its reports can no longer be followed; the next question starts another.
      worker.end(workerGoneError());
      if (this.#followed === worker) this.#followed = null;
    }
  }
}

export function startServerWorker(tap: MessageTap = noTap): Worker {
  const worker = new Worker(new URL('../../../workers/mcp/client.ts', import.meta.url), {
    type: 'module',
    name: 'mcp',
  });
  return tap.watch('mcp', worker);
}

function workerGoneError(): ToolError {
  return new ToolError(
    'crashed',
    'The part of this page that talks to the server has failed or could not be loaded.',
    'Connect again. If it keeps failing, reload the page.',
  );
}
