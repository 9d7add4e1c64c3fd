/**
 * A page of WebKit with the part of Puppeteer's interface that the tests of `tests/firefox` use, so that they run in WebKit as
 * they are. What a test does not use is missing.
 */

import type { Commands } from '../../scripts/webkit.mjs';
import { findHere, framesHere, runHere, type Ran } from './here.ts';

type Listener = (told: unknown) => void;
type Runs = (...args: never[]) => unknown;

const keyCodes: Readonly<Record<string, string>> = {
  Control: '\uE009',
  Enter: '\uE007',
  Escape: '\uE00C',
  Home: '\uE011',
  End: '\uE010',
};

/** One session takes one command at a time, for one window and frame. */
export class Session {
  readonly commands: Commands;
  #chosen: Place = { window: '', frames: [] };
  #last: Promise<unknown> = Promise.resolve();

  constructor(commands: Commands) {
    this.commands = commands;
  }

  /** Does the work in a window or frame, after everything before it. */
  in<T>({ window, frames }: Place, work: (commands: Commands) => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      if (this.#chosen.window !== window) await this.commands.chooseWindow(window);
      else if (isSame(this.#chosen.frames, frames)) return work(this.commands);
      // Until the frame is chosen, nothing counts as chosen.
      this.#chosen = { window: '', frames: [] };
      await this.commands.frame(null);
      for (const frame of frames) await this.commands.frame(frame);
      this.#chosen = { window, frames };
      return work(this.commands);
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Does the work in no certain window. @returns its result */
  between<T>(work: (commands: Commands) => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      this.#chosen = { window: '', frames: [] };
      return work(this.commands);
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  async newPage(): Promise<WebKitPage> {
    return new WebKitPage(this, await this.between((commands) => commands.newWindow()));
  }

  disconnect(): Promise<void> {
    return Promise.resolve();
  }
}

/** A window, and the elements of the frames that lead to a frame in it. */
interface Place {
  readonly window: string;
  readonly frames: readonly object[];
}

function isSame(some: readonly object[], others: readonly object[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others);
}

/** What pages and frames have in common. */
class Context {
  readonly session: Session;
  readonly place: Place;
  readonly tell: Listener;

  constructor(session: Session, place: Place, tell: Listener) {
    this.session = session;
    this.place = place;
    this.tell = tell;
  }

  evaluate(what: Runs, ...args: unknown[]): Promise<unknown> {
    return this.run(what, [], args);
  }

  /**
   * Runs a function with elements and further arguments. While it runs, the session takes other commands: a test may answer
   * what the function waits for.
   */
  async run(what: Runs, elements: readonly unknown[], args: readonly unknown[]): Promise<unknown> {
    const id = crypto.randomUUID();
    // JSON has no `undefined`.
    const text = JSON.stringify(args, (_key, value: unknown) => value ?? { nothing: `${value}` });
    for (let script = String(what); ; script = '') {
      const ran = await this.session.in(this.place, async ({ script: execute }) => {
        const given = [id, script, text, ...elements];
        return (await execute(runHere(script), given)) as Ran;
      });
      for (const each of ran.told) this.tell(each);
      if (ran.state === 'threw') throw new Error(`In the page: ${ran.text}`);
      if (ran.state === 'element') return ran.element;
      if (ran.state === 'ended')
        return ran.text === null ? undefined : (JSON.parse(ran.text) as unknown);
    }
  }

  async $(selector: string): Promise<WebKitElement | null> {
    const found = await this.run(findHere, [], [selector]);
    return typeof found === 'object' && found !== null ? new WebKitElement(this, found) : null;
  }

  async $$(selector: string): Promise<unknown[]> {
    const count = await this.$$eval(selector, (all: never[]) => all.length);
    return Array.from({ length: Number(count) });
  }

  $$eval(selector: string, what: Runs, ...args: unknown[]): Promise<unknown> {
    // Both functions are sent as one.
    const both = `(selector, ...args) => (${String(what)})((${String(findHere)})(selector, true), ...args)`;
    return this.evaluate({ toString: () => both } as Runs, selector, ...args);
  }

  $eval(selector: string, what: Runs, ...args: unknown[]): Promise<unknown> {
    const both = `(selector, ...args) => (${String(what)})((${String(findHere)})(selector), ...args)`;
    return this.evaluate({ toString: () => both } as Runs, selector, ...args);
  }

  async waitForSelector(selector: string): Promise<WebKitElement> {
    for (const until = Date.now() + 30_000; ; await new Promise((wake) => setTimeout(wake, 100))) {
      const found = await this.$(selector);
      if (found !== null) return found;
      if (Date.now() > until) throw new Error(`There is no ${selector}.`);
    }
  }

  locator(selector: string): { wait: () => Promise<WebKitElement> } {
    return { wait: () => this.waitForSelector(selector) };
  }

  focus(selector: string): Promise<unknown> {
    return this.$eval(selector, (element: HTMLElement) => {
      element.focus();
    });
  }
}

class WebKitFrame extends Context {
  readonly #url: string;
  readonly #parent: WebKitFrame | null;

  constructor(
    session: Session,
    place: Place,
    tell: Listener,
    url: string,
    parent: WebKitFrame | null,
  ) {
    super(session, place, tell);
    this.#url = url;
    this.#parent = parent;
  }

  url(): string {
    return this.#url;
  }

  parentFrame(): WebKitFrame | null {
    return this.#parent;
  }
}

class WebKitElement {
  readonly #frame: Context;
  readonly #element: object;

  constructor(frame: Context, element: object) {
    this.#frame = frame;
    this.#element = element;
  }

  evaluate(what: Runs, ...args: unknown[]): Promise<unknown> {
    return this.#frame.run(what, [this.#element], args);
  }

  click(): Promise<unknown> {
    return this.#frame.session.in(this.#frame.place, (commands) => commands.click(this.#element));
  }

  uploadFile(path: string): Promise<unknown> {
    return this.#frame.session.in(this.#frame.place, (commands) =>
      commands.type(this.#element, path),
    );
  }
}

export class WebKitPage extends Context {
  readonly #listeners: readonly [type: string, listener: Listener][];
  readonly #held = new Set<string>();

  constructor(session: Session, window: string) {
    const listeners: [string, Listener][] = [];
    super(session, { window, frames: [] }, (told) => {
      for (const [type, listener] of listeners) if (type === 'pageerror') listener(told);
    });
    this.#listeners = listeners;
  }

  /** Only uncaught errors and breaches of the policy are told, when the page is used next. */
  on(type: string, listener: Listener): void {
    (this.#listeners as [string, Listener][]).push([type, listener]);
  }

  browser(): Session {
    return this.session;
  }

  goto(url: string): Promise<unknown> {
    return this.session.in(this.place, (commands) => commands.goto(url));
  }

  reload(): Promise<unknown> {
    return this.session.in(this.place, (commands) => commands.reload());
  }

  title(): Promise<unknown> {
    return this.evaluate(() => document.title);
  }

  setViewport({ width, height }: { width: number; height: number }): Promise<unknown> {
    return this.session.in(this.place, (commands) => commands.resize(width, height));
  }

  setDefaultTimeout(): void {
    // waitForSelector has its own.
  }

  bringToFront(): Promise<unknown> {
    // Windows lie side by side: none is in the background.
    return Promise.resolve();
  }

  async close(): Promise<void> {
    const [other = ''] = await this.session.in(this.place, (commands) => commands.closeWindow());
    // A session without a window that is open could not open another.
    await this.session.between((commands) => commands.chooseWindow(other));
  }

  async frames(): Promise<readonly WebKitFrame[]> {
    const whole = new WebKitFrame(this.session, this.place, this.tell, await this.#address(), null);
    const found = [whole];
    // The loop appends to the list.
    for (const frame of found) {
      const count = Number(await frame.evaluate(framesHere));
      for (let n = 0; n < count; n += 1) {
        const element = await frame.run(framesHere, [], [n]);
        if (typeof element !== 'object' || element === null) continue;
        const place = { ...this.place, frames: [...frame.place.frames, element] };
        const inside = new Context(this.session, place, this.tell);
        const url = String(await inside.evaluate(() => location.href));
        found.push(new WebKitFrame(this.session, place, this.tell, url, frame));
      }
    }
    return found;
  }

  async #address(): Promise<string> {
    return String(await this.evaluate(() => location.href));
  }

  readonly keyboard = {
    down: (key: string): void => {
      this.#held.add(key);
    },
    up: (key: string): void => {
      this.#held.delete(key);
    },
    press: (key: string): Promise<unknown> => this.#press([key]),
    type: (text: string): Promise<unknown> => this.#press(Array.from(text)),
  };

  #press(keys: readonly string[]): Promise<unknown> {
    const code = (key: string): string => keyCodes[key === '\n' ? 'Enter' : key] ?? key;
    const held = [...this.#held].map(code);
    const down = (value: string) => ({ type: 'keyDown', value }) as const;
    const up = (value: string) => ({ type: 'keyUp', value }) as const;
    const pressed = keys.map(code).flatMap((value) => [down(value), up(value)]);
    return this.session.in(this.place, (commands) =>
      commands.keys([...held.map(down), ...pressed, ...held.map(up)]),
    );
  }
}
