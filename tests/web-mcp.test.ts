/** The browser's own agent gets the tools of a folder, in a Chromium that has WebMCP. */

import { violations } from './support/axe.ts';
import { button, openZip, python, ready } from './support/opening.ts';
import { press } from './support/press-until.ts';
import { expect, test } from './support/test.ts';

const source = `def add(a: int, b: int = 1) -> int:
    return a + b

def remove(path: str) -> str:
    return path

TOOL_SPECS = [
    {
        "name": "sums:add",
        "description": "Adds two numbers.",
        "parameters": {"type": "object", "properties": {"a": {"type": "integer"}}},
        "handler": add,
    },
    {
        "name": "sums:remove",
        "description": "Removes a file.",
        "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
        "requires_approval": True,
        "handler": remove,
    },
]
`;

test('tools are offered for a folder, called, approved and withdrawn', async ({
  page: plain,
  playwright,
}, { project }) => {
  await test.step('a browser without the API says so', async () => {
    await plain.goto('./#/api');
    await plain.getByText('WebMCP', { exact: true }).click();
    await expect(plain.getByText('This browser has no WebMCP')).toBeVisible();
  });
  const { baseURL = '', launchOptions } = project.use;
  const args = [...(launchOptions?.args ?? []), '--enable-features=WebMCP'];
  const browser = await playwright.chromium.launch({ ...launchOptions, args });
  const page = await browser.newPage({ baseURL });
  /** What the agent sees. */
  const listed = () =>
    page.evaluate(async () => {
      const { modelContext } = globalThis.document as unknown as { modelContext: AgentSide };
      const tools = await modelContext.getTools();
      return tools.map(
        ({ name, annotations }) => `${name} ${String(annotations?.untrustedContentHint)}`,
      );
    });
  const called = (name: string, input: object) =>
    page.evaluate(
      async ([tool, given]) => {
        const { modelContext } = globalThis.document as unknown as { modelContext: AgentSide };
        const found = (await modelContext.getTools()).find((each) => each.name === tool);
        if (found === undefined) return 'no such tool';
        return modelContext.executeTool(found, given).catch((thrown: unknown) => {
          // Chromium 150 takes the arguments as JSON.
          if (String(thrown).includes('parse input'))
            return modelContext.executeTool(found, JSON.stringify(given));
          throw thrown;
        });
      },
      [name, input] as const,
    );

  await page.goto('./');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await openZip(page, 'sums.zip', [{ name: 'sums/sums.py', content: source }]);
  await ready(page, 'sums');
  expect(await listed()).toEqual([]);
  await page.goto('./#/api');
  await page.getByText('WebMCP', { exact: true }).click();
  await test.step('they are offered', async () => {
    await press(button(page, 'Offer 2 tools'));
    await expect(page.getByText('2 tools of this folder are registered.')).toBeVisible();
    expect(await listed()).toEqual(['add true', 'remove true']);
    expect(await violations(page)).toEqual([]);
  });
  await test.step('they are called on the path of all calls', async () => {
    expect(await called('add', { a: 'x' })).toContain('must be an integer');
    const asked = called('remove', { path: 'a' });
    await expect(page.getByRole('dialog')).toContainText(
      'The agent of this browser asks to run',
      python,
    );
    await press(button(page, 'Deny'));
    expect(await asked).toContain('isError');
  });
  await test.step('they are withdrawn', async () => {
    await page.getByRole('checkbox', { name: 'sums:add' }).uncheck();
    await expect.poll(listed).toEqual(['remove true']);
    await button(page, 'Offer none').click();
    expect(await listed()).toEqual([]);
  });
  await browser.close();
});

/** What an agent uses of `document.modelContext`. */
interface AgentSide {
  getTools(): Promise<readonly ListedTool[]>;
  executeTool(tool: ListedTool, input: object | string): Promise<string>;
}

interface ListedTool {
  readonly name: string;
  readonly annotations?: { readonly untrustedContentHint: boolean };
}
