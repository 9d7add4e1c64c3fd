/** Row 42 in the real Firefox, beyond what `threats.test.ts` shows: text that is slow to lay out, wherever it is shown. */

import { readFile } from 'node:fs/promises';
import type { Frame, Page } from 'puppeteer-core';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { shareLink } from '../../src/app/ui/tools/share/share-link.ts';
import { makeZip } from '../support/make-zip.ts';
import { fileOfAnswers, fileOfCall } from '../support/session-file.ts';
import {
  chooseFile,
  click,
  dropFiles,
  fillArguments,
  isFull,
  press,
  resize,
  shows,
  useFirefox,
} from './firefox.ts';
import { go } from './session.ts';

const firefox = useFirefox();
const patience = { timeout: 60_000, interval: 100 };
const source = await readFile(new URL('../threats/slow.py', import.meta.url), 'utf8');
/** The texts of slow.py. */
const samples = new Map(
  Array.from(source.matchAll(/^ {4}"(\w+)": "(.+)",$/gm), ([, name, text]) => [name, text]),
);
const scripts = ['khmer', ...(isFull ? ['lao', 'thai', 'burmese'] : [])];
/** Characters of the longest texts. */
const long = isFull ? 300_000 : 100_000;

function textOf(script: string, count: number): string {
  const text = samples.get(script) ?? '';
  return text.repeat(Math.ceil(count / text.length)).slice(0, count);
}

beforeAll(async () => {
  const { page } = firefox();
  // The view is tall, because text outside it is not laid out.
  await resize(page, 1280, 2_400);
  await dropFiles(page, { 'slow.py': source });
});

/** The longest time in milliseconds between two events of the page during the work. */
async function longestBlock(page: Page, work: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const shared = globalThis as { longest?: number };
    shared.longest = 0;
    let last = performance.now();
    // Only messages are measured: Firefox delays timers for longer than the page is blocked.
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      const now = performance.now();
      // Deleted below, once the work is done.
      if (shared.longest === undefined) return;
      shared.longest = Math.max(shared.longest, now - last);
      last = now;
      setTimeout(() => {
        port2.postMessage(0);
      }, 4);
    };
    port2.postMessage(0);
  });
  await work();
  return page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const shared = globalThis as { longest?: number };
    const { longest = NaN } = shared;
    delete shared.longest;
    return longest;
  });
}

let control = 0;
test('row 42: control: the same text in one piece blocks the page', async () => {
  const { page } = firefox();
  control = await longestBlock(page, () =>
    page.evaluate(
      (text) => {
        const all = document.body.appendChild(document.createElement('pre'));
        all.textContent = text;
        all.getBoundingClientRect();
        all.remove();
      },
      textOf('khmer', 300_000),
    ),
  );
  expect(control).toBeGreaterThan(300);
});

/** Expects that a text is shown in pieces, and that no piece blocks the page as the whole text does. */
async function expectDivided(
  selector: string,
  least: number,
  work: () => Promise<void>,
): Promise<void> {
  const { page } = firefox();
  const longest = await longestBlock(page, work);
  await expectPieces(page, selector, least);
  // Wall-clock time: another process may interrupt the page.
  expect(longest).toBeLessThan(Math.max(control / 2, 150));
}

async function expectPieces(place: Page | Frame, selector: string, least: number): Promise<void> {
  await vi.waitFor(async () => {
    const lengths = await place.$$eval(`${selector} pre, ${selector} pre > *`, (elements) =>
      elements
        .filter(({ children }) => children.length === 0)
        .map(({ textContent }) => textContent.length),
    );
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeGreaterThanOrEqual(least);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(2_000);
  }, patience);
}

async function gone(page: Page, text: string): Promise<void> {
  await vi.waitFor(async () => {
    expect(await page.evaluate(() => document.body.innerText)).not.toContain(text);
  }, patience);
}

const result = 'section[aria-label="Result"]';
const aria = (name: string, role = 'button'): string =>
  `::-p-aria([name="${name}"][role="${role}"])`;

