/** Python starts before its whole standard library has arrived, and tools once only sources are missing. */

import type { Page } from '@playwright/test';
import { drop } from '../bench/drop.mjs';
import { callInPage, scanned } from './support/app.ts';
import { expect, test } from './support/test.ts';

const late = `
import colorsys, datetime, inspect, json, zoneinfo

def value() -> float:
    """Uses a module that is not among those that every start imports."""
    return colorsys.rgb_to_hsv(0, 0, 1)[2]

def zone() -> str:
    """Needs a time zone."""
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
    for f in (value, zone, source)
]
`;

test(
  'Python starts while the larger part of its standard library is arriving',
  { tag: '@cold' },
  async ({ page, folder }) => {
    const { path } = await folder({ 'late.py': late });
    const arrive = await held(page, /\/python-rest-/);
    const arriveSources = await held(page, /\/python-sources-/);
    await page.goto('./');
    await drop(page, path);
    // The step that follows Python's own start.
    await expect(page.getByText('Loading the tool loader').first()).toBeVisible({
      timeout: 60_000,
    });
    arrive();
    await scanned(page);
    const result = async (name: string): Promise<string> =>
      (await callInPage(page, `late:${name}`)).result.textResultForLlm;
    expect(await Promise.all(['value', 'zone', 'source'].map(result))).toEqual([
      '1',
      '2026-07-01 00:00:00+02:00',
      'not there yet',
    ]);
    arriveSources();
    await expect.poll(() => result('source')).toBe('def dumps');
  },
);

/** Holds back requests for an address. @returns a function that lets them pass */
async function held(page: Page, address: RegExp): Promise<() => void> {
  let pass: () => void = () => undefined;
  const passed = new Promise<void>((resolve) => (pass = resolve));
  await page.context().route(address, async (route) => {
    await passed;
    await route.continue();
  });
  return pass;
}
