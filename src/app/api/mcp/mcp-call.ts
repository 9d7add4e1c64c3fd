/** A call of a tool over MCP: the messages about it that its client receives, in answers that may break off. */

import type { Question } from '../../../runtime/grants/questions.ts';
import { parseJson } from '../../../runtime/spec/guards.ts';
import type { JsonText } from '../../../runtime/spec/json.ts';
import type { ToolResult, Update } from '../../../runtime/spec/result.ts';
import type { ApiDeps } from '../api-deps.ts';
import { longestAnswerMs } from '../call-response.ts';
import {
  positionId,
  restOf,
  Change,
  streamStart,
  type ApiCall,
  type StreamPosition,
  type StreamRest,
} from '../calls.ts';
import { heartbeat, serverEvent, waitForChange } from '../event-parts.ts';
import { answerHeaders, jsonString, createPacedBody, type Part } from '../http-form.ts';
import { ProgressReports, type McpProgress } from './progress.ts';
import { callResultPieces, type ResultShape } from './results.ts';

/** The messages of a call in the form that a revision of MCP requires. */
export interface CallForm {
  /** Id of the request, as JSON. */
  readonly id: JsonText;
  /** The progress token of the request, as JSON; undefined if the client wants no progress. */
  readonly progressToken: JsonText | undefined;
  readonly shape: ResultShape;
  /** The lowest level of log lines that the client wants; null for none. */
  level(): string | null;
  /** Whether the client is asked what the user must approve. */
  readonly canAsk: boolean;
  /** The messages that ask; the last one ends the answer if `isLast`. In that case, `ask` detaches the call. */
  ask(
    call: McpCall,
    questions: readonly AskedQuestion[],
  ): {
    readonly messages: readonly JsonText[];
    readonly isLast: boolean;
  };
  /** Tells the client that a question is no longer open; null if it cannot be told. */
  withdraw(question: number): JsonText | null;
  /**
   * Returns the message that ends an answer after four minutes and makes the client send its request again, and detaches
   * the call. Returns null, and leaves the call as it is, if the client asks for the rest by itself.
   */
  repeatLater(call: McpCall): JsonText | null;
  /** Whether events have ids, with which the client can ask for the rest. */
  readonly isResumable: boolean;
  /** Whether the answer begins with an event that has only an id. */
  readonly isPrimed: boolean;
  /** Time that a call runs on after its answer broke off; milliseconds. */
  readonly graceMs: number;
}

export type AskedQuestion = Extract<Question, { kind: 'approve' | 'call' }>;

const levels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const maxMessageChars = 2_000;

export function isLevel(level: unknown): level is string {
  return typeof level === 'string' && levels.includes(level);
}

export class McpCall {
  readonly call: ApiCall;
  readonly tool: string;
  /** Called when no answer will need the call any more. */
  onDone = (): void => {};
  form: CallForm;
  readonly #deps: Pick<ApiDeps, 'after' | 'questions'>;
  readonly #asked = new Set<number>();
  #at: StreamPosition = streamStart;
  #progress = new ProgressReports();
  readonly #change = new Change();
  #leave: ((why: 'served' | 'gone') => void) | undefined;
  #cancelGrace: (() => void) | undefined;
  #isCancelled = false;

  constructor(
    call: ApiCall,
    tool: string,
    form: CallForm,
    deps: Pick<ApiDeps, 'after' | 'questions'>,
  ) {
    this.call = call;
    this.tool = tool;
    this.form = form;
    this.#deps = deps;
    this.#leave = call.join();
  }

  /** Looks for questions of the call again. */
  questionsChanged(): void {
    this.#change.signal();
  }

  /** Asks open questions again in the next answer. */
  askAgain(): void {
    this.#asked.clear();
  }

  /** The client has cancelled the call, and expects no result. */
  cancelled(): void {
    this.#isCancelled = true;
  }

  /** The position in the stream at which the latest answer ended. */
  get position(): StreamPosition {
    return this.#at;
  }

  /** Cancels the call unless another answer begins in time. */
  detach(graceMs: number): void {
    this.#cancelGrace?.();
    const end = (): void => {
      this.#leave?.('gone');
      this.onDone();
    };
    if (graceMs === 0) end();
    else this.#cancelGrace = this.#deps.after(graceMs, end);
  }

