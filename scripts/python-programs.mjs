/**
 * Packs programs for ordinary Python into single files, with the modules of the loader that they need.
 * `node scripts/python-programs.mjs NAME FILE` writes one of them.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectFolder } from './dist.mjs';
import { readJson } from './read-files.mjs';

// Stand-ins are imported by names that are chosen when a file needs them.
const groups = ['class', 'declaration', 'function', 'model'].map((group) => `${group}_frameworks`);
const standIns = [...groups, 'langchain', 'mcp', 'pydantic', 'typing_extensions'].map(
  (name) => `cloche/foreign/framework_names/${name}.py`,
);
const helpers = ['cloche/actions.py', 'cloche/helpers.py'];

/** The programs, and where the packed modules start from; the others are those that they import. */
const programs = {
  cloche_test: [
    ...['command', 'plugin', 'mocks', 'mock_app'].map((name) => `cloche/testing/${name}.py`),
    ...standIns,
    ...helpers,
  ],
  cloche_mcp: ['cloche/serving/command.py', ...standIns, ...helpers],
};
/** @typedef {keyof typeof programs} ProgramName */
export const programNames = /** @type {ProgramName[]} */ (Object.keys(programs));

/** @param {string} root the project's folder @param {ProgramName} name @returns the text of `name`.py */
export async function pythonProgram(root, name) {
  const python = join(root, 'workers/python');
  const modules = await packedModules(python, programs[name]);
  const schema = await readJson(root, 'src/runtime/spec/schemas/tests.schema.json');
  if (modules.has('cloche/testing/file_schema.py'))
    modules.set(
      'cloche/testing/file_schema.py',
      `import json\n\nFILE_SCHEMA = json.loads(r"""${JSON.stringify(schema)}""")\n`,
    );
  const { version } = /** @type {{version: string}} */ (await readJson(root, 'package.json'));
  const head = await readFile(join(python, `${name}_head.py`), 'utf8');
  const common = await readFile(join(python, 'packed_head.py'), 'utf8');
  const sources = [...modules].sort(([a], [b]) => (a < b ? -1 : 1));
  const packed = sources.map(([path, text]) => `    "_${path}": ${literal(text)},\n`).join('');
  const start = common
    .slice(common.indexOf('import importlib'))
    .replace('_SOURCES: dict[str, str] = {}\n', () => `_SOURCES: dict[str, str] = {\n${packed}}\n`);
  return head
    .replace('_VERSION = "0"', () => `_VERSION = ${JSON.stringify(version)}`)
    .replace(/^from packed_head import .*\n/m, () => start);
}

/** Finds all modules that these need. @param {string} python @param {readonly string[]} starts @returns {Promise<Map<string, string>>} path → text */
async function packedModules(python, starts) {
  /** @type {Map<string, string>} */
  const modules = new Map();
  const wanted = [...starts];
  for (let path = wanted.pop(); path !== undefined; path = wanted.pop()) {
    if (modules.has(path)) continue;
    const text = await readFile(join(python, 'py', path), 'utf8');
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
  const [, , name, file] = process.argv;
  const program = programNames.find((one) => one === name);
  if (program === undefined || file === undefined)
    throw new Error(`Name a program and a file: ${programNames.join(' or ')} FILE`);
  await writeFile(file, await pythonProgram(projectFolder, program));
}
