/** Watches a browser context for what must not happen: errors, policy violations, requests to other hosts. */
import type { BrowserContext, ConsoleMessage, Request, WebError } from '@playwright/test';

export class Trouble {
  #seen: string[] = [];
  #expected: RegExp[] = [];
  #origins: Set<string>;

  /** `origins`: where requests may go. */
  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** For a test that causes trouble on purpose: what matches is no trouble, before or after this call. */
  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  /** For a test with its own server. */
  allowOrigin(origin: string): void {
    this.#origins.add(origin);
  }

  /** What was seen since the last time and not expected; both are then forgotten. */
  take(): string[] {
    const expected = this.#expected.splice(0);
    return this.#seen.splice(0).filter((text) => !expected.some((pattern) => pattern.test(text)));
  }

  add(text: string): void {
    this.#seen.push(text);
  }

  addRequest(method: string, address: string): void {
    const { protocol, origin } = new URL(address);
    // blob: and data: stay inside the browser.
    const inside = ['blob:', 'data:', 'about:'].includes(protocol);
    if (!inside && !this.#origins.has(origin)) this.add(`foreign request: ${method} ${address}`);
  }

  /**
   * Listens to all pages of a context. Chromium reports breaches of policy by pages and frames, but not by workers, as
   * console errors too.
   * @returns stops listening
   */
  watch(context: BrowserContext): () => void {
    const onConsole = (message: ConsoleMessage): void => {
      const type = message.type();
      if (type !== 'error' && type !== 'warning') return;
      const { url, lineNumber } = message.location();
      this.add(`console ${type}: ${message.text()} (${url}:${lineNumber})`);
    };
    const onError = (error: WebError): void => {
      this.add(`uncaught: ${String(error.error())}`);
    };
    const onRequest = (request: Request): void => {
      this.addRequest(request.method(), request.url());
    };
    context.on('console', onConsole).on('weberror', onError).on('request', onRequest);
    return () => {
      context.off('console', onConsole).off('weberror', onError).off('request', onRequest);
    };
  }
}
