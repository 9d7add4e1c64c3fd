/** Compares the fixtures of the component tests with what the real loader reports for the tool files that they replace. */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { loadPyodide } from 'pyodide';
import { beforeAll, expect, test } from 'vitest';
import { fakeTool } from '../src/runtime/scan/tool.fixture.ts';
import type { Problem } from '../src/runtime/spec/folder.ts';
import type { Tool } from '../src/runtime/spec/tool.ts';
import type { FakeTool, ToolFile } from '../tests/component/page/tool-file.ts';
import { plain, withRequests } from '../tests/packages/sources.ts';
import { hello } from '../tests/support/hello.ts';
import { projectFolder } from './dist.mjs';

/** The source of each fixture's tool file. Fixtures without one replace no real file, and say so. */
const sources: Readonly<Record<string, string>> = {
  ask: await text('tests/grants/ask.py'),
  broken: 'def broken(:\n',
  fetcher: withRequests,
  greet: hello,
  net: await text('tests/grants/net.py'),
  plain,
  session_tools: await text('tests/sessions/session_tools.py'),
  text_tools: await text('tests/corpus/tools/text_tools.py'),
  workspace: await text('tests/support/workspace.py'),
};
const madeUp = ['apps', 'bench', 'choices', 'forms', 'half', 'results', 'tables'];

interface Report {
  readonly tools: readonly Tool[];
  readonly problems: readonly Problem[];
}
let inspect: (file: string) => Report;

beforeAll(async () => {
  const pyodide = await loadPyodide();
  const loader = 'workers/python/py/cloche';
  for (const name of await readdir(join(projectFolder, loader), { recursive: true })) {
    if (!name.endsWith('.py')) continue;
    pyodide.FS.mkdirTree(dirname(`/loader/cloche/${name}`));
    pyodide.FS.writeFile(`/loader/cloche/${name}`, await text(`${loader}/${name}`));
  }
  pyodide.FS.mkdirTree('/tools');
  for (const [stem, source] of Object.entries(sources))
    pyodide.FS.writeFile(`/tools/${stem}.py`, source);
  // A package, of which only the name is needed.
  pyodide.FS.writeFile('/tools/requests.py', '');
  pyodide.runPython(`
import sys
sys.path.insert(0, "/loader")
from cloche.interpreter import Interpreter
interpreter = Interpreter(lambda header, payload: None)
interpreter.open_folder("/tools")
`);
  inspect = (file) =>
    JSON.parse(String(pyodide.runPython(`interpreter.inspect_file("${file}")`))) as Report;
}, 120_000);

test('every fixture stands for a tool file here, or is made up', async () => {
  const names = await readdir(join(projectFolder, 'tests/component/tools'));
  expect(names.sort()).toEqual(
    [...Object.keys(sources), ...madeUp].map((stem) => `${stem}.ts`).sort(),
  );
});

test.for(Object.keys(sources))(
  '%s.ts has the specs and problems of its tool file',
  async (stem) => {
    const { default: fixture } = (await import(`../tests/component/tools/${stem}.ts`)) as {
      default: ToolFile;
    };
    const { tools, problems } = inspect(`${stem}.py`);
    const real = new Map(tools.map((tool) => [tool.name, tool]));
    for (const [handler, { spec }] of Object.entries(fixture.tools)) {
      const name = `${stem}:${handler}`;
      expect(comparable(name, spec), name).toEqual(comparable(name, real.get(name) ?? {}));
    }
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors).toMatchObject(fixture.problems ?? []);
  },
);

/** Without where it stands, and how it is written: handlers of fixtures are JavaScript. */
function comparable(name: string, spec: Partial<FakeTool['spec']>): Partial<Tool> {
  const {
    source: _source,
    handler: _handler,
    takesContext: _takes,
    ...rest
  } = fakeTool(name, spec);
  const { required, ...parameters } = rest.parameters;
  const isEmpty = Array.isArray(required) && required.length === 0;
  return { ...rest, parameters: isEmpty ? parameters : rest.parameters };
}

function text(path: string): Promise<string> {
  return readFile(join(projectFolder, path), 'utf8');
}
