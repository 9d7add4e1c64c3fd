/**
 * The screens and states that are photographed: each scene brings the page into one of them. Scenes run in this order on one
 * page, and many continue where the scene before ended: `json-table` starts from the tree that `json-tree` shows.
 */

import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drop } from '../../bench/drop.mjs';
import { projectFolder } from '../dist.mjs';
import { askingScenes } from './asking-scenes.mjs';
import { pageScenes } from './page-scenes.mjs';
import { sessionScenes } from './session-scenes.mjs';
import { answer, fill, ready, run, visit } from './steps.mjs';

/**
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {Readonly<Record<string, (page: Page, folders: Folders) => Promise<void>>>} Scenes by their names
 * @typedef {{samples: string, broken: string, asking: string}} Folders
 */

/** @type {Scenes} */
export const scenes = {
  welcome: (page) => visit(page, './'),
  opening: async (page, { samples }) => {
    await drop(page, samples);
    await page
      .getByText(/Python|Reading|Inspect/)
      .first()
      .waitFor();
    await page.waitForTimeout(700);
  },
  overview: ready,
  tool: (page) => visit(page, '#/tools/dates:meeting_times'),
  'tool-result-json': async (page) => {
    await visit(page, '#/tools/stats:describe_numbers');
    await run(page);
  },
  'tool-result-table': async (page) => {
    await visit(page, '#/tools/csv_tools:query_csv');
    await run(page);
  },
  'tool-result-image': async (page) => {
    await visit(page, '#/tools/charts:bar_chart');
    await run(page);
    const result = page.getByRole('region', { name: 'Result', exact: true });
    await result.evaluate((element) => element.scrollIntoView({ block: 'end' }));
    await page.waitForTimeout(200);
  },
  'tool-running': async (page) => {
    await visit(page, '#/tools/long_jobs:wait');
    await fill(page, '{"seconds": 20}');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForTimeout(2500);
  },
  'tool-cancelled': async (page) => {
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Cancelled').first().waitFor();
    await ready(page);
  },
  'tool-failure': async (page) => {
    await visit(page, '#/tools/calculator:calculate');
    await fill(page, '{"expression": "1 / 0"}');
    await run(page);
  },
  'json-tree': async (page) => {
    await visit(page, '#/tools/csv_tools:query_csv');
    await page.getByRole('button', { name: 'Tree', exact: true }).click();
  },
  'json-table': async (page) => {
    await page.getByRole('button', { name: 'Table', exact: true }).click();
  },
  share: async (page) => {
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    // A phone has a list of choices instead of the buttons.
    const choices = page.getByRole('dialog').getByRole('combobox').first();
    if (await choices.isVisible()) await choices.selectOption('Embed code');
    else await page.getByRole('button', { name: 'Embed code' }).click();
  },
  palette: async (page) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Commands, tools and files' }).fill('conv');
  },
  'keyboard-map': async (page) => {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator('h1').first().click();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  },
  'tool-source': async (page) => {
    await page.keyboard.press('Escape');
    await visit(page, '#/tools/text_tools:slugify');
    await page.waitForTimeout(300);
  },
  'tool-runs': (page) => visit(page, '#/tools/calculator:calculate/runs'),
  runs: (page) => visit(page, '#/tools/stats:describe_numbers?panel=runs'),
  python: (page) => visit(page, '#/tools/stats:describe_numbers?panel=python'),
  settings: (page) => visit(page, '#/settings'),
  'settings-limits': (page) => visit(page, '#/settings/limits'),
  'folder-menu': async (page) => {
    await visit(page, '#/tools/stats:describe_numbers');
    await page.getByRole('button', { name: /tools-samples/ }).click();
  },
  missing: async (page) => {
    await page.keyboard.press('Escape');
    await visit(page, '#/tools/no_such:tool');
  },
  ...sessionScenes,
  ...pageScenes,
  'question-packages': async (page, { broken }) => {
    await visit(page, '#/');
    await drop(page, broken);
    await page.getByRole('dialog').waitFor();
    await ready(page);
  },
  'broken-overview': (page) => answer(page, 'Not now'),
  problems: (page) => visit(page, '#/?panel=problems'),
  'file-with-problems': (page) => visit(page, '#/files/half_right.py'),
  'policy-packages': async (page) => {
    await visit(page, '#/policy/packages');
    await page.getByText('Package index: ').click();
  },
  ...askingScenes,
};

/** Makes the folders that scenes open. @param {string} folder a temporary folder @returns {Promise<Folders>} */
export async function makeFolders(folder) {
  const samples = join(folder, 'tools-samples');
  await cp(join(projectFolder, 'tools-samples'), samples, { recursive: true });
  await rm(join(samples, 'calls'), { recursive: true });
  const broken = join(folder, 'first-attempts');
  await mkdir(broken);
  for (const [name, text] of Object.entries(brokenFiles)) await writeFile(join(broken, name), text);
  const asking = join(folder, 'weather-tools');
  await mkdir(asking);
  await cp(join(projectFolder, 'scripts/screens/weather.py'), join(asking, 'weather.py'));
  return { samples, broken, asking };
}

const brokenFiles = {
  'half_right.py': `def greet(name: str, loud: bool = False) -> str:
    """A greeting."""
    return f"Hello, {name}{'!' if loud else '.'}"


TOOL_SPECS = [
    {
        "name": "half_right:greet",
        "description": "A greeting.",
        "parameters": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "lound": {"type": "boolean"}},
            "required": ["name"],
        },
        "handler": greet,
    },
    {
        "name": "half_right:wave",
        "description": "",
        "parameters": {"type": "object", "properties": {}},
        "handler": greet,
        "timeout": 5,
    },
]
`,
  'unfinished.py': 'def later(:\n    pass\n',
  'needs_more.py':
    '# /// script\n# dependencies = ["pandas>=2"]\n# ///\nimport pandas\n\nTOOL_SPECS = []\n',
};
