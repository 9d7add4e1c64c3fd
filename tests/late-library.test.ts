/** Python runs tools before its whole standard library has arrived. What needs more waits for it. */

import type { Page } from '@playwright/test';
import { drop } from '../bench/drop.mjs';
import { callInPage, scanned } from './support/app.ts';
import { expect, test } from './support/test.ts';

const late = `
import datetime, inspect, json

def greeting() -> str:
    """Needs nothing that is missing."""
    return json.dumps("hello")

def value() -> float:
    """Imports a module that is not among those that every start imports."""
    import colorsys
    return colorsys.rgb_to_hsv(0, 0, 1)[2]

async def zone() -> str:
    """Needs a time zone."""
    import zoneinfo
    return str(datetime.datetime(2026, 7, 1, tzinfo=zoneinfo.ZoneInfo("Europe/Paris")))

def source() -> str:
    """Shows the source of a module that comes from byte code."""
    try:
        return inspect.getsource(json.dumps)[:9]
    except OSError:
        return "not there yet"

EMPTY = {"type": "object", "properties": {}}
TOOL_SPECS = [
    {"name": f"late:{f.__name__}", "description": f.__doc__, "parameters": EMPTY, "handler": f}
    for f in (greeting, value, zone, source)
]
`;

test(
  'the first result waits for no file that it does not need, and imports wait for theirs',
  { tag: '@cold' },
  async ({ page, folder }) => {
    const { path } = await folder({ 'late.py': late });
    const rest = await held(page, /\/python-rest-/);
    const sources = await held(page, /\/python-sources-/);
    await page.goto('./');
    await drop(page, path);
    await scanned(page);
    const result = async (name: string): Promise<string> =>
      (await callInPage(page, `late:${name}`)).result.textResultForLlm;
    expect(await Promise.all(['greeting', 'source'].map(result))).toEqual([
      '"hello"',
      'not there yet',
    ]);
    const waiting = result('value');
    await expect.poll(rest.asked).toBe(1);
    rest.pass();
    expect(await waiting).toBe('1');
    expect(await result('zone')).toBe('2026-07-01 00:00:00+02:00');
    expect(await result('source')).toBe('not there yet');
    sources.pass();
    await expect.poll(() => result('source')).toBe('def dumps');
  },
);

/** Holds back requests for an address. */
async function held(
  page: Page,
  address: RegExp,
): Promise<{ pass: () => void; asked: () => number }> {
  let asked = 0;
  let pass: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => (pass = resolve));
  await page.context().route(address, async (route) => {
    asked += 1;
    await passed;
    await route.continue();
  });
  return { pass, asked: () => asked };
}
