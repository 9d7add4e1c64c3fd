/**
 * The network requests of one call: checks that each is allowed, sends and logs it, and passes its body on in pieces.
 */

import { type AskAnswer, type CallClock, type FetchAsk, refusal } from '../protocol/ask.ts';
import type { ToolCall } from '../spec/call.ts';
import { errorText } from '../spec/error.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { FolderPolicy } from './folder-policy.ts';
import { askingOf, type Answered, type AskingTask, type Questions } from './questions.ts';
import { requestHeaders, requestTarget, type RequestTarget } from './request-parts.ts';
import type { LoggedRequest, RequestLog } from './request-log.ts';
import { denied, deniedLocal, Refusal, requestBody, Ungranted } from './request-refusal.ts';
import type { Send, SentResponse } from './network-sender.ts';
import type { Semaphore } from '../async/wait.ts';

export interface NetworkDeps {
  readonly policy: FolderPolicy;
  readonly questions: Questions;
  readonly log: RequestLog;
  readonly semaphore: Semaphore;
  readonly send: Send;
  /** The app's own origin. */
  readonly appOrigin: string;
  readonly isOnline: () => boolean;
  /** Limit for one response's body, in bytes. */
  readonly maxBytes: number;
  readonly now: () => number;
  /** The task of a plan whose sub-agent makes a call; null for any other call. */
  readonly taskOf: (call: ToolCall) => AskingTask | null;
}

/** The highest number of responses of a call that are not completely read. */
const maxOpen = 200;
/** After this many refused origins, the user is not asked again during the call. */
const maxRefusals = 5;
/** Milliseconds to wait for the user if the call was made by a program. */
const answerMs = 60_000;
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

interface OpenResponse {
  readonly origin: string;
  readonly response: SentResponse;
  readonly stop: AbortController;
  readonly note: (known: Partial<LoggedRequest>) => void;
  readonly from: number;
  received: number;
  reading: boolean;
  readonly timer: ReturnType<typeof setTimeout> | undefined;
}

export class CallRequests {
  readonly #deps: NetworkDeps;
  readonly #tool: RegisteredTool;
  readonly #call: ToolCall;
  readonly #clock: CallClock;
  readonly #life = new AbortController();
  readonly #open = new Map<number, OpenResponse>();
  /** The user's answers for this call only, by origin. */
  readonly #answers = new Map<string, boolean>();
  #refusals = 0;
  /** Pending questions to the user, by origin. */
  readonly #asking = new Map<string, Promise<Answered>>();
  readonly #stopObserving: () => void;

  constructor(deps: NetworkDeps, tool: RegisteredTool, call: ToolCall, clock: CallClock) {
    this.#deps = deps;
    this.#tool = tool;
    this.#call = call;
    this.#clock = clock;
    // Ends running requests to an origin whose grant is revoked.
    this.#stopObserving = deps.policy.observe(() => {
      for (const [n, { origin }] of this.#open)
        if (!this.#isAllowed(origin)) this.#end(n, 'The grant was revoked.');
    });
  }

