/**
 * A call whose page closes before it ends has crashed, and does not run again when a caller repeats it. One
 * that has ended before is in the log.
 */

import type { Page } from '@playwright/test';
import { openFolder, scanned } from './support/app.ts';
import { expect, test } from './support/test.ts';

const source = `
import time

def slow(context):
    """Says that it runs, and goes on."""
    yield "running"
    while True:
        time.sleep(0.05)

def quick():
    """Ends at once."""
    return "done"

TOOL_SPECS = [{"name": f"slow:{one.__name__}", "description": one.__doc__,
               "parameters": {"type": "object", "properties": {}}, "handler": one} for one in (slow, quick)]
`;

/** @returns the answer's id of the call, and its first events */
function ask(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const response = await fetch('api/tools/slow:slow/invoke', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'idempotency-key': 'once',
      },
      body: '{"arguments": {}}',
    });
    if (response.body === null) return '';
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!/event: (update|result)/.test(text)) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
    }
    return text;
  });
}

test('a call that was under way when its page was reloaded has crashed, once', async ({
  page,
  folder,
  trouble,
}) => {
  // The worker that answers loses the page in mid-answer.
  trouble.expect(/net::ERR|Failed to fetch|aborted/i);
  const { path } = await folder({ 'slow.py': source });
  await page.goto('.');
  await openFolder(page, path);
  expect(await ask(page)).toContain('running');
  await page.reload();
  await scanned(page);
  const again = await ask(page);
  expect(again).toContain('event: result');
  expect(again).toContain('"error":"crashed"');
  const logged = await page.evaluate(() =>
    globalThis.cloche.log.recent(9).map(({ call, result }) => [call.tool, result.error]),
  );
  expect(logged).toEqual([['slow:slow', 'crashed']]);
});

test(
  'calls that ended just before their page was reloaded are in the log',
  { tag: '@full' },
  async ({ page, folder }) => {
    const { path } = await folder({ 'slow.py': source });
    await page.goto('.');
    await openFolder(page, path);
    const reloaded = page.waitForEvent('load');
    await page.evaluate(async () => {
      // The first is written at once, and the following ones only a quarter of a second later.
      for (let n = 0; n < 3; n += 1) {
        const body = JSON.stringify({ arguments: {} });
        const headers = { 'content-type': 'application/json' };
        const response = await fetch('api/tools/slow:quick/invoke', {
          method: 'POST',
          headers,
          body,
        });
        await response.text();
      }
      location.reload();
    });
    await reloaded;
    await scanned(page);
    const logged = (): Promise<unknown> =>
      page.evaluate(() =>
        globalThis.cloche.log
          .recent(9)
          .map(({ call, result }) => [call.tool, result.resultType, result.textResultForLlm]),
      );
    const quick = ['slow:quick', 'success', 'done'];
    // The page does not wait for its log before it scans the folder.
    await expect.poll(logged).toEqual([quick, quick, quick]);
  },
);
