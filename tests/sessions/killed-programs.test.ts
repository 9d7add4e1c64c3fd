/**
 * Programs whose page, interpreter, tools or model are killed at random moments: no call reaches the web twice, each call
 * ends once, and the session is the same when it is opened again.
 */

import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from '@playwright/test';
import fc from 'fast-check';
import { openFolder, scanned } from '../support/app.ts';
import { startModelEndpoint, type ModelEndpoint } from '../support/model-endpoint.ts';
import { press } from '../support/press-until.ts';
import { program } from '../support/programs.ts';
import { isFull } from '../support/is-full.ts';
import { answer } from '../support/questions.ts';
import * as session from '../support/session-page.ts';
import { expect, test } from '../support/test.ts';
import { startWeb, type Web } from '../support/web.ts';

const source = (origin: string): string => `
import asyncio, os, urllib.request

async def note(name: str) -> str:
    """Notes a name on the web."""
    await asyncio.sleep(0.03)
    with urllib.request.urlopen("${origin}/note?" + name) as response:
        response.read()
    await asyncio.sleep(0.03)
    return name

def end() -> None:
    """Ends the interpreter of the tools."""
    os._exit(1)

def other() -> int:
    """Does nothing."""
    return 1

def spec(handler, **properties):
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return {"name": f"work:{handler.__name__}", "description": handler.__doc__, "parameters": schema, "handler": handler}

TOOL_SPECS = [spec(note, name={"type": "string"}), spec(end), spec(other)]
`;

/**
 * `reload` and `crash` end the page, `interpreter` the Python of the program, `tools` that of its calls. `stream` cuts the
 * answer that has the program, `model` the connection for the next answer. `stop`: the user stops the turn.
 */
const kills = ['reload', 'interpreter', 'model', 'tools', 'stop', 'crash', 'stream'] as const;

interface Round {
  readonly kill: (typeof kills)[number];
  /** Milliseconds after the first call. */
  readonly after: number;
  readonly calls: number;
  readonly atOnce: boolean;
}

/** Each kind of kill about equally often, in random order. */
function roundsOf(count: number, seed: number): readonly Round[] {
  const all = Array.from({ length: count }, (_, n) => kills[n % kills.length] ?? 'reload');
  const [order = all] = fc.sample(fc.shuffledSubarray(all, { minLength: count }), {
    numRuns: 1,
    seed,
  });
  const rest = { after: fc.nat(250), calls: fc.integer({ min: 2, max: 6 }), atOnce: fc.boolean() };
  return fc
    .sample(fc.record(rest), { numRuns: count, seed })
    .map((one, n) => ({ ...one, kill: order[n] ?? 'reload' }));
}

function codeOf(n: number, { kill, after, calls, atOnce }: Round): string {
  const names = Array.from({ length: calls }, (_, k) => `"${n}.${k}"`).join(', ');
  const every = atOnce
    ? 'await asyncio.gather(*[note(name) for name in names])'
    : '[await note(name) for name in names]';
  const ends = {
    interpreter: `\nimport os\nasyncio.get_running_loop().call_later(0.05 + ${after / 1_000}, os._exit, 3)`,
    tools: '\nending = asyncio.ensure_future(work.end())',
  };
  return `
async def note(name):
    try:
        return await work.note(name)
    except ToolError as error:
        return error.error
names = [${names}]${kill === 'interpreter' || kill === 'tools' ? ends[kill] : ''}
done = ${every}
await asyncio.sleep(0.1)
len(done)`;
}

let endpoint: ModelEndpoint;
let web: Web;

test.beforeAll(async () => {
  [endpoint, web] = await Promise.all([startModelEndpoint(), startWeb()]);
  endpoint.habits.models = [{ id: 'small', context: 1_000_000 }];
});
test.afterAll(() => Promise.all([endpoint.close(), web.close()]));

/** Ends the process of a page. @returns another page of the same browser, with the session */
async function crashed(page: Page, context: BrowserContext): Promise<Page> {
  const address = page.url();
  const crash = page.waitForEvent('crash');
  const client = await context.newCDPSession(page);
  // The browser never answers this message.
  void client.send('Page.crash').catch(() => undefined);
  await crash;
  await page.close();
  const next = await context.newPage();
  await next.goto(address);
  return next;
}

interface LoggedEvent {
  readonly type: string;
  readonly callId?: string;
}