  /** Sends a request. Answers with the response's status and headers, or a refusal. Never rejects. */
  async fetch(n: number, asked: FetchAsk): Promise<AskAnswer> {
    const { log, now, appOrigin } = this.#deps;
    const target = requestTarget(asked.url, appOrigin);
    const note = log.add({
      at: now(),
      tool: this.#tool.name,
      callId: this.#call.id,
      origin: 'why' in target ? '' : target.origin,
      method: asked.method.toUpperCase(),
      // Files may put the keys of their settings into addresses.
      url: this.#deps.policy.masked('why' in target ? asked.url.slice(0, 500) : target.url),
    });
    try {
      if ('why' in target) throw new Refusal('PermissionError', `Not requested: ${target.why}.`);
      return await this.#fetch(n, asked, target, note);
    } catch (thrown) {
      const message = errorText(thrown);
      const ungranted = thrown instanceof Ungranted && ({ ungranted: true } as const);
      note({ fault: message, durationMs: 0, ...ungranted });
      if (this.#life.signal.aborted) return refusal('ConnectionError', 'The call has ended.');
      return refusal(thrown instanceof Refusal ? thrown.error : 'ConnectionError', message);
    }
  }

  /** Answers with the next piece of a body. Never rejects. */
  async read(n: number): Promise<AskAnswer> {
    const open = this.#open.get(n);
    if (!open) return refusal('ConnectionError', 'The response has already been read to its end.');
    if (open.reading) return refusal('RuntimeError', 'This response is already being read.');
    open.reading = true;
    try {
      const bytes = await open.response.read();
      open.reading = false;
      if (!this.#open.has(n)) return refusal('ConnectionError', 'The connection was closed.');
      this.#clock.progress();
      if (bytes === null) {
        this.#end(n, '');
        return { answer: 'end' };
      }
      open.received += bytes.byteLength;
      const { maxBytes } = this.#deps;
      // @mutant the size limit of a response => without if (open.received <= maxBytes)
      if (open.received <= maxBytes) return { answer: 'bytes', bytes };
      const why = `The response of ${open.origin} is larger than the limit of ${Math.round(maxBytes / 2 ** 20)} MB.`;
      this.#end(n, why);
      return refusal('ConnectionError', why);
    } catch {
      const why = `The connection to ${open.origin} was lost.`;
      this.#end(n, why);
      return refusal(open.stop.signal.aborted ? 'TimeoutError' : 'ConnectionError', why);
    }
  }

  close(n: number): AskAnswer {
    this.#end(n, '');
    return { answer: 'done' };
  }

  /** Ends the call's requests, because the call has ended. */
  end(): void {
    this.#stopObserving();
    this.#life.abort(new Error('The call has ended.'));
    for (const n of [...this.#open.keys()]) this.#end(n, 'The call ended.');
  }

  async #fetch(
    n: number,
    asked: FetchAsk,
    { url, origin, local }: RequestTarget,
    note: OpenResponse['note'],
  ): Promise<AskAnswer> {
    const { policy, semaphore, send, now } = this.#deps;
    const method = asked.method.toUpperCase();
    if (!methods.has(method))
      throw new Refusal('ValueError', `Browsers do not support the method ${method}.`);
    const body = requestBody(asked);
    await this.#requireGrant({ url, origin, local }, method);
    const stop = new AbortController();
    const timer =
      asked.timeoutMs === null ? undefined : setTimeout(() => stop.abort(), asked.timeoutMs);
    const signal = AbortSignal.any([this.#life.signal, stop.signal]);
    const back = await semaphore.take(signal);
    if (back === null)
      throw new Refusal('ConnectionError', 'Too many requests are waiting. Send fewer at once.');
    try {
      // The user may have revoked the grant while the request was queued.
      // @mutant a withdrawn grant holds for requests that wait => removed
      if (!this.#isAllowed(origin)) throw denied(origin);
      const headers = requestHeaders(asked.headers, policy.secretsFor(origin));
      if ('why' in headers) throw new Refusal('PermissionError', `Not requested: ${headers.why}.`);
      const from = now();
      note({ sentBytes: body?.byteLength ?? 0, durationMs: null });
      // The secrets of all origins are masked, because two hosts can have the same owner.
      // @mutant the secrets to mask are passed to the worker => = policy.secretParts -> : string[] = []
      const secrets = policy.secretParts;
      const sent = await send(signal, { url, method, headers: headers.sent, body, secrets });
      this.#clock.progress();
      if ('failed' in sent) throw this.#failure(origin, sent, stop.signal.aborted);
      if (!this.#isAllowed(origin)) {
        sent.cancel();
        throw denied(origin);
      }
      note({ status: sent.status });
      if (this.#open.size >= maxOpen) {
        sent.cancel();
        throw new Refusal(
          'ConnectionError',
          `${maxOpen} responses are waiting to be read. Read them first.`,
        );
      }
      const open = { origin, response: sent, stop, timer, note, from, received: 0, reading: false };
      this.#open.set(n, open);
      const { status, statusText } = sent;
      return { answer: 'response', status, statusText, headers: sent.headers, url };
    } catch (thrown) {
      clearTimeout(timer);
      throw thrown;
    } finally {
      // Another request may start now. The rest of this body is read when the tool asks for it.
      back();
    }
  }

  /** Checks that a request may be sent, asking the user if necessary. @throws {Refusal} */
  async #requireGrant({ url, origin, local }: RequestTarget, method: string): Promise<void> {
    const { policy } = this.#deps;
    // @mutant local addresses are refused => never
    if (local && !policy.local) throw deniedLocal(origin);
    if (this.#isAllowed(origin)) return;
    if (policy.decide(origin) === 'deny' || this.#answers.get(origin) === false)
      throw denied(origin);
    // Each question pauses the call's clock, so asking for one origin after another could keep the call alive forever.
    // @mutant repeated refusals stop further questions => removed
    if (this.#refusals >= maxRefusals) throw denied(origin);
    const asking = this.#asking.get(origin) ?? this.#ask({ url, origin }, method);
    this.#asking.set(origin, asking);
    const answered = await asking;
    if (!this.#isAllowed(origin)) throw denied(origin, answered);
  }

  async #ask(
    { url, origin }: Pick<RequestTarget, 'url' | 'origin'>,
    method: string,
  ): Promise<Answered> {
    this.#clock.pause();
    const { policy, questions, taskOf } = this.#deps;
    const asking = { ...askingOf(this.#tool, this.#call), task: taskOf(this.#call) };
    const answered = await questions.ask(
      this.#life.signal,
      { kind: 'network', origin, method, url: policy.masked(url), ...asking },
      asking.caller === 'user' ? null : answerMs,
    );
    this.#clock.resume();
    this.#asking.delete(origin);
    this.#applyReply(origin, answered);
    if (!this.#isAllowed(origin)) this.#refusals += 1;
    return answered;
  }

  #applyReply(origin: string, { reply }: Answered): void {
    const { policy, questions } = this.#deps;
    if (reply === 'once' || reply === 'no') this.#answers.set(origin, reply === 'once');
    if (reply !== 'visit' && reply !== 'always' && reply !== 'never') return;
    policy.grant(origin, reply);
    questions.answerOrigin(origin, reply);
  }

  #isAllowed(origin: string): boolean {
    const { policy } = this.#deps;
    const decided = policy.decide(origin);
    if (decided !== 'ask') return decided === 'allow';
    return this.#answers.get(origin) === true;
  }

  #failure(
    origin: string,
    { failed, why }: Extract<Awaited<ReturnType<Send>>, { failed: string }>,
    timedOut: boolean,
  ): Refusal {
    if (timedOut) return new Refusal('TimeoutError', `${origin} did not answer in time.`);
    if (failed === 'redirect')
      return new Refusal(
        'ConnectionError',
        `${origin} answered with a redirect. Redirects are not followed, since their target cannot be checked. Use the final address.`,
      );
    if (!this.#deps.isOnline())
      return new Refusal(
        'ConnectionError',
        `${origin} cannot be reached: this browser is offline.`,
      );
    return new Refusal(
      'ConnectionError',
      `${origin} gave no answer that this page can read (${why}). Either it is unreachable, or it does not allow requests from web pages (CORS). In that case its owner has to allow them, or use a proxy that adds the header Access-Control-Allow-Origin.`,
    );
  }

  #end(n: number, fault: string): void {
    const open = this.#open.get(n);
    if (!open) return;
    this.#open.delete(n);
    open.response.cancel();
    clearTimeout(open.timer);
    const durationMs = this.#deps.now() - open.from;
    open.note({ receivedBytes: open.received, durationMs, ...(fault === '' ? {} : { fault }) });
  }
}
