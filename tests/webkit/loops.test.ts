/** Loops that plain functions run, which WebKit cannot suspend: all gives what ordinary Python gives, but the network. */

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import {
  asked,
  cannotWait,
  dropFiles,
  hasStackSwitching,
  invoke,
  useFirefox,
} from '../firefox/firefox.ts';

interface Recorded {
  readonly tool: string;
  readonly arguments: string;
  readonly text?: string;
  readonly error?: string;
  readonly message?: string;
}

const webkit = useFirefox();
const corpus = new URL('../corpus/', import.meta.url);
const recorded = (
  JSON.parse(await readFile(new URL('recorded.json', corpus), 'utf8')) as Recorded[]
)
  .filter(({ tool }) => tool.startsWith('loops:'))
  // The others need the folder's data.
  .filter(({ tool }) => !/:(go|where|go_back)$/.test(tool));

const held = `
import asyncio
from pyodide.http import pyfetch

cleaned = []

async def clean_up(work):
    try:
        return await work
    finally:
        await asyncio.sleep(0)
        cleaned.append("yes")

def host() -> str:
    """Waits for a host in a loop of its own."""
    return asyncio.run(clean_up(pyfetch("http://api1.glass.example/")))

def approval(context) -> bool:
    """Waits for the user in a loop of its own, at most a minute."""
    async def asks():
        return await context.approve("Really?")
    return asyncio.run(asyncio.wait_for(clean_up(asks()), 60))

def cleaned_up() -> list:
    """What was cleaned up."""
    return cleaned

TOOL_SPECS = [{"name": f"held:{f.__name__}", "description": f.__doc__, "handler": f, "parameters": {"type": "object", "properties": {}}}
              for f in (host, approval, cleaned_up)]
`;

test('asyncio.run and other loops of plain functions give what ordinary Python gives', async () => {
  const { page } = webkit();
  // With it, the loops wait for the browser, and this test shows nothing.
  expect(await hasStackSwitching(page)).toBe(false);
  await dropFiles(page, { 'loops.py': await readFile(new URL('tools/loops.py', corpus), 'utf8') });
  expect(recorded.length).toBeGreaterThan(20);
  for (const { tool, arguments: args, text, error, message } of recorded) {
    const result = await invoke(page, tool, JSON.parse(args) as Record<string, unknown>);
    const said = [tool, args, result.error];
    if (error === undefined)
      expect([...said, result.textResultForLlm]).toEqual([...said.slice(0, 2), undefined, text]);
    else {
      const expected = message === '' ? error : `${error}: ${message ?? ''}`;
      expect([...said.slice(0, 2), result.error?.slice(0, expected.length)]).toEqual([
        tool,
        args,
        expected,
      ]);
    }
  }
});

test('nothing is asked where the answer could not be awaited, and the error says what to do', async () => {
  const { page } = webkit();
  await dropFiles(page, { 'held.py': held });
  for (const tool of ['held:host', 'held:approval'])
    expect([tool, (await invoke(page, tool)).error]).toEqual([
      tool,
      expect.stringContaining(`${cannotWait}: make the handler \`async def\``),
    ]);
  expect(await asked(page)).toBe('');
  expect((await invoke(page, 'held:cleaned_up')).textResultForLlm).toBe('["yes", "yes"]');
});
