/** Section 7 in the real Firefox: sessions with models of a local endpoint, from the settings page on. */

import { readFile } from 'node:fs/promises';
import type { Page } from 'puppeteer-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import {
  startModelEndpoint,
  type ModelEndpoint,
  type ReceivedRequest,
} from '../support/model-endpoint.ts';
import { databaseName } from '../../src/runtime/protocol/listing.ts';
import { storedTextsHere } from '../support/stored.ts';
import { echoEncodings, repeatedWithin } from '../support/web.ts';
import { click, dropFiles, fillArguments, isFull, resize, shows, useFirefox } from './firefox.ts';
import { addProvider, fillNamed, idle, newSession, send } from './session.ts';

const key = 'sk-secret-of-this-test';
const sessionTools = new URL('../sessions/session_tools.py', import.meta.url);
const patience = { timeout: 60_000, interval: 100 };
const firefox = useFirefox();
let endpoint: ModelEndpoint;

beforeAll(async () => {
  endpoint = await startModelEndpoint();
  endpoint.habits.key = key;
  endpoint.habits.models = [{ id: 'small' }, { id: 'large-vision' }];
  const { page } = firefox();
  // What is out of view is not laid out.
  await resize(page, 1280, 2_400);
  page.setDefaultTimeout(20_000);
  await dropFiles(page, { 'session_tools.py': await readFile(sessionTools, 'utf8') });
});
afterAll(() => endpoint.close());
beforeEach(() => {
  endpoint.reset();
  const { trouble } = firefox();
  trouble.expect(/foreign request: \S+ http:\/\/127\.0\.0\.1/);
});

const call = (tool: string, args: object): { name: string; arguments: string } => ({
  name: `session_tools__${tool}`,
  arguments: JSON.stringify(args),
});

/** Requests to models, except for lists of models. */
function asked(): readonly ReceivedRequest[] {
  return endpoint.requests.filter(({ format }) => format !== 'models');
}

async function gone(page: Page, text: string): Promise<void> {
  await vi.waitFor(async () => {
    expect(await page.evaluate(() => document.body.innerText)).not.toContain(text);
  }, patience);
}

// The others' formats are the same in every browser: src/agent/providers/wire.
const kinds: readonly (readonly [kind: string, path: string])[] = [
  ['anthropic', '/v1'],
  ...(isFull
    ? ([
        ['openai-chat', '/v1'],
        ['openai-responses', '/v1'],
        ['google', '/v1beta'],
      ] as const)
    : []),
];

test.each(kinds)(
  '%s: added, listed, streams, reasons and calls tools together',
  async (kind, path) => {
    const { page } = firefox();
    await addProvider(page, { kind, name: kind, url: endpoint.url + path, key });
    await newSession(page, kind);
    const reasoning = kind === 'openai-chat' ? {} : { reasoning: 'Both at once.' };
    const calls = ['a', 'b'].map((name) => call('meet', { name }));
    endpoint.answer({
      ...reasoning,
      text: `I let them meet. ${'Slowly. '.repeat(9)}`,
      calls,
      paceMs: 30,
    });
    endpoint.answer({ text: 'They have **met**.' });
    await send(page, 'Let two of them meet.');
    await shows(page, 'Receiving an answer from');
    await shows(page, 'They have met.');
    await idle(page);
    expect(asked().at(-1)?.text).toContain('has met somebody');
    expect(await page.$$('section[aria-label^="Call to"]')).toHaveLength(2);
    if (kind !== 'openai-chat') await shows(page, 'Reasoning');
  },
);

if (isFull)
  test('arguments are changed before a call runs, and a denial is told with its reason', async () => {
    const { page } = firefox();
    await newSession(page, 'anthropic');
    endpoint.answer({ calls: [call('remove', { path: 'everything' })] }, { text: 'It is done.' });
    await send(page, 'Tidy up.');
    await shows(page, 'Waiting for your answer');
    await click(page, 'button', 'Edit arguments');
    await fillArguments(page, '{"path": "one.txt"}');
    await click(page, 'button', 'Allow once as edited');
    await shows(page, 'It is done.');
    expect(asked().at(-1)?.text).toContain('removed one.txt');
    endpoint.answer({ calls: [call('remove', { path: '/' })] }, { text: 'Then I leave it.' });
    await send(page, 'And the rest.');
    await shows(page, 'Waiting for your answer');
    await fillNamed(page, 'Reason for denying (optional)', 'That is the whole disk.');
    await click(page, 'button', 'Deny');
    await shows(page, 'Then I leave it.');
    expect(asked().at(-1)?.text).toContain('That is the whole disk.');
    await idle(page);
  });

