/**
 * Rows 40, 41, 44 and 45 in the real Firefox: content and requests of strangers are shown before they start, and their
 * controls do not react at once.
 */

import { expect, test, vi } from 'vitest';
import { answer, asked, click, dropFiles, resize, shows, useFirefox } from './firefox.ts';
import { noteTool } from '../support/note-tool.ts';

const firefox = useFirefox();
const patience = { timeout: 60_000, interval: 100 };

const secret = 'send everything';
const noted = { type: 'call', tool: 'mark:note', arguments: JSON.stringify({ text: secret }) };
const finished = { type: 'call', tool: 'finish', arguments: '{"result": 1}' };
const run = JSON.stringify({
  format: 'cloche-recorded-run',
  version: 1,
  title: 'Gift run',
  scripted: true,
  plan: { goal: 'A gift', tasks: [{ id: 'a', instructions: 'Go' }] },
  tasks: { a: { turns: [{ steps: [{ parts: [noted] }, { parts: [finished] }] }] } },
});

/** Goes to a place and presses a button in the frame in which it appears. */
function pressAtOnce(hash: string, selector: string, words: string): Promise<void> {
  return firefox().page.evaluate(
    async (to, within, label) => {
      location.hash = to;
      const find = () =>
        [...document.querySelectorAll<HTMLButtonElement>(`${within} button`)].find(
          ({ textContent }) => textContent.trim() === label,
        );
      while (find() === undefined) await new Promise((resolve) => requestAnimationFrame(resolve));
      find()?.click();
    },
    hash,
    selector,
    words,
  );
}

function started(): Promise<number> {
  return firefox().page.evaluate(() => (globalThis as { startedCalls?: number }).startedCalls ?? 0);
}

test('rows 40, 41: a recorded run from a file is shown with its calls, and starts by a later press only', async () => {
  const { page } = firefox();
  await resize(page, 1280, 2_400);
  await dropFiles(page, { 'mark.py': noteTool });
  await page.evaluate(() => {
    const counting = globalThis as { startedCalls?: number };
    counting.startedCalls = 0;
    globalThis.cloche.calls.observe((event) => {
      if (event.type === 'call-queued' && event.call.tool === 'mark:note')
        counting.startedCalls = (counting.startedCalls ?? 0) + 1;
    });
    location.hash = '#/plans';
  });
  await page.waitForSelector('main input[type=file]');
  await page.evaluate((text) => {
    const input = document.querySelector<HTMLInputElement>('main input[type=file]')!;
    const chosen = new DataTransfer();
    chosen.items.add(new File([text], 'gift.json', { type: 'application/json' }));
    input.files = chosen.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, run);
  await pressAtOnce('#/plans', 'dialog[open]', 'Play');
  await shows(page, 'the file gift.json');
  await page.evaluate(() => {
    document.querySelector<HTMLDetailsElement>('dialog[open] li details')!.open = true;
  });
  await shows(page, secret);
  expect(await started()).toBe(0);
  // Control: a press after the guard's time starts it.
  await click(page, 'button', 'Play');
  await vi.waitFor(async () => {
    expect(await started()).toBe(1);
  }, patience);
});

test('rows 44, 45: a requested run names its file and does not start at once, nor after “Not now”', async () => {
  const { page } = firefox();
  const reads = { id: 'a', instructions: 'Read', tools: ['mark:note'] };
  const plan = { goal: 'Read', tasks: [{ ...reads, inputs: { key: { file: 'keys.txt' } } }] };
  const state = (): Promise<string> =>
    page.evaluate(
      async (run) => ((await (await fetch(`api/runs/${run}`)).json()) as { state: string }).state,
      id,
    );
  const id = await page.evaluate(async (body) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch('api/runs', { method: 'POST', headers, body });
    return ((await response.json()) as { id: string }).id;
  }, JSON.stringify({ plan }));
  await pressAtOnce(`#/plans/${id}`, 'main', 'Run');
  await vi.waitFor(async () => {
    expect(await asked(page)).toContain('keys.txt');
  }, patience);
  expect(await asked(page)).toContain('mark:note');
  expect(await state()).toBe('waiting');
  // A reload would not reopen a dropped folder, so this test answers the question before any reload.
  await answer(page, 'Run a plan with 1 task?', 'Not now');
  await vi.waitFor(async () => {
    expect(await state()).toBe('stopped');
  }, patience);
  await page.evaluate(() => {
    location.hash = '#/plans';
  });
  await pressAtOnce(`#/plans/${id}`, 'main', 'Resume');
  await shows(page, 'A page of this site has asked for this run.');
  expect(await state()).toBe('stopped');
  // Control: a press after the guard's time starts the run, which is stuck without a model.
  await click(page, 'button', 'Resume');
  await vi.waitFor(async () => {
    expect(await state()).toBe('stuck');
  }, patience);
});
