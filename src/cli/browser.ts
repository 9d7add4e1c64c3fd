/**
 * Runs a browser without a window, and speaks the DevTools protocol with it over two pipes. No other program can reach
 * them, and the browser ends when they close: also when this program is killed.
 */

import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { asFields } from '../runtime/spec/guards.ts';
import { oldestVersion } from './find-browser.ts';

export interface BrowserOptions {
  readonly program: string;
  /** Folder of the browser's profile. */
  readonly profile: string;
  /** Whether to switch off the browser's own sandbox: it does not run for root. */
  readonly isRoot: boolean;
}

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const closeMs = 3_000;

export class Browser {
  /** Resolves when the browser has ended, with the reason. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  readonly #input: Writable;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  /** Why the browser has ended; null until then. */
  #stopped: string | null = null;
  #end: (reason: string) => void = () => undefined;
  #isClosing = false;

  private constructor({ program, profile, isRoot }: BrowserOptions) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    const child = spawn(program, browserArguments(profile, isRoot), {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    });
    this.#child = child;
    const [, , errors, input, output] = child.stdio as unknown as readonly [
      null,
      null,
      Readable,
      Writable,
      Readable,
    ];
    this.#input = input;
    let lastOutput = '';
    errors.setEncoding('utf8').on('data', (text: string) => {
      lastOutput = (lastOutput + text).slice(-2_000);
    });
    this.#read(output);
    input.on('error', () => undefined);
    output.on('error', () => undefined);
    child.on('error', (error) => this.#stop(`${program} could not be started: ${error.message}`));
    child.on('exit', (code) => {
      const why = code === 0 || this.#isClosing ? '' : ` with code ${code}:\n${lastOutput.trim()}`;
      this.#stop(`The browser has ended${why}`);
    });
  }

  /** @throws {Error} if it does not start, or is too old */
  static async start(options: BrowserOptions): Promise<Browser> {
    const browser = new Browser(options);
    try {
      const { product } = asFields(await browser.send('Browser.getVersion', {}));
      const version = Number(/\/(\d+)/.exec(String(product))?.[1]);
      if (version < oldestVersion)
        throw new Error(
          `${options.program} is ${String(product)}. Cloche needs version ${oldestVersion} or newer: update it, or set CLOCHE_BROWSER to another one.`,
        );
      return browser;
    } catch (thrown) {
      await browser.close();
      throw thrown;
    }
  }

  /** Sends a command of the DevTools protocol, to a page if a session is given. @throws {Error} */
  send(method: string, params: object, sessionId?: string): Promise<unknown> {
    if (this.#stopped !== null) return Promise.reject(new Error(this.#stopped));
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  async close(): Promise<void> {
    if (this.#isClosing) {
      await this.ended;
      return;
    }
    this.#isClosing = true;
    // A closed pipe ends the browser, after it has stored what it keeps.
    this.#input.end();
    const kill = setTimeout(() => this.#child.kill('SIGKILL'), closeMs);
    await this.ended;
    clearTimeout(kill);
  }

  #read(output: Readable): void {
    let parts: string[] = [];
    output.setEncoding('utf8').on('data', (text: string) => {
      const pieces = text.split('\0');
      for (const piece of pieces.slice(0, -1)) {
        parts.push(piece);
        this.#receive(parts.join(''));
        parts = [];
      }
      parts.push(pieces.at(-1) ?? '');
    });
  }

  #receive(text: string): void {
    const { id, result, error, method } = asFields(JSON.parse(text));
    if (method === 'Inspector.targetCrashed') this.#stop('The page in the browser has crashed.');
    if (typeof id !== 'number') return;
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error === undefined) pending?.resolve(result);
    else pending?.reject(new Error(String(asFields(error).message)));
  }

  #stop(reason: string): void {
    this.#stopped ??= reason;
    for (const { reject } of this.#pending.values()) reject(new Error(reason));
    this.#pending.clear();
    this.#end(reason);
  }
}

function browserArguments(profile: string, isRoot: boolean): readonly string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-extensions',
    '--disable-sync',
    '--disable-gpu',
    '--mute-audio',
    // Chromium would load two pages of its own address bar in each window.
    '--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup',
    // The keys of the system's key store are of no use here, and would ask the user.
    '--password-store=basic',
    '--use-mock-keychain',
    // With these options, a page that is not visible runs at full speed.
    '--disable-background-timer-throttling',
    '--disable-renderer-backgrounding',
    ...(isRoot ? ['--no-sandbox'] : []),
    'about:blank',
  ];
}
