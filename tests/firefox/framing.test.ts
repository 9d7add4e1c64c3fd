/** docs/decisions/attacks.md rows 32 and 33 in the real Firefox: a page of the same site, on another port, frames the app. */

import { readFile } from 'node:fs/promises';
import type { Frame, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { callHere } from '../support/call-here.ts';
import { startFramingSite, type FramingSite } from '../support/framing-site.ts';
import { dropFiles, fillArguments, framesOf, invoke, useFirefox } from './firefox.ts';

const firefox = useFirefox();
const patience = { timeout: 90_000, interval: 100 };
const files = {
  'ask.py': await readFile(new URL('../grants/ask.py', import.meta.url), 'utf8'),
  'waiting.py': await readFile(new URL('../threats/waiting.py', import.meta.url), 'utf8'),
};

let site: FramingSite;
let other: Page;
beforeAll(async () => {
  site = await startFramingSite();
  await dropFiles(firefox().page, files);
  other = await firefox().page.browser().newPage();
});
afterAll(async () => {
  await other.close();
  await site.close();
});

/** Opens the app in a page of the other origin, and tool files in it. */
async function framed(): Promise<Frame> {
  const { url } = firefox();
  await other.goto(site.around(url));
  const frame = (await framesOf(other)).find((one) => one.url().startsWith(url));
  if (frame === undefined) throw new Error('The app is not in the frame.');
  await vi.waitFor(async () => {
    expect(await textIn(frame)).toContain('Open in its own window');
  }, patience);
  await frame.evaluate((all) => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of Object.entries(all)) dataTransfer.items.add(new File([text], name));
    document.body.dispatchEvent(
      new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
    );
  }, files);
  await vi.waitFor(async () => {
    expect(await frame.evaluate(() => globalThis.cloche.status.get().phase)).toBe('ready');
  }, patience);
  return frame;
}

function textIn(place: Page | Frame): Promise<string> {
  return place.evaluate(() => document.body.innerText);
}

/** Presses Run of the tool that requires approval. @returns what is shown then */
async function pressesRun(place: Page | Frame): Promise<string> {
  await place.evaluate(() => {
    location.hash = '#/tools/ask%3Astrict';
  });
  await fillArguments(place, '{"value": 7}');
  return vi.waitFor(async () => {
    await place.evaluate(() => {
      document.querySelector<HTMLButtonElement>('button[aria-keyshortcuts*="Enter"]')?.click();
    });
    const result = await place.evaluate(
      () => document.querySelector('section[aria-label="Result"]')?.textContent ?? '',
    );
    expect(result).toMatch(/approval|Success/);
    return result;
  }, patience);
}

test('row 32: in a frame of another origin, nothing is approved, granted or stored', async () => {
  const { page } = firefox();
  // The control: in its own window, the same press runs the tool, and switches are there.
  expect(await pressesRun(page)).toContain('Success');
  await page.evaluate(() => {
    location.hash = '#/policy/local';
  });
  const switches = (place: Page | Frame): Promise<number> =>
    place.evaluate(() => document.querySelectorAll('[role=switch]').length);
  await vi.waitFor(async () => {
    expect(await switches(page)).toBeGreaterThan(0);
  }, patience);

  const frame = await framed();
  expect(await pressesRun(frame)).toMatch(/requires approval.*own window/);
  await frame.evaluate(() => {
    location.hash = '#/policy/local';
  });
  await vi.waitFor(async () => {
    expect(await textIn(frame)).toContain('opens only in Cloche’s own window');
  }, patience);
  expect(await switches(frame)).toBe(0);
  // A tool's own question is denied without being shown.
  const asked = ['ask:later', '{}', undefined] as const;
  expect((await frame.evaluate(callHere, asked)).result.textResultForLlm).toBe('false');
  expect(await frame.evaluate(() => document.querySelectorAll('dialog[open]').length)).toBe(0);
});

test('row 33: a frame of another origin never answers the API, and its calls do not hang', async () => {
  const { page, url, trouble } = firefox();
  trouble.expect(/503/);
  const frame = await framed();
  // The control: the page in its own window answers.
  expect((await invoke(page, 'ask:depends', { value: 5 })).resultType).toBe('success');
  await page.goto(`${url}license.txt`);
  const status = await page.evaluate(async () => {
    const headers = { 'content-type': 'application/json' };
    const body = '{"arguments": {"value": 5}}';
    const asked = await fetch('api/tools/ask%3Adepends/invoke', { method: 'POST', headers, body });
    return asked.status;
  });
  expect([status, await frame.evaluate(() => globalThis.cloche.status.get().api)]).toEqual([
    503,
    'off',
  ]);
  // The page around navigates the sandbox's frames away during a call.
  const lost = frame.evaluate(callHere, ['waiting:wait', '{"seconds": 50}', undefined] as const);
  await vi.waitFor(async () => {
    expect(await frame.evaluate(() => globalThis.cloche.status.get().python)).toBe('busy');
  }, patience);
  await other.evaluate(() => {
    const app = document.querySelector('iframe')?.contentWindow;
    for (let at = 0; at < (app?.length ?? 0); at += 1) {
      const sandbox = app?.[at];
      if (sandbox !== undefined) sandbox.location.href = 'about:blank';
    }
  });
  expect((await lost).result.error).toBe('crashed');
});
