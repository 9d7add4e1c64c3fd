/**
 * Packs the runner of saved tests, with the modules of the loader that it needs, into the single file cloche_test.py.
 * `node scripts/cloche-test.mjs FILE` writes it.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from './dist.mjs';

/** Where the packed modules start from; the others are those that they import. */
const starts = [
  ...['command', 'plugin', 'mocks', 'mock_app'].map((name) => `cloche/testing/${name}.py`),
  // Stand-ins are imported by names that are chosen when a file needs them.
  ...['classes', 'functions', 'langchain', 'mcp', 'pydantic', 'typing_extensions'].map(
    (name) => `cloche/foreign/modules/${name}.py`,
  ),
];

/** @param {string} root the project's folder @returns the text of cloche_test.py */
export async function clocheTest(root) {
  const modules = await packedModules(root);
  /** @type {unknown} */
  const schema = JSON.parse(
    await readFile(join(root, 'src/runtime/spec/schemas/tests.schema.json'), 'utf8'),
  );
  modules.set(
    'cloche/testing/file_schema.py',
    `import json\n\nFILE_SCHEMA = json.loads(r"""${JSON.stringify(schema)}""")\n`,
  );
  const head = await readFile(join(root, 'workers/python/cloche_test_head.py'), 'utf8');
  const sources = [...modules].sort(([a], [b]) => (a < b ? -1 : 1));
  const packed = sources.map(([path, text]) => `    "_${path}": ${literal(text)},\n`).join('');
  return head.replace(
    '_SOURCES: dict[str, str] = {}\n',
    () => `_SOURCES: dict[str, str] = {\n${packed}}\n`,
  );
}

/** @param {string} root @returns {Promise<Map<string, string>>} path → text */
async function packedModules(root) {
  const modules = new Map();
  const wanted = [...starts];
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    if (modules.has(path)) continue;
    const text = await readFile(join(root, 'workers/python/py', path), 'utf8');
    modules.set(path, text);
    const above = path.split('/').slice(0, -1);
    wanted.push(`${above.join('/')}/__init__.py`, ...importedBy(path, text));
  }
  return modules;
}

/**
 * The modules that relative imports name, wherever in the text they are.
 * @param {string} path
 * @param {string} text
 */
function importedBy(path, text) {
  const folders = path.split('/').slice(0, -1);
  return [...text.matchAll(/^\s*from (\.+)([\w.]*) import (\([^)]*\)|[^\n#]*)/gm)].flatMap(
    ([, dots = '', name = '', names = '']) => {
      const folder = folders.slice(0, folders.length - dots.length + 1).join('/');
      const inner = name.replaceAll('.', '/');
      const modules = name === '' ? names.replace(/[()]/g, '').split(',') : [inner];
      return modules.flatMap((one) => {
        const [module = ''] = one.trim().split(/\s+as\s+/);
        return module === '' ? [] : [`${folder}/${module}.py`];
      });
    },
  );
}

/** @param {string} text @returns a literal of Python, legible where that is possible */
function literal(text) {
  const legible = !text.includes("'''") && !text.endsWith("'") && !text.endsWith('\\');
  return legible ? `r'''${text}'''` : JSON.stringify(text);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = process.argv[2];
  if (file === undefined)
    throw new Error('Name the file to write: node scripts/cloche-test.mjs FILE');
  await writeFile(file, await clocheTest(projectFolder));
}
