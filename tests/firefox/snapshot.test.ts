/** Python starts from a snapshot in the real Firefox. */

import type { Page } from 'puppeteer-core';
import { expect, test, vi } from 'vitest';
import { storedSnapshotBytes } from '../../bench/stored-snapshot.mjs';
import { dropFiles, invoke, useFirefox } from './firefox.ts';

const source = `
import asyncio, random

def drawn() -> float:
    """Draws a random number."""
    return random.random()

def waits() -> str:
    """Waits without async, by stack switching where the browser has it."""
    async def later():
        await asyncio.sleep(0.01)
        return "waited"
    return asyncio.run(later())

EMPTY = {"type": "object", "properties": {}}
TOOL_SPECS = [
    {"name": f"state:{f.__name__}", "description": f.__doc__, "parameters": EMPTY, "handler": f} for f in (drawn, waits)
]
`;

const firefox = useFirefox();

/** In the browser's private file system. */
function snapshotBytes(page: Page): Promise<number> {
  return page.evaluate(storedSnapshotBytes);
}

test('the next visit starts from it, and gives the same results', async () => {
  const { page } = firefox();
  await dropFiles(page, { 'state.py': source });
  const drawn = new Set([(await invoke(page, 'state:drawn')).textResultForLlm]);
  const patience = { timeout: 120_000, interval: 500 };
  await vi.waitFor(async () => {
    expect(await snapshotBytes(page)).toBeGreaterThan(5_000_000);
  }, patience);
  for (let visit = 2; visit <= 3; visit += 1) {
    await page.reload();
    await dropFiles(page, { 'state.py': source });
    drawn.add((await invoke(page, 'state:drawn')).textResultForLlm);
    expect((await invoke(page, 'state:waits')).textResultForLlm).toBe('waited');
    expect(drawn.size).toBe(visit);
  }
  // A start from it that had failed would have dropped it.
  expect(await snapshotBytes(page)).toBeGreaterThan(5_000_000);
});