test.each(scripts)('row 42: %s, returned', async (script) => {
  const { page } = firefox();
  await go(page, '#/tools/slow:returned');
  await shows(page, 'slow:returned');
  await fillArguments(page, JSON.stringify({ script, count: long }));
  await expectDivided(result, long, async () => {
    await click(page, 'button', 'Run');
    await shows(page, 'Success');
    await press(page, `${result} ${aria('Show all')}`);
    await gone(page, 'Loading more');
  });
});

async function openSession(page: Page, content: string): Promise<void> {
  await go(page, '#/sessions');
  await chooseFile(page, 'input[type=file][accept*="json"]', 'a.session.json', content);
  await press(page, `dialog[open] ${aria('Open')}`);
}

test.each(scripts)('row 42: %s, in the card of a call', async (script) => {
  const { page } = firefox();
  const text = textOf(script, 300_000);
  const outputs = {
    textResultForLlm: text,
    content: [
      { type: 'text', text },
      { type: 'json', text: JSON.stringify({ text }) },
    ],
    log: [{ level: 'info', message: text.slice(0, 50_000) }],
    stdout: text,
    stderr: text,
  };
  const card = 'section[aria-label="Call to some:tool"]';
  await expectDivided(card, 6_000, async () => {
    await openSession(page, fileOfCall('Slow', JSON.stringify({ text }), outputs));
    await press(page, `${card} button[aria-expanded="false"]`);
    await vi.waitFor(async () => {
      expect(await page.$(`${card} [aria-label="Standard output"]`)).not.toBeNull();
    }, patience);
  });
});

if (isFull)
  test.each(scripts)('row 42: %s, in answers', async (script) => {
    const { page } = firefox();
    const text = textOf(script, 50_000);
    await expectDivided('main article', 1, async () => {
      await openSession(page, fileOfAnswers('Slow', [`\`\`\`\n${text}\n\`\`\``, text]));
      await shows(page, text.slice(0, 20));
    });
  });

// The text is divided by the same code as in the other places.
if (isFull)
  test('row 42: files of a link', async () => {
    const { page } = firefox();
    const entries = ['khmer', 'lao', 'thai', 'burmese'].map((script) => ({
      name: `${script}.txt`,
      content: textOf(script, 60_000),
    }));
    const zip = new Uint8Array(makeZip(entries));
    await expectDivided('main [role="group"]', 4 * 60_000, async () => {
      await go(page, shareLink('', { folder: 'gift', tool: '', arguments: '{}', zip }));
      for (const { name } of entries) {
        await press(page, `summary ::-p-text(${name})`);
        await press(page, `main ${aria('Show all')}`);
        await gone(page, 'Loading more');
      }
    });
  });

if (isFull)
  test('row 42: printed in a playground', async () => {
    const { page: app, url } = firefox();
    const page = await app.browser().newPage();
    onTestFinished(() => page.close());
    await resize(page, 1280, 2_400);
    const args = (script: string): string => JSON.stringify({ script, count: 100_000 });
    const query = { source, name: 'slow.py', tool: 'printed', arguments: args('khmer') };
    const hash = Object.entries(query).map(([key, text]) => `${key}=${encodeURIComponent(text)}`);
    await page.goto(`${url}playground.html#${hash.join('&')}`);
    for (const script of scripts) {
      if (script !== 'khmer') await fillArguments(page, args(script));
      await click(page, 'button', 'Run');
      await vi.waitFor(async () => {
        expect(await page.$('[aria-label="Printed so far"]')).not.toBeNull();
      }, patience);
      await vi.waitFor(async () => {
        expect(await page.$('[aria-label="Standard output"]')).not.toBeNull();
      }, patience);
      await expectPieces(page, result, 2_000);
      expect(await page.$eval(result, ({ textContent }) => textContent)).toContain(
        textOf(script, 40),
      );
    }
  });
