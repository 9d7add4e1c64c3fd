/** The scroll position in a session is kept: while an answer streams, when something is collapsed, and on return. */

import type { Page } from '@playwright/test';
import { beginInNewSessions } from './support/new-sessions.ts';
import { expect, test } from './support/shared-page.ts';
import { forwardClock, holdClock } from '../support/page-clock.ts';
import { answer, question } from '../support/questions.ts';
import * as session from '../support/session-page.ts';

const endpoint = beginInNewSessions(800);

const paragraphs = (count: number): string =>
  Array.from({ length: count }, (_, n) => `Paragraph ${n} of a long answer.`).join('\n\n');
const call = (tool: string, args: object): { name: string; arguments: string } => ({
  name: `session_tools__${tool}`,
  arguments: JSON.stringify(args),
});

const transcript = (page: Page) => page.getByRole('group', { name: 'Transcript' });
/** Pixels above and below what is seen. */
const place = (page: Page): Promise<{ top: number; left: number }> =>
  transcript(page).evaluate(({ scrollTop, scrollHeight, clientHeight }) => ({
    top: Math.round(scrollTop),
    left: Math.round(scrollHeight - clientHeight - scrollTop),
  }));

/** The streamed answer has grown by a quarter of a view, and what follows from it is drawn. */
async function grown(page: Page): Promise<void> {
  const height = (): Promise<number> =>
    transcript(page).evaluate(({ scrollHeight }) => scrollHeight);
  const before = await height();
  await expect.poll(height, { intervals: [50] }).toBeGreaterThan(before + 200);
  await still(page, 1);
}

/** Waits until nothing has scrolled for this many frames. */
function still(page: Page, frames = 5): Promise<void> {
  return transcript(page).evaluate(async (element, wanted) => {
    for (let same = 0; same < wanted;) {
      const { scrollTop } = element;
      await new Promise(requestAnimationFrame);
      same = element.scrollTop === scrollTop ? same + 1 : 0;
    }
  }, frames);
}

/** Advances the page's clock by this many milliseconds, while the page draws. */
async function pass(page: Page, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    await forwardClock(page, 50);
    await still(page, 1);
  }
}

async function pointAt(page: Page): Promise<void> {
  const box = (await transcript(page).boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
}

test('what is folded by hand stays where it was pressed, at the end of a session too', async ({
  page,
}) => {
  await holdClock(page);
  endpoint().answer(
    { text: paragraphs(30), calls: [call('long_text', { lines: 300 })] },
    { text: 'I have read it.' },
  );
  await session.send(page, 'Read a long text.');
  await session.idle(page);
  await expect.poll(async () => (await place(page)).left).toBe(0);
  const head = session.cards(page, 'long_text').getByRole('button', { expanded: false });
  const before = (await head.boundingBox())!.y;
  await head.click();
  const open = session.cards(page, 'long_text').getByRole('button', { expanded: true });
  await expect(session.cards(page, 'long_text')).toContainText('line 200 of the long text');
  await pass(page, 600);
  expect(Math.abs((await open.boundingBox())!.y - before)).toBeLessThan(2);
  await open.click();
  await pass(page, 600);
  await expect(head).toBeInViewport();
});

test('the transcript is followed after a call was allowed, also if its card was opened in the meantime', async ({
  page,
}) => {
  for (const isOpened of [false, true]) {
    endpoint().answer(
      { text: paragraphs(30), calls: [call('remove', { path: 'one.txt' })] },
      { text: paragraphs(60), paceMs: 10 },
    );
    await session.send(page, 'Tidy up.');
    await expect(question(page)).toContainText('one.txt');
    if (isOpened) {
      await session.cards(page, 'remove').last().getByRole('button', { expanded: false }).click();
      await expect.poll(async () => (await place(page)).left).toBeGreaterThan(24);
    }
    await answer(page, /^allow once$/i);
    await session.idle(page);
    await expect(page.getByText('Paragraph 59 of').last()).toBeInViewport();
    await expect.poll(async () => (await place(page)).left).toBeLessThan(24);
  }

  // The first wheel turn was the user's: an answer does not move what is read then.
  endpoint().answer({ calls: [call('remove', { path: 'two.txt' })] }, { text: paragraphs(60) });
  await session.send(page, 'Tidy up again.');
  await expect(question(page)).toContainText('two.txt');
  await pointAt(page);
  await page.mouse.wheel(0, -600);
  await expect.poll(async () => (await place(page)).left).toBeGreaterThan(300);
  await still(page);
  const { top } = await place(page);
  await answer(page, /^allow once$/i);
  await session.idle(page);
  expect((await place(page)).top).toBe(top);
});

test(
  'an answer that streams fast is followed, and never against who scrolls up',
  { tag: '@full' },
  async ({ page }) => {
    endpoint().answer({ text: paragraphs(400), paceMs: 10 });
    await session.send(page, 'Tell me all.');
    await expect(page.getByText('Paragraph 40 of')).toBeAttached();
    await pointAt(page);
    await page.mouse.wheel(0, -100);
    await expect.poll(async () => (await place(page)).left).toBeGreaterThan(60);
    const { top } = await place(page);
    await grown(page);
    expect((await place(page)).top).toBe(top);
    await page.getByRole('button', { name: 'New messages' }).click();
    await expect.poll(async () => (await place(page)).left).toBeLessThan(60);
    await pointAt(page);
    for (let step = 0; step < 30; step += 1) {
      await page.mouse.wheel(0, -6);
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    await still(page);
    const slowly = await place(page);
    expect(slowly.left).toBeGreaterThan(150);
    await grown(page);
    expect((await place(page)).top).toBe(slowly.top);
    // Back at the end, it is followed again.
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 1_000);
        return (await place(page)).left;
      })
      .toBeLessThan(24);
    await grown(page);
    const followed = await place(page);
    expect(followed.left).toBeLessThan(100);
    await grown(page);
    expect((await place(page)).top).toBeGreaterThan(followed.top);
    await page.keyboard.press('Escape');
    await session.idle(page);
  },
);

test('who sends from further up sees what was sent', async ({ page }) => {
  endpoint().answer({ text: paragraphs(60) }, { text: 'Just so.' });
  await session.send(page, 'Tell me all.');
  await session.idle(page);
  await transcript(page).evaluate((element) => {
    element.scrollTop = 0;
  });
  await session.send(page, 'Is that so?');
  await expect(page.getByText('Just so.')).toBeInViewport();
  await expect(page.getByRole('article', { name: 'You' }).last()).toBeInViewport();
  await session.idle(page);
});

test('who comes back to a session finds the place that they left', async ({ page }) => {
  endpoint().answer({ text: paragraphs(60) });
  await session.send(page, 'Tell me all of it.');
  await session.idle(page);
  await pointAt(page);
  await page.mouse.wheel(0, -700);
  await expect.poll(async () => (await place(page)).left).toBeGreaterThan(600);
  await still(page);
  const { top } = await place(page);
  const address = page.url();
  await page.goto('./#/sessions');
  await page.goto(address);
  await expect.poll(async () => Math.abs((await place(page)).top - top)).toBeLessThan(3);
});
