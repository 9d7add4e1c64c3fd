/** The built app in a real Firefox, driven over WebDriver BiDi. */

import type { ElementHandle, Frame, Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, expect, inject, vi } from 'vitest';
import type { ApiListing, ApiResult } from '../support/app.ts';
import { Trouble } from '../support/trouble.ts';
import { connect, type RunningFirefox } from './global-setup.ts';

/** A killed interpreter is replaced by another, which takes seconds on a busy machine. */
const patience = { timeout: 90_000, interval: 100 };

// A repeat is not defined unless it runs, because a test that is skipped counts as failed.
export { isFull } from '../support/is-full.ts';

/** The error of a plain handler that has to wait where it cannot, as in the oldest Firefox that is supported. */
export const cannotWait =
  'a plain function cannot wait in this browser, which has no WebAssembly stack switching';

export function hasStackSwitching(page: Page): Promise<boolean> {
  return page.evaluate(() => 'Suspending' in WebAssembly);
}

export interface Firefox extends RunningFirefox {
  readonly page: Page;
  /** Of the test that is running. */
  readonly trouble: Trouble;
}

/** A page of the app for all tests of a file, without user data. A test also fails by an unexpected error or request. */
export function useFirefox(): () => Firefox {
  let firefox: Firefox | undefined;
  let close = (): Promise<void> => Promise.resolve();
  beforeAll(async () => {
    const running = inject('firefox');
    const browser = await connect(running.endpoint);
    close = () => browser.disconnect();
    const page = await browser.newPage();
    close = async () => {
      await page.close();
      await browser.disconnect();
    };
    await resize(page, 1280, 800);
    // A page of the app's origin that is not the app.
    await page.goto(`${running.url}license.txt`);
    await page.evaluate(clearUserData);
    const trouble = new Trouble([new URL(running.url).origin]);
    watch(page, trouble);
    firefox = { ...running, page, trouble };
    await page.goto(running.url);
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
  });
  afterAll(() => close());
  afterEach(() => {
    expect(firefox?.trouble.take(), 'what went wrong unseen').toEqual([]);
  });
  return () => {
    if (!firefox) throw new Error('Firefox has not started.');
    return firefox;
  };
}

/** The oldest Firefox that is supported changes the size, but does not know the orientation that Puppeteer sends along. */
export async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewport({ width, height }).catch((thrown: unknown) => {
    if (!String(thrown).includes('setScreenOrientationOverride')) throw thrown;
  });
}

/** Runs in the page: empties databases, local storage and private files, all but the snapshot of Python. */
async function clearUserData(): Promise<void> {
  localStorage.clear();
  // WebKit has no private files.
  if ('storage' in navigator) {
    const root = await navigator.storage.getDirectory();
    for await (const name of root.keys())
      if (name !== 'cloche-snapshots') await root.removeEntry(name, { recursive: true });
  }
  for (const { name = '' } of await indexedDB.databases()) {
    const opening = indexedDB.open(name);
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.onsuccess = () => {
        resolve(opening.result);
      };
      opening.onerror = () => {
        reject(new Error(`The database ${name} could not be opened.`));
      };
    });
    const stores = [...database.objectStoreNames];
    if (stores.length > 0) {
      const clearing = database.transaction(stores, 'readwrite');
      for (const store of stores) clearing.objectStore(store).clear();
      await new Promise((resolve, reject) => {
        clearing.oncomplete = resolve;
        clearing.onabort = reject;
      });
    }
    database.close();
  }
}

// BiDi tells of uncaught errors, of breaches of policy and of Firefox's own words to the console as page errors alike,
// those of workers included.
function watch(page: Page, trouble: Trouble): void {
  page.on('pageerror', (error) => {
    trouble.add(`uncaught: ${String(error)}`);
  });
  page.on('console', (message) => {
    const type = message.type();
    if (type === 'error' || type === 'warn') trouble.add(`console ${type}: ${message.text()}`);
  });
  page.on('request', (request) => {
    trouble.addRequest(request.method(), request.url());
  });
}

/** Drops files on the page. What is dropped is made up, since BiDi has no drag from outside the browser. */
export async function dropFiles(page: Page, files: Record<string, string>): Promise<ApiListing> {
  await page.evaluate((all) => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of Object.entries(all)) dataTransfer.items.add(new File([text], name));
    const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
    document.body.dispatchEvent(drop);
  }, files);
  const [only, ...others] = Object.keys(files);
  return scanned(page, others.length === 0 ? (only ?? '') : 'dropped files');
}

/** Drops a zip file on the page. Unlike dropped files, it is opened again after a reload. */
export async function dropZip(page: Page, name: string, zip: Buffer): Promise<ApiListing> {
  await page.evaluate(
    (file, text) => {
      const dataTransfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      dataTransfer.items.add(new File([bytes], file, { type: 'application/zip' }));
      const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true });
      document.body.dispatchEvent(drop);
    },
    name,
    zip.toString('base64'),
  );
  return scanned(page, name.replace(/\.zip$/, ''));
}

/** Chooses a file in an input for files, as soon as there is one. */
export async function chooseFile(
  page: Page,
  selector: string,
  name: string,
  text: string,
): Promise<void> {
  await page.waitForSelector(selector);
  await page.evaluate(
    (found, file, content) => {
      const input = document.querySelector<HTMLInputElement>(found)!;
      const chosen = new DataTransfer();
      chosen.items.add(new File([content], file, { type: 'application/json' }));
      input.files = chosen.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    },
    selector,
    name,
    text,
  );
}

