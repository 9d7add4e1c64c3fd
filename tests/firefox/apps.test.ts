/** Rows of docs/decisions/attacks.md as far as the frame of an MCP App goes, in the real Firefox, where it shares the page's thread. */

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { quietApp, quietTools, reachHere, sendHere } from '../support/app-attacks.ts';
import { startWitness, type Witness } from '../support/witness.ts';
import { click, dropFiles, framesOf, shows, useFirefox } from './firefox.ts';

declare const heard: { method?: string }[];

const firefox = useFirefox();
const patience = { timeout: 30_000, interval: 100 };

let witness: Witness;
beforeAll(async () => {
  witness = await startWitness();
  await dropFiles(firefox().page, { 'quiet.py': quietTools, 'quiet.html': quietApp });
});
afterAll(() => witness.close());

/** The frame in which the app runs, once its document is there. */
function app() {
  return vi.waitFor(async () => {
    const frames = await framesOf(firefox().page);
    const found = frames.find(
      (one) => one.parentFrame()?.url().includes('/mcp-app.html?') === true,
    );
    if (found === undefined) throw new Error('The app has no frame.');
    expect(await found.evaluate(() => document.body.innerText)).toContain('The app is here');
    return found;
  }, patience);
}

test('an app gets its result, reaches nothing else, and is ended when it floods', async () => {
  const { page, tellsRequests, trouble } = firefox();
  for (const refused of [/^uncaught/, /foreign request/, /^console/]) trouble.expect(refused);
  for (const hash of ['#/', '#/tools/quiet:show'])
    await page.evaluate((to) => {
      location.hash = to;
    }, hash);
  await shows(page, 'quiet:show');
  await click(page, 'button', 'Run');
  await shows(page, 'doubled');
  await click(page, 'button', 'Show app');
  let frame = await app();
  await vi.waitFor(async () => {
    const methods = await frame.evaluate(() => heard.map(({ method }) => method));
    expect(methods).toContain('ui/notifications/tool-result');
  }, patience);

  expect(await frame.evaluate(reachHere)).toEqual([]);
  witness.log.length = 0;
  await frame.evaluate(sendHere, witness.origin);
  expect(witness.log).toEqual([]);
  expect(await frame.evaluate(() => typeof RTCPeerConnection)).toBe('undefined');

  const flooding = frame.evaluate(() => {
    for (let n = 0; n < 20_000; n += 1) parent.postMessage({ n }, '*');
  });
  // The frame may be gone before the driver has its answer.
  await flooding.catch(() => undefined);
  await shows(page, 'too many messages');
  await click(page, 'button', 'Reload app');
  frame = await app();
  const leaving = frame.evaluate((target) => {
    location.href = target;
  }, `${witness.origin}/self?secret`);
  await leaving.catch(() => undefined);
  // Firefox refuses it, and the app stays. WebKit unloads it.
  const stays = await frame.evaluate(() => document.body.innerText).catch(() => '');
  if (tellsRequests) expect(stays).toContain('The app is here');
  expect(witness.log).toEqual([]);

  // Control: a page without a policy reaches both.
  const control = await page.browser().newPage();
  await control.goto(witness.origin);
  expect((await control.evaluate(reachHere)).length).toBeGreaterThan(6);
  await control.evaluate(sendHere, witness.origin);
  for (const way of ['fetch', 'xhr', 'img', 'script', 'iframe'])
    expect(witness.log.join(' ')).toContain(`/${way}`);
  await control.close();
});