  /** Yields the messages after a position, as server-sent events. */
  async *messages(stop: AbortSignal, from: StreamPosition): AsyncGenerator<Part> {
    const { call, form } = this;
    this.#cancelGrace?.();
    this.#at = from;
    // An answer may repeat what an earlier one has reported.
    this.#progress = new ProgressReports();
    const eventId = (): string => (form.isResumable ? `${call.id}.${positionId(this.#at)}` : '');
    const event = (data: Iterable<string>, options?: { isLast: boolean }): Part =>
      serverEvent('message', eventId(), data, options);
    // Firefox shows an answer only once its body has begun.
    yield form.isPrimed ? [`id: ${eventId()}\ndata: \n\n`] : [heartbeat];
    // Each round sends the first of these that is there: withdrawn questions, output, new questions. The call may end
    // while a message is read.
    while (call.result === undefined) {
      const closed = this.#withdrawals();
      const rest = stop.aborted ? undefined : call.feed.since(this.#at);
      const questions = closed.length > 0 || rest !== undefined ? [] : this.#newQuestions();
      if (closed.length > 0) for (const text of closed) yield event([text]);
      else if (rest !== undefined) {
        this.#at = call.feed.position;
        for (const text of this.#notifications(rest)) yield event([text]);
      } else if (questions.length > 0) {
        const { messages, isLast } = form.ask(this, questions);
        for (const text of messages) yield event([text], { isLast });
        if (isLast) return;
      } else if (stop.aborted) {
        const text = form.repeatLater(this);
        if (text === null) this.detach(form.graceMs);
        else yield event([text], { isLast: true });
        return;
      } else {
        const change = Promise.race([call.nextChange, this.#change.next]);
        if (!(await waitForChange(stop, change, this.#deps))) yield [heartbeat];
      }
    }
    this.#leave?.('served');
    for (const text of this.#withdrawals()) yield event([text]);
    for (const text of this.#notifications(restOf(call.result, this.#at))) yield event([text]);
    if (!this.#isCancelled) yield event(this.#result(call.result), { isLast: true });
    this.onDone();
  }

  *#result(result: ToolResult): Generator<string> {
    yield `{"jsonrpc":"2.0","id":${this.form.id},"result":`;
    yield* callResultPieces(result, this.form.shape);
    yield '}';
  }

  #newQuestions(): AskedQuestion[] {
    if (!this.form.canAsk) return [];
    return this.#deps.questions.list().flatMap((question) => {
      const { id, callId, kind } = question;
      if (callId !== this.call.id || (kind !== 'approve' && kind !== 'call')) return [];
      if (this.#asked.has(id)) return [];
      this.#asked.add(id);
      return [question];
    });
  }

  /** Withdraws the questions that were answered elsewhere, or not answered in time. */
  #withdrawals(): JsonText[] {
    const open = new Set(this.#deps.questions.list().map(({ id }) => id));
    return [...this.#asked].flatMap((id) => {
      if (open.has(id)) return [];
      this.#asked.delete(id);
      return this.form.withdraw(id) ?? [];
    });
  }

  *#notifications({ log, updates }: StreamRest): Generator<JsonText> {
    const { form, tool } = this;
    const lowest = levels.indexOf(form.level() ?? '');
    for (const { level, message } of log)
      if (lowest >= 0 && levels.indexOf(level) >= lowest)
        yield notificationText('message', JSON.stringify({ level, logger: tool, data: message }));
    if (form.progressToken === undefined) return;
    for (const update of updates) {
      const report = this.#progress.of(update);
      if (report !== null) yield progressText(update, report, form.progressToken);
    }
  }
}

function progressText({ json }: Update, report: McpProgress, token: JsonText): JsonText {
  const { progress, total, message = messageOf(json) } = report;
  const text = [...jsonString(message)].join('');
  const known = total === undefined ? '' : `"total":${total},`;
  return notificationText(
    'progress',
    `{"progressToken":${token},"progress":${progress},${known}"message":${text}}`,
  );
}

function messageOf(json: JsonText): string {
  // Python may have written NaN, which is no JSON.
  const value = json.length <= maxMessageChars ? parseJson(json) : null;
  return typeof value === 'string' ? value : json.slice(0, maxMessageChars);
}

function notificationText(name: string, params: JsonText): JsonText {
  return `{"jsonrpc":"2.0","method":"notifications/${name}","params":${params}}`;
}

/** Calls, each with the position in its stream from which its messages are sent. */
export interface CallStream {
  readonly calls: readonly { readonly call: McpCall; readonly from: StreamPosition }[];
  /** Events that are sent before those of the calls. */
  readonly before?: Part;
  readonly headers?: Record<string, string>;
}

/** Answers with the messages of calls, one call after the other. */
export function streamResponse(
  { calls, before = [], headers = {} }: CallStream,
  deps: Pick<ApiDeps, 'after'>,
): Response {
  const stop = new AbortController();
  const cancelDeadline = deps.after(longestAnswerMs, () => stop.abort());
  const onGone = (): void => {
    cancelDeadline();
    stop.abort();
    for (const { call } of calls) call.detach(call.form.graceMs);
  };
  async function* all(): AsyncGenerator<Part> {
    yield before;
    for (const { call, from } of calls) yield* call.messages(stop.signal, from);
    cancelDeadline();
  }
  return new Response(createPacedBody(all(), onGone), {
    headers: { ...answerHeaders('events'), ...headers },
  });
}

/** The question to the user, as the parameters of `elicitation/create`. An accepted form without fields means yes. */
export function writeElicitation(question: AskedQuestion): object {
  const asks =
    question.kind === 'approve'
      ? `The tool ${question.tool} asks: ${question.question}${question.details === null ? '' : `\n${question.details}`}`
      : `May the tool ${question.tool} run with these arguments? ${question.arguments}`;
  const message = asks.length > maxMessageChars ? `${asks.slice(0, maxMessageChars)} …` : asks;
  return { message, requestedSchema: { type: 'object', properties: {} } };
}
