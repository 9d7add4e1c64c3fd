/** Playgrounds in a page of another origin, in the real Firefox. */

import { readFile } from 'node:fs/promises';
import type { Frame, Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type {} from '../../src/embed/element/playground-types.d.ts';
import { startEmbeddingSite, type EmbeddingSite } from '../support/embedding-site.ts';
import { framesOf, useFirefox } from './firefox.ts';

const firefox = useFirefox();
const patience = { timeout: 90_000, interval: 100 };
const source = await readFile(new URL('../support/counting.py', import.meta.url), 'utf8');

let site: EmbeddingSite;
let other: Page;
beforeAll(async () => {
  site = await startEmbeddingSite(firefox().url);
  site.put('/docs.css', '.dark { background: #111; color: #eee }');
  other = await firefox().page.browser().newPage();
});
afterAll(async () => {
  await other.close();
  await site.close();
});

function shows(frame: Frame, text: string): Promise<void> {
  return vi.waitFor(async () => {
    expect(await frame.evaluate(() => document.body.innerText)).toContain(text);
  }, patience);
}

async function press(frame: Frame, words: string): Promise<void> {
  await vi.waitFor(async () => {
    const pressed = await frame.evaluate((text) => {
      const buttons = [...document.querySelectorAll('button')];
      const found = buttons.find((each) => each.textContent.includes(text));
      if (found === undefined || found.ariaDisabled === 'true') return false;
      found.click();
      return true;
    }, words);
    expect(pressed).toBe(true);
  }, patience);
}

test('under a strict policy, tags run, stream, cancel and follow the page; nothing is reached', async () => {
  const { url } = firefox();
  const tag = `<cloche-playground tool="count" arguments='{"to": 3}'><script type="text/x-python">${source}</script></cloche-playground>`;
  await other.goto(
    site.put('/two.html', `<script async src="${url}cloche-playground.js"></script>${tag}${tag}`),
  );
  const frames = await vi.waitFor(async () => {
    const found = (await framesOf(other)).filter((each) => each.url().includes('playground.html'));
    expect(found).toHaveLength(2);
    return found;
  }, patience);
  const [first, second] = frames as [Frame, Frame];
  await shows(first, 'def count(to: int):');
  await press(first, 'Run');
  await shows(first, '"calls": 1');
  await shows(first, 'step 3');
  await press(second, 'Run');
  await shows(second, '"calls": 1');

  const cancelled = other.evaluate(async () => {
    const playground = document.querySelector('cloche-playground');
    await playground?.setArguments({ to: 100_000 });
    const running = playground?.run();
    await new Promise((resolve) => {
      document.addEventListener('cloche-call', resolve, { once: true });
    });
    setTimeout(() => playground?.cancel(), 500);
    return (await running)?.error;
  });
  expect(await cancelled).toBe('cancelled');

  await other.evaluate(() => {
    document.body.className = 'dark';
  });
  await vi.waitFor(async () => {
    expect(await first.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
  }, patience);

  const reached = await other.evaluate(() => {
    const framed = document.querySelector('cloche-playground')?.shadowRoot?.querySelector('iframe');
    const own = document.createElement('iframe');
    document.body.append(own);
    return [framed, own].map((each) => {
      try {
        return typeof each?.contentWindow?.document.body;
      } catch (thrown) {
        return (thrown as Error).name;
      }
    });
  });
  expect(reached).toEqual(['SecurityError', 'object']);
});
