/** The rules for paths. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import fc from 'fast-check';
import { pathInside } from '../zip/zip-names.ts';
import { pathFault, showPath } from './path-rules.ts';
import { skippedName } from './file-names.ts';
import { isSupportFile, isToolFile, seemsToDefineTools, testFile } from './tool-files.ts';

test('accepts every ordinary name in any language', () => {
  const names = [
    'a.py',
    'CON.py',
    'a/b/c.txt',
    '天気.py',
    '👩‍🔬.py',
    'e\u0301.py',
    ' .py',
    '...',
    '__proto__',
  ];
  expect(names.filter((name) => pathFault(name) !== undefined)).toEqual([]);
});

test('refuses what could leave the folder or break a file system', () => {
  const names = [
    '',
    '/a.py',
    'C:/a.py',
    'c:a.py',
    'a//b.py',
    'a/',
    '.',
    '../x.py',
    'a/../b.py',
    'a/./b.py',
    '..\\x.py',
    'a\0.py',
    'a\n.py',
    'a\u007f.py',
    'a\u0085.py',
    'a\ud800.py',
    'a'.repeat(1_001),
  ];
  expect(names.filter((name) => pathFault(name) === undefined)).toEqual([]);
});

test('paths in zips lead to the same place however they are written', () => {
  const written = [
    'a/b.py',
    './a/b.py',
    '/a/b.py',
    'a//b.py',
    'a\\b.py',
    '.\\a\\.\\b.py',
    'a/c/../b.py',
    '//a/b.py',
  ];
  expect(written.map((path) => pathInside(path).path)).toEqual(written.map(() => 'a/b.py'));
  const refused = [
    '',
    '/',
    '..',
    'a/../..',
    '\\\\host\\x',
    'c:x',
    '/C:/x',
    '.\\c:\\x',
    'a\0',
    'x/../C:/y',
  ];
  expect(refused.filter((path) => pathInside(path).fault === undefined)).toEqual([]);
});

test('a path that is not refused has no part that could leave the folder, and stays the same when read again', () => {
  const part = fc.constantFrom(
    'a',
    '..',
    '.',
    '',
    'C:',
    ' ',
    '...',
    'é',
    'e\u0301',
    '~',
    '\0',
    'b.py',
  );
  const path = fc
    .array(fc.tuple(part, fc.constantFrom('/', '\\', '//', '/./')), { maxLength: 8 })
    .map((parts) => parts.flat().join(''));
  let accepted = 0;
  fc.assert(
    fc.property(path, (written) => {
      const found = pathInside(written);
      if (found.fault !== undefined) return;
      accepted += 1;
      expect(pathFault(found.path)).toBeUndefined();
      expect(pathInside(found.path)).toEqual(found);
      // Follow the parts of the path one step at a time.
      let depth = 0;
      for (const one of written.split(/[/\\]/)) {
        if (one === '..') depth -= 1;
        else if (one !== '' && one !== '.') depth += 1;
        expect(depth).toBeGreaterThanOrEqual(0);
      }
      expect(found.path.split('/')).toHaveLength(depth);
    }),
    { numRuns: 1_000 },
  );
  expect(accepted).toBeGreaterThan(50);
});

test('skips files and folders of other programs, packages and caches, but none with similar names', () => {
  const skipped = ['.git', 'node_modules', '.venv', '__pycache__', '.mypy_cache', '.idea'];
  expect(skipped.map(skippedName)).toEqual(skipped);
  expect(skippedName('__MACOSX')).toBe('__macosx');
  const others = ['lib', 'venv', 'node_modules2', '.gitignore', '.github', 'git', 'git~x'];
  expect(others.filter((name) => skippedName(name) !== undefined)).toEqual([]);
});

test('skips names that a file system or a reader takes for those of other programs', () => {
  const git = ['.GIT', '.git ', '.g\u200bit', 'git~1', 'GIT~2', '.git::$INDEX_ALLOCATION', '.gіt'];
  expect(git.map(skippedName)).toEqual(git.map(() => '.git'));
  expect(skippedName('.VSCode')).toBe('.vscode');
  expect(skippedName('Node_Modules.')).toBe('node_modules');
});

test('tool files are .py files directly in the folder, neither hidden nor private', () => {
  const paths = [
    'a.py',
    'a.b.py',
    '_a.py',
    '.a.py',
    '.py',
    'sub/a.py',
    'a.PY',
    'a.pyc',
    'a',
    '天.py',
  ];
  expect(paths.filter(isToolFile)).toEqual(['a.py', 'a.b.py', '天.py']);
  // An exported folder contains these two files of Cloche.
  expect(isToolFile('cloche_test.py')).toBe(false);
  expect(isToolFile('cloche_mcp.py')).toBe(false);
});

test('shows hostile names in one short line', () => {
  expect(showPath('a\n\0\ud800b')).toBe('a\ufffd\ufffd\ufffdb');
  expect(showPath('x'.repeat(5_000))).toHaveLength(201);
});

test.each([
  'from fastmcp import FastMCP',
  'import os\nfrom langchain_core.tools import tool',
  'try:\n    import llm\nexcept ImportError:\n    llm = None',
  'from google.adk.agents import Agent',
  'from google import genai',
  'from llama_index.core.tools import FunctionTool',
  'class Tools:\n    pass',
  'TOOL_SPECS = []',
])('a file with the name of a support file may define tools of a framework: %s', (source) => {
  for (const path of ['tasks.py', 'conf.py', 'build.py', 'manage.py'])
    expect(isSupportFile(path, () => source)).toBe(false);
});

test('a support file that uses no framework is none, and neither is a test of one', () => {
  const plain = 'import mcphost\nimport invoke\n# from mcp import x\nclass ToolsTest: pass\n';
  expect(isSupportFile('tasks.py', () => plain)).toBe(true);
  for (const path of ['test_server.py', 'conftest.py', 'server_test.py', 'setup.py'])
    expect(isSupportFile(path, () => 'from fastmcp import Client')).toBe(true);
  expect(isSupportFile('server.py', () => plain)).toBe(false);
});

test.each(['\r', '\u2028', 'TOOL_SPECS:\u2028', 'from\u2028', 'class A(\r', 'class A(\u2029'])(
  'a source of many %j is read in a short time',
  (piece) => {
    const source = piece.repeat(500_000 / piece.length);
    const begun = performance.now();
    expect(seemsToDefineTools(source)).toBe(false);
    expect(isSupportFile('tasks.py', () => source)).toBe(true);
    expect(performance.now() - begun).toBeLessThan(1000);
  },
);

test('tools are found after each line end of Python', () => {
  for (const end of ['\n', '\r\n', '\r']) {
    expect(seemsToDefineTools(`x = 1${end}${end}  @tool${end}`)).toBe(true);
    expect(isSupportFile('tasks.py', () => `x = 1${end}TOOL_SPECS = []`)).toBe(false);
  }
});

test('every framework whose files are read is known by its imports', () => {
  const list = new URL('../../../workers/python/py/cloche/foreign/frameworks.py', import.meta.url);
  const source = readFileSync(list, 'utf8');
  const all = source.slice(source.indexOf('_ALL = ('), source.indexOf('FRAMEWORKS = {'));
  const groups = all.matchAll(/Framework\(\s*"[\w-]+",\s*"[^"]*",\s*(\((?:[^()]|\([^()]*\))*\))/g);
  const modules = Array.from(groups, ([, names = '']) =>
    Array.from(names.matchAll(/"([\w.]+)"/g), ([, name = '']) => name),
  ).flat();
  expect(modules.length).toBeGreaterThan(40);
  const unknown = modules.filter((name) => isSupportFile('tasks.py', () => `import ${name}\n`));
  // The clients of a model alone define no tools.
  expect(unknown).toEqual(['ollama', 'openai', 'anthropic']);
});

test('files that other programs run at once have the same names for the page and for the loader', () => {
  const loader = new URL('../../../workers/python/py/cloche/folder.py', import.meta.url);
  const source = readFileSync(loader, 'utf8');
  const [, names = ''] = /^_TEST_FILE = re\.compile\(r"(.*)\\Z"\)$/m.exec(source) ?? [];
  expect(testFile.source).toBe(`^${names}$`);
});
