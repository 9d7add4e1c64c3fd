/** Turns with every kind of provider, each added through the settings page; the formats are in src/agent/providers/wire. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/shared-page.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import * as session from '../support/session-page.ts';
import { press } from '../support/press-until.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUg';

/** CI runs every test with this kind, and one journey with two others whose formats differ most from it. */
const wholeKind = 'openai-compatible';
const journeyKinds = ['anthropic', 'google'];

let endpoint: ModelEndpoint;
const added = new Set<string>();

/** The provider is there: the first test of its kind adds it. */
async function provided(page: Page, kind: string, path: string): Promise<void> {
  if (added.has(kind)) return;
  await session.addProvider(page, { kind, name: nameOf(kind), url: endpoint.url + path });
  added.add(kind);
}

function nameOf(kind: string): string {
  return `Mine ${kind}`;
}

test.beforeAll(async ({ shared }) => {
  added.clear();
  endpoint = await startModelEndpoint();
  endpoint.habits.key = session.testKey;
  endpoint.habits.models = [
    { id: 'small', context: 1_000 },
    { id: 'large-vision', context: 200_000, price: { prompt: '0.000003', completion: '0.000015' } },
  ];
  await shared.open({ 'session_tools.py': await readFile(session.sessionTools) });
  // What is out of view is not laid out.
  await shared.page.setViewportSize({ width: 1280, height: 3_000 });
});
test.afterAll(() => endpoint.close());
test.beforeEach(({ trouble }) => {
  endpoint.reset();
  session.expectModelRequests(trouble);
});

const call = (tool: string, args: object): { name: string; arguments: string } => ({
  name: `session_tools__${tool}`,
  arguments: JSON.stringify(args),
});

