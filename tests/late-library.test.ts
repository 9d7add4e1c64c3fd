/** Python starts before its whole standard library has arrived, and runs tools only then. */

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
    return inspect.getsource(json.dumps)[:9]

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
    let arrive: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    await page.context().route(/\/python-rest-/, async (route) => {
      await arrived;
      await route.continue();
    });
    await page.goto('./');
    await drop(page, path);
    // The step that follows Python's own start.
    await expect(page.getByText('Loading the tool loader').first()).toBeVisible({
      timeout: 60_000,
    });
    arrive();
    await scanned(page);
    const results = ['value', 'zone', 'source'].map(
      async (name) => (await callInPage(page, `late:${name}`)).result.textResultForLlm,
    );
    expect(await Promise.all(results)).toEqual(['1', '2026-07-01 00:00:00+02:00', 'def dumps']);
  },
);
