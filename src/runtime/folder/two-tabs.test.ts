/** Known folders with two tabs that share a list. */

import { expect, test } from 'vitest';
import {
  contents,
  FakeBrowser,
  fakeSnapshot,
  files,
  names,
  onDisk,
  open,
  upload,
} from './known-folders.fixture.ts';

test('another tab’s folder appears, and the last one opened here stays the last one', async () => {
  const browser = new FakeBrowser();
  const one = await browser.visit();
  const other = await browser.visit();
  await open(one, onDisk('a'));
  await open(other, onDisk('b'));
  await one.load();
  expect([names(one), one.state.current]).toEqual([['b', 'a'], 'id-1']);
});

test('the copy that another tab has stored meanwhile is the one that opens', async () => {
  const browser = new FakeBrowser();
  const one = await browser.visit();
  await open(one, upload());
  const other = await browser.visit();
  const again = await other.open('id-1');
  await other.remember(again, fakeSnapshot(files));
  const anew = upload();
  other.replacesOpen(anew);
  await open(other, anew, { 'a.py': 'other' });
  expect(await contents(await one.open('id-1'))).toEqual([['a.py', 5, 7]]);
  expect(browser.copies.size).toBe(1);
});
