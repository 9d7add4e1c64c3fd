/** The page in a browser without a window: its interface for programs, and its virtual API. */

import type { Headless } from '../runtime/protocol/headless.ts';
import { asFields, isRecord } from '../runtime/spec/guards.ts';
import type { Browser } from './browser.ts';
import { installInPage, type PageEvent, type PageRequest } from './in-page.ts';

export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, in pieces as they arrive. Rejects if the response does not arrive completely. */
  readonly body: AsyncIterable<string>;
}

/** The virtual API of a page. */
export interface PageApi {
  /** @throws {Error} if the signal aborts, or there is no answer */
  request(signal: AbortSignal, asked: PageRequest): Promise<PageResponse>;
}

export class DrivenPage implements PageApi {
  readonly #browser: Browser;
  readonly #session: string;
  readonly #exchanges = new Map<number, (event: PageEvent) => void>();
  #lastId = 0;

  private constructor(browser: Browser, session: string) {
    this.#browser = browser;
    this.#session = session;
  }

  static async open(browser: Browser, url: string): Promise<DrivenPage> {
    const { targetInfos } = asFields(await browser.send('Target.getTargets', {}));
    const targets = Array.isArray(targetInfos) ? targetInfos.filter(isRecord) : [];
    const first = targets.find(({ type }) => type === 'page');
    const { targetId } =
      first ?? asFields(await browser.send('Target.createTarget', { url: 'about:blank' }));
    const attached = await browser.send('Target.attachToTarget', { targetId, flatten: true });
    const session = String(asFields(attached).sessionId);
    const page = new DrivenPage(browser, session);
    await browser.send('Inspector.enable', {}, session);
    await browser.send('Page.enable', {}, session);
    const source = `(${installInPage.toString()})()`;
    await browser.send('Page.addScriptToEvaluateOnNewDocument', { source }, session);
    const { errorText: failure } = asFields(await browser.send('Page.navigate', { url }, session));
    if (typeof failure === 'string') throw new Error(`The app could not be opened: ${failure}`);
    void page.#follow();
    return page;
  }

  /** Calls a method of the page's interface. @throws {Error} with the page's reason */
  async ask<Name extends keyof Headless>(
    method: Name,
    ...args: Parameters<Headless[Name]>
  ): Promise<ValueOf<Awaited<ReturnType<Headless[Name]>>>> {
    const text = await this.#run('ask', [method, args]);
    const answer: unknown = JSON.parse(text);
    if (isRecord(answer) && 'error' in answer) throw new Error(String(answer.error));
    // The page is of this version, and its side has the same types.
    return (isRecord(answer) && 'value' in answer ? answer.value : answer) as ValueOf<
      Awaited<ReturnType<Headless[Name]>>
    >;
  }

  request(signal: AbortSignal, asked: PageRequest): Promise<PageResponse> {
    signal.throwIfAborted();
    const id = (this.#lastId += 1);
    const body = new TextQueue();
    const cancel = (): void => {
      this.#run('cancel', [id]).catch(() => undefined);
      body.end('The request was cancelled.');
    };
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        cancel();
        reject(new Error('The request was cancelled.'));
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#exchanges.set(id, (event) => {
        if (event.type === 'head') resolve({ ...event, body: body.read(cancel) });
        else if (event.type === 'chunk') body.add(event.text);
        else {
          this.#exchanges.delete(id);
          signal.removeEventListener('abort', abort);
          body.end(event.error);
          // If the head of the answer had arrived, the promise has resolved, and this has no effect.
          reject(new Error(event.error ?? 'The page did not answer.'));
        }
      });
      this.#run('request', [id, asked]).catch(reject);
    });
  }

  /** Calls a function of {@link installInPage}. @returns its text */
  async #run(name: string, args: readonly unknown[]): Promise<string> {
    const call = args.map((arg) => JSON.stringify(arg)).join(', ');
    const params = {
      expression: `clocheCli.${name}(${call})`,
      awaitPromise: true,
      returnByValue: true,
    };
    const { result, exceptionDetails } = asFields(
      await this.#browser.send('Runtime.evaluate', params, this.#session),
    );
    if (exceptionDetails !== undefined) {
      const { exception, text } = asFields(exceptionDetails);
      throw new Error(String(asFields(exception).description ?? text));
    }
    return String(asFields(result).value);
  }

  async #follow(): Promise<void> {
    try {
      for (;;) {
        const events: unknown = JSON.parse(await this.#run('events', []));
        for (const event of events as readonly PageEvent[]) this.#exchanges.get(event.id)?.(event);
      }
    } catch (thrown) {
      const error = thrown instanceof Error ? thrown.message : String(thrown);
      for (const [id, receive] of this.#exchanges) receive({ id, type: 'end', error });
    }
  }
}

/** An answer's value; other results as they are. */
type ValueOf<T> = T extends { readonly value: infer V }
  ? V
  : Exclude<T, { readonly error: string }>;

/** The pieces of a body that have arrived, and have not been read. */
class TextQueue {
  #pieces: string[] = [];
  #ended: { readonly error: string | null } | null = null;
  #wake: () => void = () => undefined;

  add(text: string): void {
    this.#pieces.push(text);
    this.#wake();
  }

  end(error: string | null): void {
    this.#ended ??= { error };
    this.#wake();
  }

  /** @param cancel is called if the reader stops before the end */
  async *read(cancel: () => void): AsyncGenerator<string> {
    try {
      for (;;) {
        const pieces = this.#pieces;
        this.#pieces = [];
        yield* pieces;
        if (this.#pieces.length > 0) continue;
        if (this.#ended !== null) break;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      if (this.#ended === null) cancel();
    }
    if (this.#ended.error !== null) throw new Error(this.#ended.error);
  }
}
