/** docs/decisions/attacks.md rows 31, 36, 38 and 40 in the real Firefox: what tools return, and what strangers send as files. */

import { readFile } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import { beforeAll, expect, test, vi } from 'vitest';
import { pressLocalHere } from '../support/guarded-press.ts';
import { storedImages } from '../support/hostile-images.ts';
import { fileOfAnswers, fileOfImages, sessionInput } from '../support/session-file.ts';
import { click, dropFiles, fillArguments, resize, shows, useFirefox } from './firefox.ts';

const firefox = useFirefox();
const patience = { timeout: 60_000, interval: 100 };

beforeAll(async () => {
  const { page } = firefox();
  // What is out of view is not laid out.
  await resize(page, 1280, 4_000);
  const names = ['pictures.py', 'growing.py'];
  const files = await Promise.all(
    names.map(async (name) => {
      return [
        name,
        await readFile(new URL(`../threats/${name}`, import.meta.url), 'utf8'),
      ] as const;
    }),
  );
  await dropFiles(page, Object.fromEntries(files));
});

async function goTo(hash: string): Promise<void> {
  await firefox().page.evaluate((to) => {
    location.hash = to;
  }, hash);
}

/** Imports a file, as if it had been chosen. */
async function takeIn(page: Page, text: string): Promise<void> {
  await goTo('#/sessions');
  await page.waitForSelector(sessionInput);
  await page.evaluate(
    (content, selector) => {
      const input = document.querySelector<HTMLInputElement>(selector)!;
      const chosen = new DataTransfer();
      chosen.items.add(new File([content], 'taken.json', { type: 'application/json' }));
      input.files = chosen.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    },
    text,
    sessionInput,
  );
}

/** Imports a session, and opens it. */
async function openFrom(page: Page, text: string): Promise<void> {
  await takeIn(page, text);
  await shows(page, 'Opening it stores it in this browser');
  await click(page, 'button', 'Open');
}

/** Runs in the page: how many images are drawn, and what is said of the others. */
function images(): { drawn: number; said: string[] } {
  const drawn = [...document.images].filter(({ alt }) => alt.startsWith('Result of'));
  const said = [...document.querySelectorAll('main p, main section p')].flatMap((one) =>
    one.textContent.startsWith('Not shown') ? [one.textContent] : [],
  );
  return { drawn: drawn.filter(({ naturalWidth }) => naturalWidth > 0).length, said };
}

async function draws(image: string): Promise<void> {
  const { page } = firefox();
  await goTo('#/tools/pictures:draw');
  await fillArguments(page, JSON.stringify({ image }));
  await click(page, 'button', 'Run');
}

test('row 31: images that would block the page are never drawn, and harmless ones are', async () => {
  const { page } = firefox();
  for (const image of ['plain svg', 'plain png', 'plain gif']) {
    await draws(image);
    await vi.waitFor(async () => {
      expect([image, await page.evaluate(images)]).toEqual([image, { drawn: 1, said: [] }]);
    }, patience);
  }
  for (const [image, reason] of [
    ['bomb', /16,000 shapes/],
    ['bomb as png', /its data is not PNG/],
    ['groups', /nested more than 100 deep/],
    ['filter', /it uses <filter>/],
    ['frames', /10,000 frames; the limit is 1,000 frames/],
    ['large png', /30,000 pixels by 30,000 pixels/],
  ] as const) {
    await draws(image);
    await vi.waitFor(async () => {
      const { drawn, said } = await page.evaluate(images);
      expect([image, drawn, said.length]).toEqual([image, 0, 1]);
      expect(said[0]).toMatch(reason);
    }, patience);
  }
});

test('row 31: the images of an imported session, whose cards open by themselves', async () => {
  const { page } = firefox();
  await openFrom(page, fileOfImages('Images', storedImages));
  await vi.waitFor(async () => {
    const { drawn, said } = await page.evaluate(images);
    // The control: the harmless one is drawn.
    expect(drawn).toBe(1);
    const reasons = storedImages.flatMap(({ refused }) => refused ?? []);
    expect(said).toHaveLength(reasons.length);
    for (const reason of reasons) expect(said.join(' ')).toContain(reason);
  }, patience);
});

test('row 36: schemas and answers that multiply are cut, and ordinary ones are whole', async () => {
  const { page } = firefox();
  const rows = (): Promise<string> =>
    page.evaluate(() => document.querySelector('table')?.textContent ?? '');
  for (const [tool, text] of [
    ['types', 'or others'],
    ['plain', 'either'],
  ] as const) {
    await goTo(`#/tools/growing:${tool}?panel=details`);
    await vi.waitFor(async () => {
      expect(await rows()).toContain(text);
    }, patience);
  }
  expect(await rows()).not.toContain('others');

  const elements = (): Promise<number> =>
    page.evaluate(() => document.querySelectorAll('.markdown *').length);
  const cut = 'without formatting, which would take too long';
  const table = `${'|a'.repeat(1_300)}|\n${'|-'.repeat(1_300)}|\n${'x\n'.repeat(1_000)}`;
  for (const text of ['a\n\n'.repeat(100_000), '```\na\n```\n'.repeat(20_000), table]) {
    await openFrom(page, fileOfAnswers('Growing', [text]));
    await shows(page, cut);
    expect(await elements()).toBeLessThan(3_000);
  }
  // The control: without the limit, an ordinary answer has as many elements as blocks.
  await openFrom(page, fileOfAnswers('Plain', [`${'*One*.\n\n'.repeat(300)}**The end**`]));
  await shows(page, 'The end');
  expect(await page.evaluate(() => document.body.innerText)).not.toContain(cut);
  expect(await elements()).toBeGreaterThan(600);
});

test('row 38: a control that allows does not react within half a second', async () => {
  const { page } = firefox();
  await goTo('#/');
  for (const happens of ['appears', 'moves', 'comes to the front', 'stays'] as const) {
    const { atOnce, later } = await page.evaluate(pressLocalHere, happens);
    // The control: left alone, it reacts at once.
    expect([happens, atOnce, later]).toEqual([happens, happens === 'stays', true]);
  }
});

test('row 40: a recording from a stranger shows what it would run, and runs nothing by itself', async () => {
  const { page } = firefox();
  await page.evaluate(() => {
    const started: string[] = [];
    Object.assign(globalThis, { started });
    globalThis.cloche.calls.observe((event) => {
      if (event.type === 'call-queued') started.push(event.call.tool);
    });
  });
  const started = (): Promise<string[]> =>
    page.evaluate(() => (globalThis as unknown as { started: string[] }).started);
  const call = { type: 'call', tool: 'pictures:draw', arguments: '{"image": "plain svg"}' };
  const recording = {
    format: 'cloche-recording',
    version: 1,
    title: 'A gift',
    scripted: false,
    tools: ['pictures:draw'],
    turns: [{ message: [{ type: 'text', text: 'Draw' }], steps: [{ parts: [call] }] }],
  };
  await takeIn(page, JSON.stringify(recording));
  await shows(page, 'It calls 1 tool in the open folder.');
  const offer = await page.evaluate(() => document.querySelector('dialog[open]')?.textContent);
  expect(offer).toContain('pictures:draw');
  expect(await started()).toEqual([]);
  // The control: pressing Play runs it.
  await click(page, 'button', 'Play');
  await vi.waitFor(async () => {
    expect(await started()).toEqual(['pictures:draw']);
  }, patience);
});
