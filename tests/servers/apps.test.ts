/** Two example servers of the official package for MCP Apps: what they draw, and what their apps may do in the page. */

import type { Frame, Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { answer, click, framesOf, press, resize, shows, useFirefox } from '../firefox/firefox.ts';
import { addProvider, idle, newSession, send } from '../firefox/session.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import { addServer, textIs, type AddedServer } from './added-server.ts';
import { bridged, overHttp, type RunningServer } from './running-server.ts';

const patience = { timeout: 60_000, interval: 100 };
const browser = useFirefox();
const running: RunningServer[] = [];
let endpoint: ModelEndpoint;
let clock: AddedServer;
let monitor: AddedServer;

beforeAll(async () => {
  const { page, url } = browser();
  endpoint = await startModelEndpoint();
  // What is out of view is not laid out.
  await resize(page, 1280, 2_400);
  running.push(await overHttp('server-basic-vanillajs'));
  running.push(await bridged(url, ['server-system-monitor', '--stdio']));
  const [first, second] = running;
  clock = await addServer(page, first?.url ?? '');
  monitor = await addServer(page, second?.url ?? '');
});
afterAll(async () => {
  for (const server of running) await server.end();
  await endpoint.close();
});
beforeEach(() => browser().trouble.expect(/^foreign request: \S+ http:\/\/127\.0\.0\.1:/));

/** The frame in which the app runs, once it shows an element. */
function appWith(page: Page, selector: string): Promise<Frame> {
  return vi.waitFor(async () => {
    for (const frame of await framesOf(page))
      if (frame.parentFrame()?.url().includes('/mcp-app.html?') === true)
        if ((await frame.$(selector)) !== null) return frame;
    throw new Error(`There is no app with ${selector}.`);
  }, patience);
}

async function inApp<T>(frame: Frame, read: () => T, expected: (value: T) => void): Promise<void> {
  await vi.waitFor(async () => expected((await frame.evaluate(read)) as T), patience);
}

/** Runs in the app. */
const timeHere = (): string => document.querySelector('#server-time')?.textContent ?? '';

async function showApp(page: Page): Promise<void> {
  await click(page, 'button', 'Show app');
}

/** Uses a command of the palette. */
async function command(page: Page, words: string): Promise<void> {
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
  await shows(page, words);
  await page.keyboard.type(words);
  await page.keyboard.press('Enter');
}

test('an app is drawn, calls its server, follows the theme, and is told that it ends', async () => {
  const { page } = browser();
  const told: string[] = [];
  page.on('console', (message) => told.push(message.text()));
  await clock.run('get-time', {}, /"time"/);
  expect(await page.$$('iframe[src]')).toHaveLength(0);
  await showApp(page);
  const app = await appWith(page, '#server-time');
  await inApp(app, timeHere, (time) => expect(time).toMatch(/^\d{4}-\d\d-\d\dT/));
  // The frame has the height that the app has asked for.
  await vi.waitFor(async () => {
    const wanted = await app.evaluate(() => document.documentElement.scrollHeight);
    const height = await page.$eval('iframe[src]', ({ clientHeight }) => clientHeight);
    expect([height, wanted]).not.toContain(320);
  }, patience);

  const before = await app.evaluate(timeHere);
  await press(app, '#get-time-btn');
  await answer(page, 'get-time', 'Allow once');
  await inApp(app, timeHere, (time) => {
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(time).not.toBe(before);
  });
  const callers = await page.evaluate(() =>
    globalThis.cloche.log.recent(2).map(({ call }) => [call.caller, call.tool]),
  );
  expect(callers).toEqual([
    ['app', clock.idOf('get-time')],
    ['user', clock.idOf('get-time')],
  ]);

  await press(app, '#send-log-btn');
  await press(app, '#open-link-btn');
  await shows(page, 'https://modelcontextprotocol.io/');
  await click(page, 'button', 'Not now');

  for (const theme of ['dark', 'light']) {
    await command(page, `Theme: ${theme}`);
    await inApp(
      app,
      () => [
        document.documentElement.dataset.theme,
        getComputedStyle(document.documentElement).colorScheme,
        matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
      ],
      (seen) => expect(seen).toEqual([theme, theme, theme]),
    );
  }
  await click(page, 'button', 'Close app');
  await vi.waitFor(() => expect(told).toContain('App is being torn down'), patience);
  expect(await page.$$('iframe[src]')).toHaveLength(0);
});

test('in a session, an app shows the result of a model’s call, and writes a message if the user agrees', async () => {
  const { page } = browser();
  await addProvider(page, { kind: 'openai-chat', name: 'Mine', url: `${endpoint.url}/v1` });
  await newSession(page, 'Mine');
  const named = clock.idOf('get-time').replace(':', '__');
  endpoint.answer({ calls: [{ name: named, arguments: '{}' }] }, { text: 'It is late.' });
  await send(page, 'What time is it?');
  await answer(page, 'get-time', 'Allow once');
  await shows(page, 'It is late.');
  await idle(page);
  const offered = endpoint.requests.at(-1)?.text;
  expect(offered).toContain('get-system-info');
  // A tool for apps alone is not offered to models.
  expect(offered).not.toContain('poll-system-stats');
  await press(page, 'section[aria-label^="Call to"] button[aria-expanded="false"]');
  await showApp(page);
  const app = await appWith(page, '#server-time');
  await inApp(app, timeHere, (time) => expect(time).toMatch(/^\d{4}-\d\d-\d\dT/));
  await press(app, '#send-message-btn');
  await shows(page, 'The app wants to write into the message field:');
  await click(page, 'button', 'Write it');
  await vi.waitFor(async () => {
    const written = await page.$eval('textarea', ({ value }) => value);
    expect(written).toBe('This is message text.');
  }, patience);
});

test('an app calls a tool that only apps are offered, draws what it returns, and starts again', async () => {
  const { page } = browser();
  await monitor.run('get-system-info', {}, /hostname/);
  await showApp(page);
  await appWith(page, '#memory-percent');
  // It asks again every two seconds.
  await answer(page, 'poll-system-stats', 'More');
  await answer(page, 'poll-system-stats', 'Allow for this visit');
  const drawn = (): boolean => {
    const canvas = document.querySelector<HTMLCanvasElement>('canvas');
    const { data } =
      canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
    return data?.some((value) => value > 0) === true;
  };
  for (const again of [false, true]) {
    if (again) await click(page, 'button', 'Reload app');
    const app = await appWith(page, '#memory-percent');
    const percent = (): string => document.querySelector('#memory-percent')?.textContent ?? '';
    await inApp(app, percent, (shown) => expect(shown).toMatch(/^[1-9]\d*%/));
    await inApp(app, drawn, (isDrawn) => expect(isDrawn).toBe(true));
  }
  await click(page, 'button', 'Larger');
  await click(page, 'button', 'Smaller');
  await monitor.run('poll-system-stats', {}, /memory/);
  await textIs(page, 'section[aria-label="Result"]', /timestamp/);
  expect([...clock.left, ...monitor.left]).toEqual([]);
});