/** Waits for buttons with these words, and presses them in the frame in which they appear. */
export function pressAtOnce(page: Page, selector: string, words: string): Promise<void> {
  return page.evaluate(
    async (found, label) => {
      const find = () =>
        [...document.querySelectorAll<HTMLButtonElement>(found)].filter(
          ({ textContent }) => textContent.trim() === label,
        );
      while (find().length === 0) await new Promise((resolve) => requestAnimationFrame(resolve));
      for (const button of find()) button.click();
    },
    selector,
    words,
  );
}

/** Waits for the end of a folder's scan, which may take WebKit minutes on a busy machine. */
export async function scanned(page: Page, name: string): Promise<ApiListing> {
  await vi.waitFor(
    async () => {
      const status = await page.evaluate(() => globalThis.cloche.status.get());
      const why = status.phase === 'failed' ? status.message : '';
      expect([status.phase, status.folder, why]).toEqual(['ready', name, '']);
    },
    { ...patience, timeout: 200_000 },
  );
  return page.evaluate(async () => (await fetch('api/tools')).json() as Promise<ApiListing>);
}

export function invoke(
  page: Page,
  tool: string,
  args: Record<string, unknown> = {},
): Promise<ApiResult> {
  return page.evaluate(
    async (name, text) => {
      const response = await fetch(`api/tools/${encodeURIComponent(name)}/invoke`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: text,
      });
      return response.json() as Promise<ApiResult>;
    },
    tool,
    JSON.stringify({ arguments: args }),
  );
}

/** Waits until the page shows a text. */
export function shows(page: Page, text: string): Promise<void> {
  return vi.waitFor(async () => {
    expect(await page.evaluate(() => document.body.innerText)).toContain(text);
  }, patience);
}

/** The frames of a page, the page itself included. */
export function framesOf(page: Page): Promise<Frame[]> {
  // Puppeteer knows them; the driver of WebKit has to look.
  return Promise.resolve(page.frames());
}

/** Clicks a button or link by its words, as soon as it reacts: see AllowGuard. */
export function click(page: Page, role: 'button' | 'link', name: string): Promise<void> {
  return press(page, `::-p-aria([name="${name}"][role="${role}"])`);
}

/** Clicks the first element of a selector, as soon as there is one that reacts, and again if the click has missed it. */
export function press(place: Page | Frame, selector: string): Promise<void> {
  // The oldest Firefox that is supported does not tell Puppeteer where a frame is.
  const inFrame = 'parentFrame' in place;
  return act(place, selector, async (element) => {
    await element.evaluate(noteClick);
    await (inFrame ? element.evaluate(clickIn) : element.click());
    // The page may be another one after the click.
    const isClicked = element.evaluate((one) => Reflect.get(one, 'isClicked') === true);
    expect(await isClicked.catch(() => true), `a click on ${selector}`).toBe(true);
  });
}

/** Writes a text into the first field of a selector, as soon as there is one. */
export function fill(place: Page | Frame, selector: string, text: string): Promise<void> {
  return act(place, selector, (element) => element.evaluate(write, text));
}

/**
 * Puppeteer's locators are not used: they make functions from text in the page, which its policy refuses in the oldest
 * Firefox that is supported.
 */
function act(
  place: Page | Frame,
  selector: string,
  what: (element: ElementHandle) => Promise<void>,
): Promise<void> {
  return vi.waitFor(async () => {
    const element = await place.$(selector);
    if (element === null) throw new Error(`There is no ${selector}.`);
    expect(await element.evaluate((one) => one.getAttribute('aria-disabled')), selector).not.toBe(
      'true',
    );
    await what(element);
  }, patience);
}

/** Runs in the page. The element may move away from under a click, or its guard may refuse it. */
function noteClick(element: Element): void {
  element.addEventListener('click', () => Reflect.set(element, 'isClicked', true), { once: true });
}

/** Runs in the page. */
function clickIn(element: Element): void {
  if (!(element instanceof HTMLElement)) throw new Error('The element cannot be clicked.');
  element.click();
}

/** Runs in the page. */
function write(field: Element, text: string): void {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement))
    throw new Error('The element is no field for text.');
  field.focus();
  field.value = text;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Writes the arguments of the open tool as JSON text. */
export async function fillArguments(place: Page | Frame, text: string): Promise<void> {
  await press(
    place,
    '::-p-aria([name="Edit as"][role="group"]) ::-p-aria([name="JSON"][role="button"])',
  );
  await fill(place, '::-p-aria([name="Arguments"][role="textbox"])', text);
}

/** The text of the question that is shown; empty if none is. */
export function asked(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      document.querySelector<HTMLDialogElement>('dialog[open]:not([role=region])')?.innerText ?? '',
  );
}

/** Waits for a question with these words, and presses a button of it, as soon as that may be pressed. */
export async function answer(page: Page, words: string, button: string): Promise<void> {
  await vi.waitFor(async () => {
    expect(await asked(page)).toContain(words);
    const pressed = await page.evaluate((label) => {
      // The dialog of an app that is shown in its place has the role of a region.
      const dialog = 'dialog[open]:not([role=region])';
      const all = [...document.querySelectorAll<HTMLButtonElement>(`${dialog} button`)];
      const found = all.find(({ innerText }) => innerText.trim() === label);
      if (found === undefined || found.ariaDisabled === 'true') return false;
      found.click();
      return true;
    }, button);
    expect(pressed).toBe(true);
  }, patience);
}