for (const [kind, path] of session.providerKinds)
  test.describe(kind, { tag: kind === wholeKind ? [] : '@full' }, () => {
    const name = nameOf(kind);

    test.beforeEach(async ({ page }) => {
      await provided(page, kind, path);
      await session.newSession(page, name, /large/);
      endpoint.reset();
    });

    test('streams text and reasoning; calls of one answer run together', async ({ page }) => {
      const calls = ['a', 'b'].map((who) => call('meet', { name: who }));
      const thinks = kind === 'openai-chat' ? {} : { reasoning: 'They have to be called at once.' };
      const text = `I let them meet. ${'This takes a while. '.repeat(12)}`;
      let goOn = (): void => undefined;
      const until = new Promise<void>((resolve) => (goOn = resolve));
      // The page says that it receives an answer only until the calls come.
      const pause = { after: 24, until };
      endpoint.answer({ ...thinks, text, calls, pause }, { text: 'They have **met**.' });
      await session.send(page, 'Let two of them meet.');
      await expect(page.getByText(/^I let them meet/)).toBeVisible();
      await expect(page.getByText(/Receiving an answer from .*large-vision/).first()).toBeVisible();
      goOn();
      await expect(page.getByText('They have met.')).toBeVisible();
      await session.idle(page);
      await expect(session.cards(page, 'meet')).toHaveCount(2);
      await expect(page.getByRole('strong').filter({ hasText: 'met' })).toBeVisible();
      if (kind !== 'openai-chat') {
        await page.getByText('Reasoning', { exact: true }).click();
        await expect(page.getByText('They have to be called at once.')).toBeVisible();
      }
      expect(session.asked(endpoint).at(-1)?.text).toContain('has met somebody');
      await expect(page.getByText('2 steps', { exact: false })).toBeVisible();
      await expect(page.getByText('Tokens used in this session: ').locator('..')).toContainText(
        'out',
      );
    });

    test('a failed call, an invented tool and broken arguments are told to the model', async ({
      page,
    }) => {
      const broken = { name: 'session_tools__weather', arguments: '{"city": ' };
      const calls = [
        call('fail', { why: 'it must' }),
        call('wether', { city: 'Oslo' }),
        call('weather', { town: 'Oslo' }),
        ...(kind === 'google' ? [] : [broken]),
      ];
      endpoint.answer({ calls }, { text: 'I see what is wrong.' });
      await session.send(page, 'Make mistakes.');
      await expect(page.getByText('I see what is wrong.')).toBeVisible();
      const reported = session.asked(endpoint).at(-1)?.text ?? '';
      expect(reported).toContain('It failed since it must');
      expect(reported).toContain('Did you mean session_tools__weather');
      expect(reported).toContain('city');
      if (kind !== 'google') expect(reported).toContain('are not valid JSON');
      await expect(session.cards(page)).toHaveCount(calls.length);
      await session.idle(page);
    });

    test('a long result is cut and read on; a picture is seen', async ({ page }) => {
      endpoint.answer({ calls: [call('long_text', { lines: 4_000 }), call('picture', {})] });
      endpoint.answer(({ text }) => {
        const [, id = '', offset = '0'] =
          /read_result with \{\\+"result\\+":\\+"(\w+)\\+",\\+"offset\\+":(\d+)/.exec(text) ?? [];
        const args = JSON.stringify({ result: id, offset: Number(offset) });
        return { calls: [{ name: 'read_result', arguments: args }] };
      });
      endpoint.answer({ text: 'I have read all of it.' });
      await session.send(page, 'Read a long text and look at a picture.');
      await expect(page.getByText('I have read all of it.')).toBeVisible();
      const [, second, third] = session.asked(endpoint);
      expect(second?.text).toContain('more characters: call read_result');
      expect(second?.text.includes(pixel)).toBe(true);
      expect(session.offeredTools(second!)).toContain('read_result');
      expect(second?.text.includes('line 2000 of the long text')).toBe(false);
      expect(third?.text.includes('line 2000 of the long text')).toBe(true);
      await expect(page.getByRole('img').first()).toBeVisible();
      await session.idle(page);
    });

    test('a deferred tool is found by tool_search, and called', async ({ page }) => {
      endpoint.answer(
        { calls: [{ name: 'tool_search', arguments: '{"query": "reverses"}' }] },
        { calls: [call('rare', { word: 'glass' })] },
        { text: 'It reads ssalg.' },
      );
      await session.send(page, 'Reverse the word glass.');
      await expect(page.getByText('It reads ssalg.')).toBeVisible();
      const [first, second, third] = session.asked(endpoint);
      expect(session.offeredTools(first!)).toContain('tool_search');
      expect(session.offeredTools(first!)).not.toContain('session_tools__rare');
      expect(first?.text).toContain('Reverses a word');
      expect(session.offeredTools(second!)).toContain('session_tools__rare');
      expect(third?.text).toContain('ssalg');
      await session.idle(page);
    });

    test('what may pass is tried again; what is too long is summarised first', async ({ page }) => {
      endpoint.answer(
        { status: 429, headers: { 'retry-after': '1' } },
        { text: 'Half an ans', trouble: { after: 4, kind: 'cut' } },
        { text: 'It works now.' },
      );
      await session.send(page, 'Try it.');
      await expect(page.getByText(/Retrying in/)).toBeVisible();
      await expect(page.getByText('It works now.')).toBeVisible();
      await session.idle(page);
      expect(session.asked(endpoint)).toHaveLength(3);
      endpoint.reset();
      const tooLong = {
        'openai-compatible': { message: 'too long', code: 'context_length_exceeded' },
        'openai-chat': { message: 'too long', code: 'context_length_exceeded' },
        'openai-responses': { message: 'too long', code: 'context_length_exceeded' },
        anthropic: { message: 'prompt is too long: 220000 tokens > 200000 maximum' },
        google: { message: 'The input token count (1200000) exceeds the maximum number of tokens' },
      }[kind];
      endpoint.answer(
        { status: 400, error: tooLong },
        { text: 'They tried it, and it worked.' },
        { text: 'It goes on.' },
      );
      await session.send(page, 'And once more.');
      await expect(page.getByText('It goes on.')).toBeVisible();
      const [, summary, after] = session.asked(endpoint);
      expect(summary?.text).toContain('Summarise the conversation');
      expect(after?.text).toContain('They tried it, and it worked.');
      expect(after?.text).not.toContain('Try it.');
      await session.idle(page);
    });

    test('a refused key is explained, and the turn can be tried again', async ({ page }) => {
      endpoint.habits.key = 'another';
      await session.send(page, 'Hello?');
      await expect(page.getByText('The turn failed.')).toBeVisible();
      await expect(page.getByText(/key/i).last()).toBeVisible();
      await expect(page.getByRole('link', { name: 'Open settings' })).toBeVisible();
      endpoint.habits.key = session.testKey;
      endpoint.answer({ text: 'Here I am.' });
      await press(page.getByRole('button', { name: 'Continue' }));
      await expect(page.getByText('Here I am.')).toBeVisible();
      await session.idle(page);
    });

    test('a message waits for running calls; an interruption ends those that may be ended', async ({
      page,
    }) => {
      endpoint.answer(
        { calls: [call('endless', {}), call('patient', { seconds: 3 })] },
        { text: 'Oslo it is.' },
      );
      await session.send(page, 'Count.');
      await expect(session.cards(page, 'endless')).toContainText('counted');
      await session.send(page, 'Oslo instead!');
      await expect(page.getByText(/^Sent when .*endless and .*patient have ended/)).toBeVisible();
      await expect(session.cards(page, 'endless')).toContainText('Running');
      await page.getByRole('button', { name: 'Interrupt now' }).click();
      await expect(page.getByText('Oslo it is.')).toBeVisible();
      const reported = session.asked(endpoint).at(-1)?.text ?? '';
      expect(reported).toContain('Oslo instead!');
      expect(reported).toContain('waited for');
      expect(reported).toMatch(/cancel/i);
      await expect(page.getByRole('article', { name: 'You, during the turn' })).toBeVisible();
      await session.idle(page);
    });

    test('Stop ends the turn, keeps what was done, and the turn can go on', async ({ page }) => {
      endpoint.answer({
        text: 'I count.',
        calls: [call('step', {}), call('endless', {}), call('step', {})],
      });
      await session.send(page, 'Count.');
      await expect(session.cards(page, 'endless')).toContainText('counted');
      const last = session.cards(page, 'step').last();
      await expect(last).toContainText('Waiting for session_tools:endless');
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await expect(page.getByText(/You stopped this turn/)).toBeVisible();
      await expect(page.getByText('I count.')).toBeVisible();
      endpoint.answer({ text: 'There I go.' });
      await press(page.getByRole('button', { name: 'Continue' }));
      await expect(page.getByText('There I go.')).toBeVisible();
      await session.idle(page);
    });

    test('a prompt runs in the background, with tools that are safe for that', async ({ page }) => {
      endpoint.answer({ text: 'Hello.' });
      await session.send(page, 'Hello.');
      await session.idle(page);
      endpoint.answer({ calls: [call('weather', { city: 'Bergen' })] }, { text: 'It is clear.' });
      await page.getByRole('button', { name: 'Background' }).click();
      await page.getByLabel('Run in the background').fill('How is Bergen?');
      await page.getByRole('button', { name: 'Run', exact: true }).click();
      const earlier = page.getByRole('region', { name: 'Earlier prompt' });
      await expect(earlier).toContainText('It is clear.');
      await expect(earlier.getByRole('list')).toHaveText(/session_tools:weather\s*ok/);
      const request = session.asked(endpoint)[1]!;
      expect(session.offeredTools(request)).toEqual(['session_tools__weather']);
      await page.reload();
      await page.getByRole('button', { name: 'Background' }).click();
      await expect(earlier).toContainText('It is clear.');
    });
  });

for (const [kind, path] of session.providerKinds.filter(([one]) => one !== wholeKind))
  test(
    `${kind}: an answer streams, calls run together, one fails, and Stop ends the turn`,
    { tag: journeyKinds.includes(kind) ? [] : '@full' },
    async ({ page }) => {
      await provided(page, kind, path);
      await session.newSession(page, nameOf(kind), /large/);
      const calls = [
        call('meet', { name: 'a' }),
        call('meet', { name: 'b' }),
        call('fail', { why: 'it must' }),
      ];
      const reasoning =
        kind === 'openai-chat' ? {} : { reasoning: 'They have to be called at once.' };
      const text = `I let them meet. ${'This takes a while. '.repeat(6)}`;
      endpoint.answer({ ...reasoning, text, calls, paceMs: 60 });
      endpoint.answer({ text: 'They have **met**.', calls: [call('endless', {})] });
      await session.send(page, 'Let two of them meet.');
      await expect(page.getByText(/^I let them meet/)).toBeVisible();
      await expect(page.getByText('They have met.')).toBeVisible();
      if (kind !== 'openai-chat') {
        await page.getByText('Reasoning', { exact: true }).click();
        await expect(page.getByText('They have to be called at once.')).toBeVisible();
      }
      expect(session.asked(endpoint).at(-1)?.text).toMatch(
        /has met somebody.*It failed since it must/s,
      );
      await expect(session.cards(page, 'endless')).toContainText('counted');
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await expect(page.getByText(/You stopped this turn/)).toBeVisible();
      endpoint.answer({ text: 'There I go.' });
      await press(page.getByRole('button', { name: 'Continue' }));
      await expect(page.getByText('There I go.')).toBeVisible();
      await session.idle(page);
    },
  );

/** Sessions change to these in turn. CI runs the change to one other provider, whose reasoning the next one cannot read. */
const changes = [
  { to: [wholeKind], tag: [] },
  { to: ['google', 'openai-responses', wholeKind, 'anthropic'], tag: '@full' },
];
for (const { to, tag } of changes)
  test(
    `a session goes on with ${to.join(', ')}, which get nothing that they cannot read`,
    {
      tag,
    },
    async ({ page }) => {
      for (const [kind, path] of session.providerKinds)
        if (['anthropic', ...to].includes(kind)) await provided(page, kind, path);
      await session.newSession(page, nameOf('anthropic'), /large/);
      endpoint.answer(
        { reasoning: 'Signed thoughts.', calls: [call('weather', { city: 'Oslo' })] },
        { text: 'It is clear.' },
      );
      await session.send(page, 'How is Oslo?');
      await expect(page.getByText('It is clear.')).toBeVisible();
      await session.idle(page);
      for (const kind of to) {
        await session.chooseModel(page, nameOf(kind), /small/);
        endpoint.answer({ text: `Heard by ${kind}.` });
        await session.send(page, `And now, ${kind}?`);
        await expect(page.getByText(`Heard by ${kind}.`)).toBeVisible();
        await session.idle(page);
        expect(session.asked(endpoint).at(-1)?.text).toContain('clear');
      }
    },
  );
