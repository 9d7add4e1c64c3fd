/** Hints about a folder as a whole. */

import { expect, test } from 'vitest';
import type { FolderFile, FolderSnapshot } from '../spec/folder.ts';
import { folderHints, findUnusedFiles } from './folder-hints.ts';
import { createPacer } from '../async/pace.ts';
import { fakeInspection, fakeTool } from './tool.fixture.ts';

function folderOf(files: Record<string, string>): FolderSnapshot {
  const entries = Object.entries(files).map(([path, text]): FolderFile => {
    const bytes = new TextEncoder().encode(text);
    return { path, size: bytes.byteLength, modifiedAt: 0, bytes };
  });
  return { id: '1', name: 'folder', files: entries, folders: [], problems: [] };
}

async function reported(files: Record<string, string>): Promise<string[]> {
  const hints = await folderHints(folderOf(files), [], createPacer());
  return hints.map((hint) => `${hint.severity} ${hint.code} ${hint.message}`);
}

test('tool files in subfolders are named', async () => {
  const specs = 'import x\nTOOL_SPECS: list = []\n';
  expect(await reported({ 'a.py': specs, 'more/b.py': specs, 'more/c.txt': specs })).toEqual([
    'warning tools-below Subfolders are not searched for tools, but these files define TOOL_SPECS: “more/b.py”.',
  ]);
});

test('of many, the first three are named', async () => {
  const files = Object.fromEntries(
    ['1', '2', '3', '4', '5'].map((n) => [`d/${n}.py`, 'TOOL_SPECS = []']),
  );
  expect(await reported(files)).toEqual([
    'warning tools-below Subfolders are not searched for tools, but these files define TOOL_SPECS: “d/1.py”, “d/2.py”, “d/3.py” and 2 more.',
  ]);
});

test('helpers in subfolders that only mention tool specs are not named', async () => {
  const helper = 'from a import TOOL_SPECS\n# TOOL_SPECS = []\nTOOL_SPECS_OF = 1\n';
  expect(await reported({ 'a.py': '', 'pkg/h.py': helper })).toEqual([]);
});

test('files of frameworks in subfolders are named, as a warning if the folder has no tool files', async () => {
  const server = 'from fastmcp import FastMCP\nmcp = FastMCP("x")\n\n@mcp.tool\ndef a(): ...\n';
  const search = 'from crewai.tools import BaseTool\n\nclass Search(BaseTool):\n    name = "a"\n';
  const files = {
    'src/shop/server.py': server,
    'src/shop/tools/search.py': search,
    // These define none, or are not meant to be opened.
    'src/shop/app.py': 'from fastmcp import FastMCP\nmcp = FastMCP("x")\n',
    'src/shop/words.py': '# @tool\nname = "@mcp.tool"\n',
    'src/shop/test_server.py': server,
    'tests/unit/server.py': server,
    'src/shop/server.md': server,
  };
  const message =
    'tools-below Subfolders are not searched for tools, but these files seem to define tools: “src/shop/server.py”, “src/shop/tools/search.py”.';
  expect(await reported(files)).toEqual([`warning ${message}`]);
  expect(await reported({ ...files, 'main.py': '' })).toEqual([`note ${message}`]);
  // With more tool files in the folder itself, those below are examples or another project.
  expect(await reported({ ...files, 'a.py': '', 'b.py': '', 'main.py': '' })).toEqual([]);
  const [hint] = await folderHints(folderOf(files), [], createPacer());
  expect(hint?.subfolders).toEqual(['src/shop', 'src/shop/tools']);
  const imports = ['src/shop/server.py', 'src/shop/tools/search.py'];
  const main = fakeInspection('main.py', { imports });
  expect(await folderHints(folderOf({ ...files, 'main.py': '' }), [main], createPacer())).toEqual(
    [],
  );
});

test('tool files with other endings are named', async () => {
  const specs = 'TOOL_SPECS = []\n';
  const names = ['A.PY', 'b.py.txt', 'c.pyw', 'd.py ', 'e.py.'];
  for (const name of names)
    expect(await reported({ [name]: specs })).toEqual([
      `warning no-tool-files Files whose names do not end in “.py” are not loaded, but these define TOOL_SPECS: “${name}”.`,
    ]);
  const files = { 'a.py': specs, ...Object.fromEntries(names.map((name) => [name, specs])) };
  expect((await reported(files))[0]).toMatch(/“b\.py\.txt” and 2 more\.$|“c\.pyw” and 2 more\.$/);
  const others = {
    'a.py': '',
    '_b.PY': specs,
    'notes.txt': specs,
    'c.PY': 'x = 1',
    'd.ipynb': specs,
  };
  expect(await reported(others)).toEqual([]);
});

test('a folder without tool files gives a warning', async () => {
  expect(await reported({ 'data.json': '{}', '_private.py': '' })).toEqual([
    'warning no-tool-files The folder has no tool files.',
  ]);
});

test('files without TOOL_SPECS are named, unless another file imports them or they failed', () => {
  const error = {
    severity: 'error',
    code: 'import',
    file: 'bad.py',
    line: 1,
    column: null,
    message: '',
    expected: '',
    hint: '',
  } as const;
  const problems = findUnusedFiles([
    fakeInspection('tool.py', { imports: ['helper.py'] }),
    fakeInspection('stray.py', { noSpecs: true }),
    fakeInspection('helper.py', { noSpecs: true }),
    fakeInspection('bad.py', { noSpecs: true, problems: [error] }),
    fakeInspection('alone.py', { noSpecs: true, problems: [{ ...error, severity: 'warning' }] }),
  ]);
  expect(problems.map(({ severity, code, file, line }) => [severity, code, file, line])).toEqual([
    ['warning', 'no-specs', 'alone.py', 1],
    ['warning', 'no-specs', 'stray.py', 1],
  ]);
});

test('a file that lists the tools of other files is not named, unless these have none', () => {
  const reason = { line: 1, message: 'it only lists …', hint: '', listsOthers: true } as const;
  const lists = (file: string, imports: readonly string[]) =>
    fakeInspection(file, { noSpecs: true, reason, imports });
  const problems = findUnusedFiles([
    lists('agent.py', ['functions.py', 'marked.py']),
    lists('all_tools.py', ['functions.py']),
    fakeInspection('functions.py', { noSpecs: true }),
    fakeInspection('marked.py', { tools: [fakeTool('marked:a')] }),
    fakeInspection('uses.py', { noSpecs: true, imports: ['marked.py'] }),
  ]);
  expect(problems.map(({ file }) => file)).toEqual(['all_tools.py', 'uses.py']);
});
