/** Python starts from a snapshot: made when the page is idle, and equivalent to a start from the files. */

import type { Page } from '@playwright/test';
import { callInPage, openFolder, scanned } from './support/app.ts';
import { forwardClock, holdClock } from './support/page-clock.ts';
import {
  damageSnapshot,
  findInSnapshot,
  snapshotBytes,
  snapshotMade,
} from './support/snapshots.ts';
import { expect, test } from './support/test.ts';

const marker = 'a-marker-that-stands-nowhere-else';

const state = `
import asyncio, datetime, logging, random, ssl, sys, time, zoneinfo

MARKER = "${marker}"

def drawn() -> dict:
    """Draws random numbers."""
    return {"random": random.random(), "ssl": ssl.RAND_bytes(8).hex()}

def waits() -> str:
    """Waits without async, which needs stack switching."""
    async def later():
        await asyncio.sleep(0.01)
        return "waited"
    return asyncio.run(later())

def raises() -> str:
    """Raises."""
    raise ValueError("as it should")

def environment() -> dict:
    """Returns what a tool sees of the interpreter."""
    return {
        "path": sys.path,
        "zone": str(datetime.datetime(2026, 7, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Paris"))),
        "hash": hash("text") == hash("te" + "xt"),
        "recursion": sys.getrecursionlimit(),
        "tzname": time.tzname[0],
        "clock_is_new": logging.makeLogRecord({}).relativeCreated < 600_000,
        "streams": [sys.stdout.encoding, sys.stderr.encoding],
        "cwd": __import__("os").getcwd(),
    }

def imports() -> list:
    """Imports modules that the loader has not imported."""
    import calendar, csv, decimal, difflib, email.message, fractions, html.parser, sqlite3, statistics, unittest, uuid
    return [str(decimal.Decimal("0.1") + fractions.Fraction(1, 2).numerator), calendar.month_name[2]]

EMPTY = {"type": "object", "properties": {}}
TOOL_SPECS = [
    {"name": f"snapshot_state:{f.__name__}", "description": f.__doc__, "parameters": EMPTY, "handler": f}
    for f in (drawn, waits, raises, environment, imports)
]
`;

interface Answers {
  drawn: { random: number; ssl: string };
  waits: string;
  raises: string;
  environment: Record<string, unknown>;
  imports: string;
}

/** Calls every tool of snapshot_state.py. */
async function answers(page: Page): Promise<Answers> {
  const text = async (name: string): Promise<string> => {
    const { result } = await callInPage(page, `snapshot_state:${name}`);
    return result.traceback ?? result.textResultForLlm;
  };
  return {
    drawn: JSON.parse(await text('drawn')) as Answers['drawn'],
    waits: await text('waits'),
    raises: await text('raises'),
    environment: JSON.parse(await text('environment')) as Record<string, unknown>,
    imports: await text('imports'),
  };
}

/**
 * Visits the page.
 * @param path of the folder to open; if undefined, the page reopens the last one by itself
 * @returns whether Python started from a snapshot
 */
async function visit(page: Page, path?: string): Promise<boolean> {
  await page.addInitScript(() => {
    const steps: string[] = [];
    Object.assign(globalThis, { steps });
    const timer = setInterval(() => {
      if (!('cloche' in globalThis)) return;
      clearInterval(timer);
      const note = (): void => void steps.push(globalThis.cloche.status.get().pythonStep);
      note();
      globalThis.cloche.status.observe(note);
    }, 1);
  });
  await page.goto('./');
  if (path === undefined) await scanned(page);
  else await openFolder(page, path);
  const steps = await page.evaluate(() => (globalThis as unknown as { steps: string[] }).steps);
  // A start from a snapshot has all steps but this one.
  return !steps.includes('Loading the tool loader');
}

