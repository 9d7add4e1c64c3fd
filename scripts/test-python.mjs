/** node scripts/test-python.mjs [--cpython] [--pyodide]: runs the tests of the Python code, by default under both Pythons. */
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { loadPyodide } from 'pyodide';
import { projectFolder } from './dist.mjs';
import { ensurePython } from './find-python.mjs';
import { run } from './run.mjs';

/** @typedef {import('./test-reports.mjs').Count} Count */

/** The runners of Python tests. Each has `run_in_loop()`, and prints a summary as its last line. */
const runners = ['workers/python/tests/run_tests.py', 'tests/samples/run_samples.py'];
/** The folders that the runners need. */
const folders = ['workers/python', 'tools-samples', 'tests/samples'];

/** @type {Record<string, () => Promise<Count | null>>} null: this Python is not available */
const runtimes = { '--cpython': underPython, '--pyodide': underPyodide };

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in runtimes));
if (unknown.length > 0) {
  console.error(
    `No such option: ${unknown.join(', ')}. Available: ${Object.keys(runtimes).join(', ')}.`,
  );
  process.exit(1);
}

let failed = 0;
for (const [name, start] of Object.entries(runtimes)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const count = await start();
  if (count) failed += count.failed;
  // Continuous integration needs both.
  else if (wanted.includes(name) || (process.env.CI ?? '') !== '') failed += 1;
}
process.exit(failed > 0 ? 1 : 0);

/** @returns {Promise<Count | null>} */
async function underPython() {
  if (!(await ensurePython())) return null;
  const total = { passed: 0, failed: 0 };
  for (const runner of runners) {
    const { code, output } = await run(['python3', '-B', join(projectFolder, runner)]);
    add(total, summarise(output, code));
  }
  return total;
}

/** @returns {Promise<Count>} */
async function underPyodide() {
  const folder = '/home/cloche';
  let output = '';
  const keep = (/** @type {string} */ line) => {
    console.log(line);
    output += `${line}\n`;
  };
  const pyodide = await loadPyodide({ stdout: keep, stderr: keep });
  for (const path of await pythonFiles()) {
    const file = `${folder}/${path}`;
    pyodide.FS.mkdirTree(file.slice(0, file.lastIndexOf('/')));
    pyodide.FS.writeFile(file, await readFile(join(projectFolder, path)));
  }
  const total = { passed: 0, failed: 0 };
  for (const runner of runners) {
    output = '';
    const name = basename(runner, '.py');
    /** @type {unknown} */
    const code = await pyodide.runPythonAsync(
      `import sys; sys.path.insert(0, "${folder}/${dirname(runner)}"); import ${name}; await ${name}.run_in_loop()`,
    );
    add(total, summarise(output, Number(code)));
  }
  return total;
}

/** Python, recorded calls, data and time zones; paths from the project's folder. */
async function pythonFiles() {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const paths = await readdir(join(projectFolder, folder), { recursive: true });
      return paths.map((path) => `${folder}/${path.replaceAll('\\', '/')}`);
    }),
  );
  const files = found.flat().filter((path) => /\.(py|json|zip)$/.test(path));
  // Its examples are tested.
  const docs = await readdir(join(projectFolder, 'docs'));
  return [...files, ...docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
}

/**
 * @param {Count} total
 * @param {Count} more
 */
function add(total, { passed, failed }) {
  total.passed += passed;
  total.failed += failed;
}

/**
 * Reads a runner's last line, `python (CPython 3.11): N passed, N failed`.
 * @param {string} output
 * @param {number} code
 * @returns {Count}
 */
function summarise(output, code) {
  const found = /^(?:python|samples) \(.*\): (\d+) passed, (\d+) failed$/m.exec(output);
  if (!found) {
    console.log('The Python tests ended without a summary: the whole run failed.');
    return { passed: 0, failed: 1 };
  }
  const failed = Number(found[2]);
  return { passed: Number(found[1]), failed: failed === 0 && code !== 0 ? 1 : failed };
}
