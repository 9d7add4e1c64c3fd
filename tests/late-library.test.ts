/** Tools run before the whole standard library has arrived; an import of what is missing waits for it. */

import type { Page } from '@playwright/test';
import { drop } from '../bench/drop.mjs';
import { callInPage, scanned } from './support/app.ts';
import { expect, test } from './support/test.ts';

const early = `
import asyncio, inspect, json

async def value() -> float:
    """Imports what is missing after it has waited."""
    await asyncio.sleep(0)
    import colorsys
    return colorsys.rgb_to_hsv(0, 0, 1)[2]

def zone() -> str:
    """Needs a time zone."""
    import datetime, zoneinfo
    return str(datetime.datetime(2026, 7, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Paris")))

def source() -> str:
    """Shows the source of a module that comes from byte code."""
    return inspect.getsource(json.dumps)[:9]

def echo() -> str:
    """Imports nothing."""
    return "echo"

def decides(arguments) -> bool:
    import fractions
    return fractions.Fraction(1, 2) < 1

EMPTY = {"type": "object", "properties": {}}
TOOL_SPECS = [
    {"name": f"early:{f.__name__}", "description": f.__doc__, "parameters": EMPTY, "handler": f}
    for f in (value, zone, source, echo)
]
TOOL_SPECS[0] |= {"concurrency_safe": decides, "timeout_s": 1}
`;

const late = `
try:
    import decimal
except ImportError:
    decimal = None

def exact() -> str:
    """Uses what it imported at the top."""
    return str(decimal.Decimal("0.1") * 3)

TOOL_SPECS = [
    {"name": "late:exact", "description": "Exact.", "parameters": {"type": "object", "properties": {}}, "handler": exact}
]
`;

/** Holds back the rest of the standard library. @returns lets it through, or lets its download fail */
async function holdRest(page: Page): Promise<(end: 'continue' | 'abort') => void> {
  let decide: (end: 'continue' | 'abort') => void = () => undefined;
  const decided = new Promise<'continue' | 'abort'>((resolve) => (decide = resolve));
  await page.context().route(/\/python-rest-/, async (route) => route[await decided]());
  return decide;
}

test(
  'imports of what has not arrived wait in calls and decisions',
  { tag: '@cold' },
  async ({ page, folder }) => {
    const { path } = await folder({ 'early.py': early });
    const end = await holdRest(page);
    await page.goto('./');
    await drop(page, path);
    await scanned(page);
    const text = async (name: string): Promise<string> =>
      (await callInPage(page, `early:${name}`)).result.textResultForLlm;
    const answered: string[] = [];
    // While the first of them waits, it is decided whether the second may run beside it.
    const waiting = ['value', 'value', 'zone', 'source'].map(async (name) => {
      const answer = await text(name);
      answered.push(name);
      return answer;
    });
    // Longer than the time limit of the first, which does not run meanwhile.
    await page.waitForTimeout(1_500);
    expect(answered).toEqual([]);
    end('continue');
    expect(await Promise.all(waiting)).toEqual([
      '1',
      '1',
      '2026-07-01 00:00:00+02:00',
      'def dumps',
    ]);
    expect(await text('echo')).toBe('echo');
  },
);

test(
  'a file whose imports have not arrived is listed after a file that does not need them',
  { tag: '@cold' },
  async ({ page, folder }) => {
    const { path } = await folder({ 'early.py': early, 'late.py': late });
    const end = await holdRest(page);
    await page.goto('./');
    await drop(page, path);
    const isListed = (name: string): Promise<boolean> =>
      page.evaluate((tool) => globalThis.cloche.registry.get(tool) !== undefined, name);
    await expect.poll(() => isListed('early:echo'), { timeout: 120_000 }).toBe(true);
    expect(await isListed('late:exact')).toBe(false);
    end('continue');
    await scanned(page);
    const { result } = await callInPage(page, 'late:exact');
    expect(result.textResultForLlm).toBe('0.3');
  },
);

test(
  'a standard library that cannot be loaded ends what waits for it, and the next call tries again',
  { tag: '@cold' },
  async ({ page, folder, trouble }) => {
    trouble.expect(/Failed to load resource/);
    const { path } = await folder({ 'early.py': early });
    const end = await holdRest(page);
    await page.goto('./');
    await drop(page, path);
    await scanned(page);
    const waiting = callInPage(page, 'early:zone');
    end('abort');
    const { result } = await waiting;
    expect(result.resultType).toBe('failure');
    expect([result.error, result.textResultForLlm]).toEqual([
      'crashed',
      expect.stringContaining('python-rest'),
    ]);
    await page.context().unroute(/\/python-rest-/);
    expect((await callInPage(page, 'early:zone')).result.textResultForLlm).toContain('+02:00');
  },
);