test('row 47: a key that a provider repeats is only in the store of keys', async () => {
  const { page, url } = firefox();
  const other = 'no/Secret+at=all_but-Text9';
  const spellings = Object.entries(echoEncodings);
  // Markdown shows code as it is.
  const echo = (text: string): string =>
    spellings.map(([, encode]) => `\`${encode(text)}\``).join(' ');
  const both = `${echo(key)} and ${echo(other)}`;
  await newSession(page, 'anthropic');
  endpoint.answer(
    { text: both, calls: [call('weather', { city: both })] },
    { status: 400, error: { message: `The key ${both} is unknown.` } },
  );
  await send(page, 'Go');
  await vi.waitFor(async () => {
    expect(await page.$('::-p-aria([name="Continue"][role="button"])')).not.toBeNull();
  }, patience);
  await idle(page);
  const all = spellings.map(([as]) => as);
  // Control: the provider had the key, and repeated it.
  expect(asked().map(({ headers }) => headers['x-api-key'])).toEqual([key, key]);
  expect(repeatedWithin(key, both)).toEqual(all);
  const { keys = '', ...stores } = await page.evaluate(
    storedTextsHere,
    databaseName(new URL(url).pathname),
  );
  const places = {
    transcript: await page.evaluate(() => document.body.textContent),
    storage: Object.values(stores).join('\n'),
  };
  for (const [place, text] of Object.entries(places)) {
    expect(repeatedWithin(key, text), place).toEqual([]);
    // Control: text that is not secret is there in all its spellings.
    expect(repeatedWithin(other, text), place).toEqual(all);
  }
  // Control: storage is read as it is.
  expect(repeatedWithin(key, keys)).toContain('plain');
});

test('a call under way is stopped at once, and the session goes on', async () => {
  const { page } = firefox();
  await newSession(page, 'anthropic');
  endpoint.answer({ calls: [call('endless', {})] });
  await send(page, 'Count.');
  await shows(page, 'counted');
  await page.keyboard.press('Escape');
  await idle(page);
  endpoint.answer({ text: 'I have stopped counting.' });
  await click(page, 'button', 'Continue');
  await shows(page, 'I have stopped counting.');
  await idle(page);
});

if (isFull)
  test('what is said in mid-turn steers it; a picture is seen', async () => {
    const { page } = firefox();
    await newSession(page, 'anthropic');
    endpoint.answer({ calls: [call('patient', { seconds: 6 })] });
    endpoint.answer({ text: 'I have turned.' });
    await send(page, 'Wait a little.');
    await shows(page, 'Running tools');
    await send(page, 'Turn left instead.');
    await shows(page, 'I have turned.');
    expect(asked().at(-1)?.text).toContain('Turn left instead.');
    endpoint.answer({ calls: [call('picture', {})] }, { text: 'I have seen it.' });
    await send(page, 'Look at this.');
    await shows(page, 'I have seen it.');
    expect(asked().at(-1)?.text).toContain('iVBORw0KGgoAAAANSUhEUg');
    expect(await page.$$('article img, section img')).not.toHaveLength(0);
    await idle(page);
  });

if (isFull)
  test('a reload in mid-answer loses nothing that was shown, and the session goes on', async () => {
    const { page } = firefox();
    await newSession(page, 'anthropic');
    endpoint.answer({ text: `It begins here. ${'And goes on. '.repeat(200)}`, paceMs: 50 });
    await send(page, 'Tell me a long story.');
    await shows(page, 'It begins here. And goes on.');
    await page.reload();
    await shows(page, 'It begins here. And goes on.');
    endpoint.answer({ text: 'The end.' });
    await click(page, 'button', 'Continue');
    await shows(page, 'The end.');
    await idle(page);
  });

if (isFull)
  test('a second page follows a session live, and takes over', async () => {
    const { page } = firefox();
    const title = await page.evaluate(() => location.href);
    const second = await page.browser().newPage();
    // A page that is left open would serve the API in the tests that follow.
    onTestFinished(() => second.close());
    await resize(second, 1280, 1_200);
    await second.goto(title);
    await shows(second, 'in use in another tab');
    endpoint.answer({ text: 'Seen by both.' });
    await send(page, 'Once more.');
    await shows(second, 'Seen by both.');
    await idle(page);
    await click(second, 'button', 'Use here');
    await shows(page, 'in use in another tab');
    await gone(second, 'in use in another tab');
    endpoint.answer({ text: 'From over there.' });
    await send(second, 'And now?');
    await shows(page, 'From over there.');
  });
