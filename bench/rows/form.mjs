/** A form of 200 fields: shown, typed into, extended, and switched to JSON and back; the longest block of the page's main thread. */

import { openFolder, openOurs } from '../pages.mjs';
import { formFiles, writeFolder } from '../folders.mjs';
import { longestBlock } from '../longest-block.mjs';
import { medians } from '../measure.mjs';

const rounds = 7;
const fields = 200;

/** @param {import('../row.mjs').Bench} bench */
export default async function form({ newPage, sites }) {
  const folder = await writeFolder(`${sites.temporary}/form`, formFiles(fields));
  const page = await newPage();
  await openOurs(page, sites.ours);
  await openFolder(page, folder);
  await page.getByRole('link', { name: 'fill', exact: true }).click();
  const view = page.getByRole('group', { name: 'Edit as' });
  await view.getByRole('button', { name: 'Form' }).click();
  const last = `[data-path="/field_${String(fields - 1)}"]`;
  await page.waitForSelector(last, { state: 'attached' });
  // A list without a value has no items to add.
  await page.getByRole('button', { name: 'Add list', exact: true }).click();
  // Found before the measurement: to find an element by its role, the page describes the whole form to itself.
  const toJson = await view.getByRole('button', { name: 'JSON' }).elementHandle();
  const toForm = await view.getByRole('button', { name: 'Form' }).elementHandle();
  /** @type {Record<'typed' | 'added' | 'switched', number[]>} */
  const blocks = { typed: [], added: [], switched: [] };
  for (let round = 0; round < rounds; round += 1) {
    const text = await page.locator('[data-path="/field_100"]').elementHandle();
    const number = await page.locator('[data-path="/field_101"]').elementHandle();
    const add = await page.locator('[data-path="/list"] > button').last().elementHandle();
    blocks.typed.push(
      await longestBlock(page, async () => {
        for (const [field, typed] of /** @type {const} */ ([
          [text, 'some words'],
          [number, '1234567'],
        ])) {
          await field.focus();
          await page.keyboard.press('Control+a');
          await page.keyboard.type(typed, { delay: 30 });
        }
        await page.waitForTimeout(200);
      }),
    );
    blocks.added.push(
      await longestBlock(page, async () => {
        for (let item = 0; item < 5; item += 1) {
          await add.focus();
          await page.keyboard.press('Enter');
          await page.waitForTimeout(100);
        }
      }),
    );
    blocks.switched.push(
      await longestBlock(page, async () => {
        await toJson.focus();
        await page.keyboard.press('Enter');
        await page.waitForSelector('textarea#arguments');
        await toForm.focus();
        await page.keyboard.press('Enter');
        await page.waitForSelector(last);
        await page.waitForTimeout(100);
      }),
    );
    const value = await page.locator('[data-path="/field_101"]').inputValue();
    if (value !== '1234567') throw new Error(`The field has “${value}”.`);
  }
  const row = { unit: 'ms', target: 0.4 };
  const all = Object.values(blocks);
  const longest = blocks.typed.map((_, round) =>
    Math.max(...all.map((times) => times[round] ?? NaN)),
  );
  return [
    { name: 'form', ...row, ...medians(longest, 50) },
    { name: 'form-typed', ...row, ...medians(blocks.typed, 50) },
    { name: 'form-added', ...row, ...medians(blocks.added, 50) },
    { name: 'form-switched', ...row, ...medians(blocks.switched, 50) },
  ];
}
