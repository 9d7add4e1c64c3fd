/** docs/decisions/attacks.md row 21, when the sandbox has its own process: the process dies silently, and is replaced. */

import { openFolder } from '../support/app.ts';
import { hello } from '../support/hello.ts';
import { holdClockHere } from '../support/page-clock.ts';
import { expect, test } from '../support/test.ts';

const waiting = `
import asyncio

async def wait() -> str:
    """Waits."""
    await asyncio.sleep(100)
    return "waited"

TOOL_SPECS = [{"name": "waiting:wait", "description": "Waits.", "parameters": {"type": "object", "properties": {}}, "handler": wait}]
`;

test('row 21: a sandbox whose process dies is noticed and replaced, and its call ends once', async ({
  page,
  context,
  folder,
}) => {
  const { path } = await folder({ 'greet.py': hello, 'waiting.py': waiting });
  await page.addInitScript(holdClockHere);
  await page.goto('./');
  await openFolder(page, path);
  await page.evaluate(() => {
    const endings: string[] = [];
    const { calls } = globalThis.cloche;
    calls.observe((event) => {
      if (event.type !== 'call-ended') return;
      const { error = 'none' } = event.result;
      endings.push(`${event.call.tool} ${error}`);
    });
    const call = (tool: string): Promise<unknown> =>
      calls.call(new AbortController().signal, {
        id: crypto.randomUUID(),
        tool,
        arguments: '{}',
        caller: 'page',
        sessionId: '',
        sessionKey: '',
        turnId: '',
        agentId: '',
        validate: true,
      });
    void call('greet:hello');
    const first = call('waiting:wait');
    const second = call('greet:hello');
    Object.assign(globalThis, {
      endings,
      endingsOfCalls: () => Promise.all([first, second]).then(() => endings),
    });
  });
  await expect.poll(() => page.evaluate(() => globalThis.cloche.status.get().python)).toBe('busy');
  // Playwright takes the page for crashed when a frame of it is; the page itself can still be asked.
  const inPage = await context.newCDPSession(page);
  const [, sandbox] = page.frames();
  if (!sandbox) throw new Error('There is no frame.');
  const inSandbox = await context.newCDPSession(sandbox);
  // Its answer dies with the process.
  void inSandbox.send('Page.crash').catch(() => undefined);
  const ask = async (expression: string): Promise<unknown> => {
    const asked = { expression, awaitPromise: true, returnByValue: true };
    return (await inPage.send('Runtime.evaluate', asked)).result.value;
  };
  // A process counts as dead after 17 seconds without a sign of life: src/runtime/sandbox/heartbeat.ts.
  await expect
    .poll(() => ask('forwardClock(500, 500).then(() => endings)'), { intervals: [50] })
    .toContain('waiting:wait crashed');
  expect(await ask('endingsOfCalls()')).toEqual([
    'greet:hello none',
    'waiting:wait crashed',
    'greet:hello none',
  ]);
});
