/** Watches everything a browser context does for what must not happen: errors, breaches of policy, foreign requests. */
import type { BrowserContext } from '@playwright/test';

export class Trouble {
  #seen: string[] = [];
  #expected: RegExp[] = [];
  #origins: Set<string>;

  /** `origins` are those that requests may go to. */
  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /** For a test that causes trouble on purpose: what matches is no trouble, before or after this call. */
  expect(pattern: RegExp): void {
    this.#expected.push(pattern);
  }

  /** For a test with a server of its own. */
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

  /** Chromium reports breaches of policy by pages and frames (not by workers) as console errors too. */
  watch(context: BrowserContext): void {
    context.on('console', (message) => {
      const type = message.type();
      if (type !== 'error' && type !== 'warning') return;
      const { url, lineNumber } = message.location();
      this.add(`console ${type}: ${message.text()} (${url}:${lineNumber})`);
    });
    context.on('weberror', (error) => {
      this.add(`uncaught: ${String(error.error())}`);
    });
    context.on('request', (request) => {
      this.addRequest(request.method(), request.url());
    });
  }
}
