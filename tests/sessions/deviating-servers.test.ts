/** Streams of servers that deviate from their API, as they were reported, in sessions of the app. */

import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/shared-page.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import * as session from '../support/session-page.ts';

const tools = `
def echo(text: str) -> str:
    """Repeats a text."""
    return f"echoed: {text!r}"

def now() -> str:
    """Says the time."""
    return "it is noon"

TOOL_SPECS = [
    {
        "name": "sess:echo",
        "description": "Repeats a text.",
        "parameters": {
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "required": ["text"],
        },
        "handler": echo,
    },
    {
        "name": "sess:now",
        "description": "Says the time.",
        "parameters": {"type": "object", "properties": {}},
        "handler": now,
    },
]
`;

let endpoint: ModelEndpoint;

test.beforeAll(async ({ shared }) => {
  endpoint = await startModelEndpoint();
  endpoint.habits.key = session.testKey;
  await shared.open({ 'sess.py': tools });
  session.expectModelRequests(shared.trouble);
  for (const kind of ['openai-compatible', 'anthropic'])
    await session.addProvider(shared.page, { kind, name: kind, url: `${endpoint.url}/v1` });
});
test.afterAll(() => endpoint.close());

/** Sends a message in a new session, which a stored stream answers. */
async function answered(page: Page, stream: string): Promise<void> {
  const kind = stream.startsWith('10') ? 'anthropic' : 'openai-compatible';
  await session.newSession(page, kind, /large/);
  endpoint.reset();
  const body = await readFile(new URL(`../faults/${stream}.sse`, import.meta.url), 'utf8');
  const headers = { 'content-type': 'text/event-stream' };
  endpoint.answer({ status: 200, headers, body }, { text: 'That is the end.' });
  await session.send(page, 'Go');
}

const texts = {
  '03a-empty-data-line': 'ok then',
  '03c-empty-object': 'ok then',
  '04-only-closing-think-tag': 'The answer is 391.',
  '10a-anthropic-usage-without-counts': 'Zero.',
  '10b-anthropic-delta-without-usage': 'No delta usage.',
  '10c-anthropic-text-in-block-start': 'All at start.',
  '17-refusal': 'I cannot',
};

/** The result of each call, and the note on its card about the arguments. */
const calls: Readonly<Record<string, readonly [result: string, said: string]>> = {
  '01a-same-call-at-two-indexes': ["echoed: 'hi'", ''],
  '02a-summary-chunk-double-encoded': ["echoed: 'hi'", ''],
  '02b-arguments-repeated': ["echoed: 'hi'", 'wrote the arguments more than once'],
  '09a-vertex-thought-signature': ["echoed: 'one'", ''],
  '09b-signature-in-a-delta-of-its-own': ["echoed: 'one'", ''],
  '10d-anthropic-eager-input-and-delta': ["echoed: 'hi'", ''],
  '11a-double-encoded-arguments': ["echoed: 'hi'", 'as a JSON string'],
  '11b-literal-newline-in-arguments': ["echoed: 'line 1\\nline\\t2'", 'control characters'],
  '11c-empty-object-first': ["echoed: 'hi'", 'an empty object beside the arguments'],
  '11d-null-arguments-text': ['it is noon', 'no object as the arguments'],
  '18-own-name-of-the-tool': ["echoed: 'hi'", ''],
};

test('texts are shown, and nothing is asked twice', async ({ page, trouble }) => {
  session.expectModelRequests(trouble);
  for (const [stream, text] of Object.entries(texts)) {
    await answered(page, stream);
    await expect(page.getByText(text, { exact: true }), stream).toBeVisible();
    await session.idle(page);
    expect(session.asked(endpoint), stream).toHaveLength(1);
  }
});

/** One stream of each kind, which every commit tests. The unit test of the stored streams reads all of them. */
const often = [
  '01a-same-call-at-two-indexes',
  '02b-arguments-repeated',
  '10d-anthropic-eager-input-and-delta',
  '11d-null-arguments-text',
];

for (const { which, streams, tag } of [
  { which: 'four streams', streams: often, tag: [] },
  { which: 'every stream', streams: Object.keys(calls), tag: '@full' },
])
  test(
    `calls of ${which} run once, and their cards say how the arguments were read`,
    { tag },
    async ({ page, trouble }) => {
      session.expectModelRequests(trouble);
      for (const stream of streams) {
        const [result, said] = calls[stream]!;
        await answered(page, stream);
        await expect(page.getByText('That is the end.'), stream).toBeVisible();
        await session.idle(page);
        await expect(session.cards(page), stream).toHaveCount(1);
        await expect(session.cards(page), stream).toContainText(result);
        const note = session.cards(page).getByText(/^The model wrote /);
        if (said === '') await expect(note, stream).toHaveCount(0);
        else await expect(note, stream).toContainText(said);
        expect(session.asked(endpoint), stream).toHaveLength(2);
      }
    },
  );

test('reasoning without an opening tag is folded, and not sent back', async ({ page, trouble }) => {
  session.expectModelRequests(trouble);
  await answered(page, '04-only-closing-think-tag');
  await expect(page.getByText('The answer is 391.', { exact: true })).toBeVisible();
  await session.idle(page);
  await expect(page.getByText('Then more reasoning.')).toBeHidden();
  await page.getByText('Reasoning', { exact: true }).click();
  await expect(page.getByText('Then more reasoning.')).toBeVisible();
  await expect(page.getByText('</think>')).toHaveCount(0);
  await session.send(page, 'And now?');
  await expect(page.getByText('That is the end.')).toBeVisible();
  const sent = session.asked(endpoint).at(-1)?.text ?? '';
  expect(sent).toContain('The answer is 391.');
  expect(sent).not.toMatch(/more reasoning|<\/think>/);
});

test('signatures come back with their calls', async ({ page, trouble }) => {
  session.expectModelRequests(trouble);
  for (const [stream, service, signature] of [
    ['09a-vertex-thought-signature', 'vertex', 'VSIG'],
    ['09b-signature-in-a-delta-of-its-own', 'google', 'SIG7'],
  ] as const) {
    await answered(page, stream);
    await expect(page.getByText('That is the end.')).toBeVisible();
    const text = JSON.stringify({ [service]: { thought_signature: signature } });
    expect(session.asked(endpoint).at(-1)?.text).toContain(`"extra_content":${text}`);
  }
});

test('the trace counts skipped frames', async ({ page, trouble }) => {
  session.expectModelRequests(trouble);
  await answered(page, '03c-empty-object');
  await expect(page.getByText('ok then', { exact: true })).toBeVisible();
  await session.idle(page);
  await page.getByRole('group', { name: 'View' }).getByRole('button', { name: 'Trace' }).click();
  const turn = page.getByRole('region', { name: 'Turn 1' });
  await turn.getByRole('button', { name: /^large/ }).click();
  // The second skipped frame is the comment at the beginning of the file.
  await expect(turn.getByText('2 frames skipped: not part of an answer.')).toBeVisible();
});
