/** One request to a provider and its answer: what fails on the way becomes one fault, and silence has an end. */

import type { ModelLimits, ProviderAccess } from '../../protocol/models.ts';
import type { ModelNetwork } from './model-network.ts';
import type { JsonObject } from '../../spec/json.ts';
import { errorText } from '../../spec/error.ts';
import { ModelError } from '../../spec/model-error.ts';
import { wellFormed } from './well-formed.ts';
import { sentHeaders } from './access.ts';
import type { SdkFetch } from './adapter.ts';
import { watchedBody } from './watched-body.ts';
import { modelFault } from './fault-words.ts';
import { retryAfterMs, parseProviderError } from './provider-error.ts';
import { unreachable } from './unreachable.ts';

/** What is done to what passes through. */
export interface Passing {
  /** To the body of the request. */
  readonly edit?: ((body: JsonObject) => JsonObject) | undefined;
  readonly putIn?: (body: string) => string;
  /** To each line of the answer. */
  readonly readLine?: ((line: string) => string) | undefined;
}

/** Characters of a failed answer that are read. */
const longestError = 64 * 1024;
/** What it says is there at once, or is not waited for; milliseconds. */
const errorMs = 30_000;

export class Exchange {
  readonly #signal: AbortSignal;
  readonly #access: ProviderAccess;
  readonly #model: string;
  readonly #network: ModelNetwork;
  readonly #limits: ModelLimits;
  readonly #stop = new AbortController();
  #fault: ModelError | null = null;

  /** @param model empty where none is asked */
  constructor(
    signal: AbortSignal,
    access: ProviderAccess,
    model: string,
    network: ModelNetwork,
    limits: ModelLimits,
  ) {
    this.#signal = signal;
    this.#access = access;
    this.#model = model;
    this.#network = network;
    this.#limits = limits;
  }

  /** What went wrong with it, if anything; SDKs wrap it in errors of their own. */
  get fault(): ModelError | null {
    return this.#fault;
  }

  /** Gives up what is left. */
  close(): void {
    this.#stop.abort();
  }

  /** A `fetch` for an SDK, and for whoever else sends what one would. */
  fetch(passing: Passing, expects: 'stream' | 'json'): SdkFetch {
    return async (input, init) => {
      const text = typeof init?.body === 'string' ? init.body : null;
      const body = text === null ? null : wellFormed(changed(text, passing));
      const response = await this.#answer({
        url: input instanceof Request ? input.url : String(input),
        method: init?.method ?? 'GET',
        headers: sentHeaders(new Headers(init?.headers)),
        body,
      });
      const type = response.headers.get('content-type') ?? '';
      if (
        type.startsWith('text/html') ||
        (expects === 'stream' && type.startsWith('application/json'))
      )
        throw this.#failed(await this.#noStream(response, type));
      const answer = watchedBody(response, {
        signal: this.#signal,
        idleMs: this.#limits.modelIdleMs,
        mostBytes: this.#limits.modelAnswerBytes,
        readLine: passing.readLine,
        onFault: (fault) => this.#failed(fault),
      });
      return new Response(answer, { status: response.status, headers: response.headers });
    };
  }

  async #answer(request: Parameters<ModelNetwork['send']>[1]): Promise<Response> {
    const late = setTimeout(() => {
      this.#failed(this.#silent());
      this.#stop.abort();
    }, this.#limits.modelFirstMs);
    const signal = AbortSignal.any([this.#signal, this.#stop.signal]);
    let response: Response;
    try {
      response = await this.#network.send(signal, request);
    } catch (thrown) {
      if (this.#signal.aborted) throw this.#signal.reason;
      if (thrown instanceof ModelError) throw this.#failed(thrown);
      throw this.#failed(await unreachable(this.#signal, this.#access, this.#network));
    } finally {
      clearTimeout(late);
    }
    if (response.ok) return response;
    throw this.#failed(await this.#refused(response));
  }

  get #errorMs(): number {
    return Math.min(errorMs, this.#limits.modelIdleMs);
  }

  async #refused(response: Response): Promise<ModelError> {
    const body = await beginning(response, this.#errorMs).catch(errorText);
    const wait = retryAfterMs(response.headers, body, Date.now());
    return modelFault(this.#access, this.#model, parseProviderError(response.status, body), wait);
  }

  /** An answer of success that is none. */
  async #noStream(response: Response, type: string): Promise<ModelError> {
    const body = await beginning(response, this.#errorMs).catch(() => '');
    const reported = parseProviderError(response.status, body);
    // Some tell of a fault with status 200.
    if (body.slice(0, 1000).includes('"error"') && reported.message !== '')
      return modelFault(this.#access, this.#model, { ...reported, status: null });
    const what = type.startsWith('text/html') ? 'a web page' : 'no stream';
    return new ModelError(
      'answer',
      `${this.#access.name} answered with ${what}.`,
      `Check that the base URL ${this.#access.baseUrl} belongs to this API.`,
    );
  }

  #silent(): ModelError {
    return new ModelError(
      'network',
      `${this.#access.name} accepted the request but has not answered for ${this.#limits.modelFirstMs / 1000} seconds.`,
      'Try again. A local server may still be loading the model, or may not have enough memory for it.',
    );
  }

  /** The first fault counts: others follow from it. */
  #failed(fault: ModelError): ModelError {
    this.#fault ??= fault;
    return this.#fault;
  }
}

function changed(text: string, { edit, putIn = (same: string) => same }: Passing): string {
  if (edit === undefined) return putIn(text);
  return putIn(JSON.stringify(edit(JSON.parse(text) as JsonObject)));
}

/** What has come of a failed answer in time. */
async function beginning(response: Response, ms: number): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const giveUp = (): void => void reader?.cancel().catch(() => undefined);
  // What is being read then ends as if nothing more had come.
  const late = setTimeout(giveUp, ms);
  let text = '';
  try {
    while (reader !== undefined && text.length < longestError) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += value;
    }
    giveUp();
    return text;
  } finally {
    clearTimeout(late);
  }
}