test('the second visit starts from a snapshot', { tag: '@cold' }, async ({ page, folder }) => {
  const { path } = await folder({ 'snapshot_state.py': state });
  expect(await visit(page, path)).toBe(false);
  const plain = await answers(page);
  expect(await snapshotMade(page)).toBeLessThan(30_000_000);
  expect(await findInSnapshot(page, [marker, 'snapshot_state.py', 'cloche.interpreter'])).toEqual([
    'cloche.interpreter',
  ]);
  // The interpreter from which the snapshot was made has ended; the folder's interpreter and the spare one remain.
  await expect.poll(() => page.locator('iframe').count()).toBeLessThanOrEqual(2);

  expect(await visit(page)).toBe(true);
  const restored = await answers(page);
  expect(await visit(page)).toBe(true);
  const again = await answers(page);
  expect({ ...restored, drawn: null }).toEqual({ ...plain, drawn: null });
  expect(restored.waits).toContain('waited');
  expect(restored.raises).toMatch(/snapshot_state\.py", line 19[\s\S]*ValueError: as it should/);
  expect(restored.environment).toMatchObject({ hash: true, clock_is_new: true });
  expect(new Set([plain, restored, again].map(({ drawn }) => drawn.random)).size).toBe(3);
  expect(new Set([plain, restored, again].map(({ drawn }) => drawn.ssl)).size).toBe(3);

  // A damaged snapshot is not used, and is deleted.
  await damageSnapshot(page);
  expect(await visit(page)).toBe(false);
  expect((await answers(page)).waits).toContain('waited');
  expect(await snapshotBytes(page)).toBe(0);
});

/** Puts the page's clock forward until it has been idle for so long that it tries to make a snapshot, and has tried. */
async function idleLong(page: Page): Promise<void> {
  await page.evaluate(() => {
    const tries = { begun: 0, over: 0 };
    Object.assign(globalThis, { tries });
    const request = navigator.locks.request.bind(navigator.locks) as (
      name: string,
      ...rest: unknown[]
    ) => Promise<unknown>;
    // The page holds this lock while it makes a snapshot.
    navigator.locks.request = async (name: string, ...rest: unknown[]) => {
      if (name !== 'cloche:/:snapshot') return request(name, ...rest);
      tries.begun += 1;
      try {
        return await request(name, ...rest);
      } finally {
        tries.over += 1;
      }
    };
  });
  const tried = (what: 'begun' | 'over'): Promise<number> =>
    page.evaluate((name) => {
      const { tries } = globalThis as unknown as { tries: Record<'begun' | 'over', number> };
      return tries[name];
    }, what);
  await holdClock(page);
  // Ends a wait that began before the clock was held.
  await callInPage(page, 'snapshot_state:waits');
  const begun = async (): Promise<number> => {
    if ((await tried('begun')) === 0) await forwardClock(page, 5_000);
    return tried('begun');
  };
  await expect.poll(begun).toBeGreaterThan(0);
  await expect.poll(() => tried('over')).toBeGreaterThan(0);
}

test(
  'without storage Python starts and no snapshot is made; the settings remove one that was made',
  { tag: ['@full', '@cold'] },
  async ({ page, context, folder }) => {
    const { path } = await folder({ 'snapshot_state.py': state });
    await page.addInitScript(() => {
      const refuse = (): Promise<never> =>
        Promise.reject(new DOMException('Storage is blocked.', 'SecurityError'));
      navigator.storage.getDirectory = refuse;
      IDBFactory.prototype.open = () => {
        throw new DOMException('Storage is blocked.', 'SecurityError');
      };
    });
    expect(await visit(page, path)).toBe(false);
    expect((await answers(page)).waits).toContain('waited');
    await idleLong(page);
    expect((await answers(page)).waits).toContain('waited');
    // The first page cannot read its storage. Another page checks for a snapshot, and then makes one itself.
    await page.close();
    const other = await context.newPage();
    await other.goto('./license.txt');
    expect(await snapshotBytes(other)).toBe(0);
    await visit(other, path);
    await idleLong(other);
    expect(await snapshotMade(other)).toBeGreaterThan(5_000_000);
    // The settings show it, and remove it.
    await other.evaluate(() => (location.hash = '#/settings/storage'));
    const row = other.getByRole('group', { name: 'Python snapshot' });
    await expect(row).toContainText(/\d MB/);
    await row.getByRole('button', { name: 'Remove snapshot' }).click();
    await expect(row).toContainText('None');
    expect(await snapshotBytes(other)).toBe(0);
  },
);
