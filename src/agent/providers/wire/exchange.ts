/** A request to a provider and its response. Any failure becomes one error, and silence is limited. */

import type { ModelLimits, ProviderAccess } from '../../../runtime/protocol/models.ts';
import { errorText } from '../../../runtime/spec/error.ts';
import type { JsonObject } from '../../../runtime/spec/json.ts';
import { ModelError } from '../../../runtime/spec/model-error.ts';
import { filterHeaders } from './access.ts';
import type { SdkFetch } from './adapter.ts';
import { cut } from './sdk-parts.ts';
import { isJsonLines, withBeginning } from './body-beginning.ts';
import type { ExchangeRecorder, RecordedExchange } from './exchange-recorder.ts';
import { faultOf } from './classify-fault.ts';
import { refusalOf, prepareMessage } from './fault-words.ts';
import { FrameReader, type AnswerFrames, type FrameWatch } from './frames.ts';
import type { ModelNetwork } from './model-network.ts';
import { retryAfterMs, parseProviderError } from './provider-error.ts';
import { unreachableError } from './unreachable.ts';

/** Changes to the data that passes through. */
export interface ExchangeEdits {
  /** Changes the body of the request. */
  readonly edit?: ((body: JsonObject) => JsonObject) | undefined;
  /** Changes the body of the request as text, after `edit`. */
  readonly editText?: (body: string) => string;
  /** Reads the frames of the answer, and changes them. */
  readonly frames?: AnswerFrames | undefined;
  /** Joins lines of the answer that arrived together, before `frames` gets them. */
  readonly joinLines?: ((lines: readonly string[]) => readonly string[]) | undefined;
  /** Turns an answer that was sent as a whole into a stream; null if it is not an answer. */
  readonly asStream?: ((body: string) => string | null) | undefined;
}

/** Characters of an error response that are read. */
const maxErrorChars = 64 * 1024;
/** Characters of a frame that the error about a stream without an answer quotes. */
const maxFrameChars = 200;
/** Limit in milliseconds for reading an error response. */
const errorMs = 30_000;

/** Without a reason, each abort would create an error with a stack trace. */
const over = new Error('The exchange is over.');

export class Exchange {
  readonly #signal: AbortSignal;
  readonly #access: ProviderAccess;
  readonly #model: string;
  readonly #network: ModelNetwork;
  readonly #limits: ModelLimits;
  readonly #stop = new AbortController();
  readonly #recorder: ExchangeRecorder | null;
  #fault: ModelError | null = null;

  /** @param model empty if no model is asked */
  constructor(
    signal: AbortSignal,
    access: ProviderAccess,
    model: string,
    network: ModelNetwork,
    limits: ModelLimits,
    recorder: ExchangeRecorder | null = null,
  ) {
    this.#recorder = recorder;
    this.#signal = signal;
    this.#access = access;
    this.#model = model;
    this.#network = network;
    this.#limits = limits;
  }

  /** The error of this exchange, or null. SDKs wrap it in errors of their own. */
  get fault(): ModelError | null {
    return this.#fault;
  }

  /** Aborts what is still running. */
  close(): void {
    this.#stop.abort(over);
  }