/** The events of the session in its exported file, without those of the visits. */
async function exported(page: Page): Promise<readonly LoggedEvent[]> {
  await page.getByRole('button', { name: 'Session actions' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export session', exact: true }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  const { events } = JSON.parse(text) as { events: readonly LoggedEvent[] };
  return events.filter(({ type }) => type !== 'python-anew');
}

/** The cards of calls in view. */
async function cardsOf(page: Page): Promise<readonly string[]> {
  const texts = await session.cards(page).allInnerTexts();
  return texts.map((text) => text.replace(/\s+/g, ' '));
}

// A hundred take several minutes, so only where all tests of @full run.
for (const count of [7, ...(isFull ? [100] : [])])
  test(
    `${count} programs of which each is killed`,
    { tag: '@full' },
    async ({ page: first, context, folder, trouble }) => {
      test.setTimeout(60_000 + count * 15_000);
      session.expectModelRequests(trouble);
      trouble.expect(/foreign request: \S+ http:\/\/work\.glass\.example/);
      trouble.expect(/fatal error|Aborted\(\)|unreachable|terminated with exit|PythonError/);
      const seed = Number(process.env.PROGRAM_SEED ?? Math.floor(Math.random() * 2 ** 31));
      console.info(`PROGRAM_SEED=${seed}`);
      let page = first;
      const { path } = await folder({ 'work.py': source(web.origin('work')) });
      await page.goto('./');
      await openFolder(page, path);
      await session.addProvider(page, {
        kind: 'openai-compatible',
        name: session.mine,
        url: `${endpoint.url}/v1`,
        key: '',
      });
      await session.newSession(page, session.mine, /small/);
      endpoint.reset();
      web.log.length = 0;
      endpoint.answer({ calls: [program('await work.note("first")')] }, { text: 'It began.' });
      await session.send(page, 'Begin.');
      await answer(page, /always/i);
      await expect(page.getByText('It began.')).toBeVisible();
      await session.idle(page);
      let midway = 0;
      for (const [n, round] of roundsOf(count, seed).entries()) {
        const { kill, after, calls } = round;
        const has = (): number => web.log.filter(({ url }) => url.includes(`?${n}.`)).length;
        endpoint.reset();
        endpoint.habits.otherwise = () => ({ text: `Round ${n} is over.` });
        const asks = { text: 'I run it.', calls: [program(codeOf(n, round))] };
        const cut = { after: 1 + (after % 12), kind: 'cut' } as const;
        if (kill === 'stream') endpoint.answer({ ...asks, trouble: cut }, asks);
        else if (kill === 'model') endpoint.answer(asks, 'hang-up');
        else endpoint.answer(asks);
        await session.send(page, `Round ${n}.`);
        const goOn = page.getByRole('button', { name: 'Continue', exact: true });
        const first = async (): Promise<number> => {
          if (kill === 'stream' && (await goOn.isVisible())) await press(goOn);
          // A program whose interpreter ends early may have made no call.
          return has() + (await page.getByText(`Round ${n} is over.`).count());
        };
        const what = `round ${n}, ${JSON.stringify(round)}`;
        await expect
          .poll(first, { timeout: 60_000, intervals: [10], message: what })
          .toBeGreaterThan(0);
        await page.waitForTimeout(after);
        if (has() < calls) midway += 1;
        if (kill === 'reload') await page.reload();
        if (kill === 'crash') page = await crashed(page, context);
        if (kill === 'crash') await openFolder(page, path);
        else if (kill === 'reload') await scanned(page);
        const stop = page.getByRole('button', { name: 'Stop', exact: true });
        if (kill === 'stop') await stop.click({ timeout: 1_000 }).catch(() => undefined);
        const end = page.getByText(`Round ${n} is over.`);
        const open = page.getByRole('button', { name: 'Continue', exact: true });
        await expect(end.or(open).first(), what).toBeVisible({ timeout: 60_000 });
        if (await open.isVisible()) await press(open);
        await expect(end, what).toBeVisible({ timeout: 60_000 });
        await session.idle(page);
      }
      await test.step('nothing ran twice', () => {
        const noted = web.log.map(({ url }) => url);
        expect(noted).toEqual([...new Set(noted)]);
        // Control: many programs were killed between their first and their last call.
        expect(midway).toBeGreaterThan(count / 4);
      });
      const events = await exported(page);
      await test.step('each call ended once', () => {
        const idsOf = (kind: string) =>
          events.flatMap(({ type, callId = '' }) => (type === kind ? [callId] : [])).sort();
        expect(idsOf('nested-began').length).toBeGreaterThan(count);
        expect(idsOf('nested-ended')).toEqual(idsOf('nested-began'));
        const ended = idsOf('call-ended');
        expect(ended).toEqual([...new Set(ended)]);
        for (const id of idsOf('call-began')) expect(ended).toContain(id);
      });
      await test.step('the session is the same when it is opened again', async () => {
        const shown = await cardsOf(page);
        expect(shown.at(-1)).toContain(`${count - 1}.0`);
        await page.reload();
        await scanned(page);
        // How many cards above the last one are in view depends on what was measured before.
        await expect.poll(async () => (await cardsOf(page)).at(-1)).toEqual(shown.at(-1));
        expect(await exported(page)).toEqual(events);
      });
    },
  );
