/** Plans in the real Firefox: a recorded run is paused, goes on after a reload, and does nothing twice. */

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { click, resize, shows, useFirefox } from './firefox.ts';

interface RecordedRun {
  readonly title: string;
  readonly tasks: Record<
    string,
    {
      readonly turns: { readonly steps: { readonly parts: { type: string; tool?: string }[] }[] }[];
    }
  >;
}

const firefox = useFirefox();
const file = new URL('../../tools-samples/runs/retried-check.json', import.meta.url);

test('a recorded run of the samples is paused, and continues after a reload', async () => {
  const { title, tasks } = JSON.parse(await readFile(file, 'utf8')) as RecordedRun;
  const calls = Object.values(tasks)
    .flatMap(({ turns }) => turns.flatMap(({ steps }) => steps.flatMap(({ parts }) => parts)))
    .filter(({ type, tool }) => type === 'call' && tool !== 'finish');
  const { page } = firefox();
  // What is out of view is not laid out.
  await resize(page, 1280, 2_400);
  await page.evaluate(() => {
    location.hash = '#/sessions';
  });
  await click(page, 'button', 'Open samples');
  await page.evaluate(() => {
    location.hash = '#/plans';
  });
  await click(page, 'button', `Play ${title}`);
  await click(page, 'button', 'Pause');
  await shows(page, 'Paused, ');
  await page.reload();
  await shows(page, 'Not running in this tab, ');
  await click(page, 'button', 'Resume');
  await shows(page, 'Done, 3 of 3');
  const run = await page.evaluate(async () => {
    const response = await fetch(`api/runs/${location.hash.split('/').at(-1)}`);
    return (await response.json()) as { state: string; usage: { calls: number } };
  });
  expect(run).toMatchObject({ state: 'done', usage: { calls: calls.length } });
});