  /** Returns a `fetch` for an SDK, or for requests made without one. */
  fetch(edits: ExchangeEdits, expects: 'stream' | 'json'): SdkFetch {
    return async (input, init) => {
      const text = typeof init?.body === 'string' ? init.body : null;
      const body = text === null ? null : replaceLoneSurrogates(editedBody(text, edits));
      const request = {
        url: input instanceof Request ? input.url : String(input),
        method: init?.method ?? 'GET',
        headers: filterHeaders(new Headers(init?.headers)),
        body,
      };
      const recorded = this.#recorder?.begin(request) ?? null;
      const response = await this.#send(request);
      recorded?.responded(response.status);
      if (!response.ok) throw this.#keepFirstFault(await this.#readRefusal(response, recorded));
      const { frames, joinLines } = edits;
      const onSkipped = recorded?.skipped ?? ((): void => undefined);
      const onNoAnswer = (last: string): ModelError => this.#noAnswer(last);
      const reading = frames && { frames, joinLines, onSkipped, onNoAnswer };
      const onText = recorded?.received;
      const type = response.headers.get('content-type')?.toLowerCase() ?? '';
      const isPage = type.startsWith('text/html');
      const isWhole = expects === 'stream' && type.startsWith('application/json');
      if (!isPage && !isWhole) {
        const passedOn = this.#watchBody(response, { reading, onText });
        return expects === 'stream' ? withBody(response, passedOn) : new Response(passedOn);
      }
      // The content type is not the expected one. Some proxies send a wrong type, so the body decides.
      const sent = await withBeginning(this.#watchBody(response, { reading: undefined, onText }));
      if (sent.beginning === '<') {
        const page = await readBeginning(sent.response, this.#errorMs).catch(() => '');
        throw this.#keepFirstFault(this.#noStream(response, type, page));
      }
      if (expects === 'json') return sent.response;
      const isStream = sent.beginning !== '{' && sent.beginning !== '[';
      const stream = isStream
        ? sent.response
        : await this.#asStream(sent.response, type, edits.asStream);
      // The text was recorded when the beginning was read.
      return new Response(this.#watchBody(stream, { reading, onText: undefined }));
    };
  }

  /** Turns an answer that is not a stream into one. @throws {ModelError} if it is no answer */
  async #asStream(
    response: Response,
    type: string,
    asStream: ExchangeEdits['asStream'],
  ): Promise<Response> {
    const whole = await response.text();
    const text = asStream?.(whole) ?? (isJsonLines(whole) ? whole : null);
    if (text === null) throw this.#keepFirstFault(this.#noStream(response, type, whole));
    return new Response(text);
  }

  #watchBody(response: Response, more: Pick<Watch, 'reading' | 'onText'>): ReadableStream<Bytes> {
    return watchBody(response, {
      signal: this.#signal,
      idleMs: this.#limits.modelIdleMs,
      maxBytes: this.#limits.modelAnswerBytes,
      onFault: (fault) => this.#keepFirstFault(fault),
      ...more,
    });
  }

  async #send(request: Parameters<ModelNetwork['send']>[1]): Promise<Response> {
    const timeout = setTimeout(() => {
      this.#keepFirstFault(this.#silent());
      this.#stop.abort(over);
    }, this.#limits.modelFirstMs);
    const signal = AbortSignal.any([this.#signal, this.#stop.signal]);
    try {
      return await this.#network.send(signal, request);
    } catch (thrown) {
      if (this.#signal.aborted) throw this.#signal.reason;
      if (thrown instanceof ModelError) throw this.#keepFirstFault(thrown);
      throw this.#keepFirstFault(await unreachableError(this.#signal, this.#access, this.#network));
    } finally {
      clearTimeout(timeout);
    }
  }

  get #errorMs(): number {
    return Math.min(errorMs, this.#limits.modelIdleMs);
  }

  async #readRefusal(response: Response, recorded: RecordedExchange | null): Promise<ModelError> {
    const body = await readBeginning(response, this.#errorMs, recorded).catch(errorText);
    const reported = parseProviderError(response.status, body);
    const wait = retryAfterMs(faultOf(reported), response.headers, body, Date.now());
    return refusalOf(this.#access, this.#model, reported, wait);
  }

  /** The error for a successful response that is not a stream. */
  #noStream(response: Response, type: string, body: string): ModelError {
    const reported = parseProviderError(response.status, body);
    // Some servers report errors with status 200.
    if (body.slice(0, 1000).includes('"error"') && reported.message !== '')
      return refusalOf(this.#access, this.#model, { ...reported, status: null });
    const what = type.startsWith('text/html') ? 'a web page' : 'no stream';
    return new ModelError(
      'answer',
      `${this.#access.name} answered with ${what}.`,
      `Check that the base URL ${this.#access.baseUrl} belongs to this API.`,
    );
  }

  /** The error for a stream in which no frame was part of an answer. @param last the data of the last one */
  #noAnswer(last: string): ModelError {
    if (beginsLikePage(last)) return this.#noStream(new Response(), 'text/html', last);
    const reported = { ...parseProviderError(200, last), status: null };
    // `provider` is the fault of anything that is not recognised as a more specific error.
    if (faultOf(reported) !== 'provider') return refusalOf(this.#access, this.#model, reported);
    const message = prepareMessage(last, this.#access).slice(0, maxFrameChars);
    return new ModelError(
      'answer',
      `${this.#access.name} sent an invalid answer${message === '' ? '.' : `: ${message}`}`,
      `Try again; check that the base URL ${this.#access.baseUrl} belongs to this API.`,
    );
  }

  #silent(): ModelError {
    return new ModelError(
      'network',
      `${this.#access.name} accepted the request but has not answered for ${this.#limits.modelFirstMs / 1000} seconds.`,
      'Try again. A local server may still be loading the model, or may not have enough memory for it.',
    );
  }

  /** Keeps the first error: later ones follow from it. */
  #keepFirstFault(fault: ModelError): ModelError {
    this.#fault ??= fault;
    return this.#fault;
  }
}

function beginsLikePage(body: string): boolean {
  return /^\s*<(?:!doctype|html|head|body)\b/i.test(body);
}

function editedBody(
  text: string,
  { edit, editText = (same: string) => same }: ExchangeEdits,
): string {
  if (edit === undefined) return editText(text);
  return editText(JSON.stringify(edit(JSON.parse(text) as JsonObject)));
}

/** Reads the beginning of an error response, up to a limit in size and time. */
async function readBeginning(
  response: Response,
  ms: number,
  recorded: RecordedExchange | null = null,
): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const giveUp = (): void => void reader?.cancel().catch(() => undefined);
  // Cancelling ends the current read as if the response were complete.
  const timeout = setTimeout(giveUp, ms);
  let text = '';
  try {
    while (reader !== undefined && text.length < maxErrorChars) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += value;
      recorded?.received(value);
    }
    giveUp();
    return text;
  } finally {
    clearTimeout(timeout);
  }
}

/** An escaped pair of surrogates, a lone surrogate, or any other escape, so that an escaped backslash does not begin one. */
const escaped = /\\u(d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2})|\\u(d[89a-f][0-9a-f]{2})|\\[^]/gi;

/**
 * Replaces each lone surrogate by U+FFFD. Everything else keeps its spelling.
 *
 * @param json otherwise valid JSON
 */
export function replaceLoneSurrogates(json: string): string {
  const text = json.toWellFormed();
  if (!/\\ud[89a-f]/i.test(text)) return text;
  return text.replace(escaped, (found: string, _pair, half: string | undefined) =>
    half === undefined ? found : '\\ufffd',
  );
}

interface Watch {
  readonly signal: AbortSignal;
  readonly idleMs: number;
  readonly maxBytes: number;
  /** Reads the frames of the body; undefined to pass the body on unchanged. */
  readonly reading: FrameWatch | undefined;
  /** Receives the text of each piece as it was sent. */
  readonly onText: ((text: string) => void) | undefined;
  /**
   * Called with the error that ended the body.
   *
   * @returns the error to throw
   */
  readonly onFault: (fault: ModelError) => ModelError;
}

/** Replaces the body of a response of which only `body` is used. Creating another response takes much longer. */
function withBody(response: Response, body: ReadableStream): Response {
  return Object.defineProperty(response, 'body', { value: body });
}

/**
 * Limits and reads the body while passing it on. Does everything in one stream, since each further stream costs as much as
 * reading the body.
 */
function watchBody(response: Response, watch: Watch): ReadableStream<Bytes> {
  const body = response.body ?? new Blob([]).stream();
  const reader = body.getReader();
  const passOn = createPassing(watch);
  let bytes = 0;
  let isCancelled = false;
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        try {
          // Reads on until a line is complete: if pull() passes nothing on, it is not called again.
          for (let piece: Bytes = noBytes; piece.byteLength === 0;) {
            const { done, value } = await withTimeout(reader.read(), watch.idleMs);
            if (isCancelled) return;
            if (done) {
              piece = passOn(null);
              if (piece.byteLength > 0) controller.enqueue(piece);
              controller.close();
              return;
            }
            bytes += value.byteLength;
            if (bytes > watch.maxBytes)
              throw new ModelError(
                'answer',
                `The answer is longer than ${watch.maxBytes} bytes and was not read completely.`,
                'Choose another model.',
              );
            piece = passOn(value);
            if (piece.byteLength > 0) controller.enqueue(piece);
          }
        } catch (thrown) {
          // The body was cancelled for another reason, which this error would hide.
          if (isCancelled) return;
          void reader.cancel().catch(() => {});
          const fault = thrown instanceof ModelError ? thrown : cut();
          controller.error(watch.signal.aborted ? watch.signal.reason : watch.onFault(fault));
        }
      },
      cancel() {
        isCancelled = true;
        return reader.cancel();
      },
    },
    { highWaterMark: 0 },
  );
}

type Bytes = Uint8Array<ArrayBuffer>;

const noBytes: Bytes = new Uint8Array();

/** Returns a function that maps each piece to the bytes to pass on, and null to those that are left at the end. */
function createPassing({
  reading,
  onText,
}: Pick<Watch, 'reading' | 'onText'>): (piece: Bytes | null) => Bytes {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const reader = reading === undefined ? null : new FrameReader(reading);
  return (piece) => {
    const text = decoder.decode(piece ?? noBytes, { stream: piece !== null });
    if (text !== '') onText?.(text);
    if (reader === null) return piece ?? noBytes;
    const read = reader.read(text);
    return encoder.encode(piece === null ? read + reader.end() : read);
  };
}

function withTimeout<T>(answer: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(silenceError(ms)), ms);
    answer.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (thrown: unknown) => {
        clearTimeout(timer);
        reject(thrown instanceof Error ? thrown : cut());
      },
    );
  });
}

function silenceError(ms: number): ModelError {
  return new ModelError(
    'cut',
    `The answer stopped: no data for ${ms / 1000} seconds.`,
    'Try again. If it keeps failing, check the provider’s status page.',
  );
}
