/** The page of the API: what it offers to MCP clients. */

import { expect, test } from './support/test.ts';

test('the card “MCP” has the address, and a configuration for each program', async ({
  page,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('./#/api');
  const address = `${new URL('./', baseURL).href}api/mcp`;
  await expect(page.getByText(address)).toHaveCount(0);
  await page.getByText('MCP', { exact: true }).click();
  await expect(page.getByText(address, { exact: true })).toBeVisible();
  const copied = async (what: string): Promise<string> => {
    await page.getByRole('button', { name: `Copy ${what}` }).click();
    await expect(page.getByRole('button', { name: 'Copied' }).last()).toBeVisible();
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await copied('MCP address')).toBe(address);

  const programs = page.getByRole('group', { name: 'Program' });
  await expect(programs.getByRole('button')).toHaveText([
    'Claude Code',
    'Claude Desktop',
    'VS Code',
    'Cursor',
  ]);
  const command = 'claude mcp add cloche -- npx -y cloche mcp FOLDER';
  const shown = page.locator('pre').filter({ hasText: 'FOLDER' });
  await expect(shown).toHaveText(command);
  const server = { command: 'npx', args: ['-y', 'cloche', 'mcp', 'FOLDER'] };
  for (const [program, file, configuration] of [
    ['Claude Desktop', 'claude_desktop_config.json', { mcpServers: { cloche: server } }],
    ['VS Code', '.vscode/mcp.json', { servers: { cloche: { type: 'stdio', ...server } } }],
    ['Cursor', '.cursor/mcp.json', { mcpServers: { cloche: server } }],
  ] as const) {
    await programs.getByRole('button', { name: program }).click();
    await expect(programs.getByRole('button', { name: program })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await expect(page.getByText(`In ${file}:`)).toBeVisible();
    expect(JSON.parse(await shown.innerText())).toEqual(configuration);
  }
  expect(await copied('configuration')).toBe(await shown.innerText());
});
