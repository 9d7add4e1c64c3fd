/** Rows of docs/decisions/attacks.md as far as the frame of an MCP App goes: the server's log and the page show what got through. */

import type { Frame } from '@playwright/test';
import {
  appFrame,
  quietApp,
  quietTools,
  reachHere,
  sendHere,
  tellFrom,
} from '../support/app-attacks.ts';
import { openFolder } from '../support/app.ts';
import { jsonArguments } from '../support/json-arguments.ts';
import { pressUntil } from '../support/press-until.ts';
import { answer, question } from '../support/questions.ts';
import { expect, test } from '../support/test.ts';
import { startWitness } from '../support/witness.ts';

const files = { 'quiet.py': quietTools, 'quiet.html': quietApp };

async function answerTo(app: Frame, id: number): Promise<unknown> {
  const find = () => app.evaluate((wanted) => heard.find((message) => message.id === wanted), id);
  await expect.poll(find).toBeDefined();
  return find();
}

declare const heard: { id?: number; method?: string; params?: unknown }[];

test('an app is shown, answers its tool’s calls, and reaches nothing else', async ({
  page,
  context,
  folder,
  trouble,
}) => {
  test.setTimeout(240_000);
  // The requests of the control do arrive, at a server that answers all of them with text.
  trouble.expect(/reached is not defined|WebSocket connection|EventSource/);
  trouble.expect(
    /Content Security Policy|sandbox|Refused|Blocked|Not allowed|Unsafe attempt|Failed to (?:fetch|load)/i,
  );
  const witness = await startWitness();
  trouble.allowOrigin(witness.origin);
  const { path } = await folder(files, 'apps');
  await page.goto('./');
  await openFolder(page, path);
  await page.goto('./#/tools/quiet%3Ashow');
  await (await jsonArguments(page)).fill('{"value": 21}');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByText(/^Success/)).toBeVisible();
  // Nothing runs before the user shows the app.
  expect(page.frames().some((one) => one.url().includes('mcp-app.html'))).toBe(false);
  await pressUntil(
    result.getByRole('button', { name: 'Show app' }),
    result.getByRole('region', { name: /^App of/ }),
  );
  let app = await appFrame(page);

  await test.step('gets the input, the result and the look of the page', async () => {
    await expect
      .poll(() => app.evaluate(() => heard.flatMap(({ method = [] }) => method)))
      .toEqual(['ui/notifications/tool-input', 'ui/notifications/tool-result']);
    const [hello, input, output] = await app.evaluate(() => heard);
    expect(hello).toMatchObject({
      result: { hostInfo: { name: 'Cloche' }, hostContext: { displayMode: 'inline' } },
    });
    expect(input).toMatchObject({ params: { arguments: { value: 21 } } });
    expect(output).toMatchObject({
      params: { structuredContent: { doubled: 42 }, isError: false },
    });
  });

  await test.step('rows 1, 2 and 25: storage and the page are out of reach', async () => {
    expect(await app.evaluate(reachHere)).toEqual([]);
    const control = await context.newPage();
    await control.goto(witness.origin);
    expect((await control.evaluate(reachHere)).length).toBeGreaterThan(6);
    await control.close();
  });

  const downloads: unknown[] = [];
  page.on('download', (download) => downloads.push(download));
  await test.step('rows 3 to 9: nothing reaches the network', async () => {
    const pages = context.pages();
    witness.log.length = 0;
    await app.evaluate(sendHere, witness.origin);
    // Versions before 156 may ignore Connection-Allowlist, and connect before they refuse a navigation.
    const major = Number(context.browser()?.version().split('.')[0]);
    const requests = witness.log.filter((line) => line !== 'connection');
    expect(major < 156 ? requests : witness.log).toEqual([]);
    expect(context.pages()).toEqual(pages);
    // Control: the same requests from a page without a policy arrive.
    const control = await context.newPage();
    await control.goto(witness.origin);
    witness.log.length = 0;
    await control.evaluate(sendHere, witness.origin);
    for (const way of ['fetch', 'beacon', 'xhr', 'img', 'script', 'iframe', 'worker'])
      expect(witness.log.join(' ')).toContain(`/${way}`);
    for (const other of context.pages()) if (!pages.includes(other)) await other.close();
  });

  await test.step('row 30: its calls take the one path, and ask', async () => {
    await tellFrom(app, {
      id: 1,
      method: 'tools/call',
      params: { name: 'beside', arguments: { text: 'hi' } },
    });
    expect(await answerTo(app, 1)).toMatchObject({
      result: { content: [{ text: 'beside says hi' }] },
    });
    await tellFrom(app, {
      id: 2,
      method: 'tools/call',
      params: { name: 'careful', arguments: { text: 'hi' } },
    });
    await expect(question(page)).toContainText('The app of a tool asks to run quiet:careful');
    await answer(page, /^deny$/i);
    expect(await answerTo(app, 2)).toMatchObject({ result: { isError: true } });
    await tellFrom(app, { id: 3, method: 'sampling/createMessage' });
    expect(await answerTo(app, 3)).toMatchObject({ error: { code: -32_601 } });
  });

  await test.step('row 38: opening a link asks first, shows it in full, and is guarded', async () => {
    const url = `${witness.origin}/a?b=${'c'.repeat(300)}`;
    await tellFrom(app, { id: 4, method: 'ui/open-link', params: { url } });
    const asked = result.getByRole('group', { name: 'The app asks' });
    await expect(asked).toContainText(url);
    await expect(asked.getByRole('button', { name: 'Open in a new tab' })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await asked.getByRole('button', { name: 'Not now' }).click();
    expect(await answerTo(app, 4)).toMatchObject({ result: { isError: true } });
  });

  await test.step('row 19: what another frame sends in its name is ignored', async () => {
    const forged = {
      jsonrpc: '2.0',
      id: 90,
      method: 'ui/open-link',
      params: { url: 'https://forged.example' },
    };
    await app.evaluate((message) => {
      const inside = document.createElement('iframe');
      inside.srcdoc = `<script>parent.parent.postMessage(${message}, '*'); parent.postMessage('sent', '*')</script>`;
      document.body.append(inside);
      return new Promise((resolve) =>
        addEventListener('message', ({ data }) => data === 'sent' && resolve(data)),
      );
    }, JSON.stringify(forged));
    await tellFrom(app, { id: 5, method: 'ping' });
    expect(await answerTo(app, 5)).toMatchObject({ result: {} });
    await expect(result.getByRole('group', { name: 'The app asks' })).toHaveCount(0);
  });

  await test.step('stays in its frame: size, focus, top and parent', async () => {
    await tellFrom(app, { method: 'ui/notifications/size-changed', params: { height: 100_000 } });
    const outer = result.locator('iframe');
    await expect.poll(async () => (await outer.boundingBox())?.height).toBe(640);
    const before = page.url();
    await app.evaluate((target) => {
      for (const page of [top, parent]) {
        try {
          page!.location = target;
        } catch {
          // Refused.
        }
      }
    }, `${witness.origin}/top`);
    const field = page.getByRole('textbox').first();
    await field.focus();
    await page.mouse.move(1, 1);
    await app.evaluate(() => {
      window.focus();
      document.querySelector('button')?.focus();
    });
    await expect(field).toBeFocused();
    expect(page.url()).toBe(before);
    expect(witness.log.join(' ')).not.toContain('/top');
  });

  await test.step('“Larger” and “Smaller” do not restart it, and Escape leaves the large view', async () => {
    await app.evaluate(() => (document.title = 'the same'));
    await result.getByRole('button', { name: 'Larger' }).click();
    const large = page.getByRole('dialog', { name: /^App of/ });
    await expect(large).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(result.getByRole('button', { name: 'Larger' })).toBeVisible();
    await expect(page.locator('dialog:modal')).toHaveCount(0);
    expect(await app.title()).toBe('the same');
    const modes = () =>
      app.evaluate(() => heard.filter(({ method }) => method?.includes('context-changed')).length);
    await expect.poll(modes).toBe(2);
  });

  await test.step('row 16: a flood ends it, and the page goes on', async () => {
    await app
      .evaluate(() => {
        for (let n = 0; n < 100_000; n += 1) parent.postMessage({ n }, '*');
      })
      .catch(() => undefined);
    await expect(result.getByText('too many messages')).toBeVisible();
    await expect(result.locator('iframe')).toHaveCount(0);
    await result.getByRole('button', { name: 'Reload app' }).click();
    app = await appFrame(page);
  });

  await test.step('an app that leaves its page, for example by a download, is ended and reaches nothing', async () => {
    witness.log.length = 0;
    await app
      .evaluate((target) => {
        const link = document.createElement('a');
        Object.assign(link, { href: target, download: 'x' });
        link.click();
        location.href = target;
      }, `${witness.origin}/self?secret`)
      .catch(() => undefined);
    await expect(result.getByText('left its page')).toBeVisible();
    expect(witness.log).toEqual([]);
    expect(downloads).toEqual([]);
    await result.getByRole('button', { name: 'Close app' }).click();
    await expect(result.getByRole('button', { name: 'Show app' })).toBeVisible();
  });
  await witness.close();
});
