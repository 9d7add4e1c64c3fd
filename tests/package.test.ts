/** The npm package: `npm pack` makes an archive that an empty project can install, compile against and import. */

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from '@playwright/test';
import { build } from 'vite';
import { findBrowser } from '../scripts/browser.mjs';
import { projectFolder } from '../scripts/dist.mjs';
import { adder } from './support/one-model.ts';

const run = promisify(execFile);

/** Uses every part of the client as a page would, and makes one mistake that the types must find. */
const program = `
import { connect, ClocheError, type CallEvent, type Cloche, type Listing, type Result } from 'cloche';

export async function use(): Promise<string> {
  const cloche: Cloche = await connect('https://cloche.example/', { via: 'window' });
  const listing: Listing = await cloche.list();
  const result: Result = await cloche.call(listing.tools[0]!.name, { n: 1 }, { folder: listing.folderId });
  for await (const event of cloche.stream('a:b', '{"n": 1.0}')) {
    const one: CallEvent = event;
    if (one.type === 'update') console.log(one.value);
  }
  for await (const { id, endedAt } of cloche.calls({ state: 'failure', since: new Date(0) })) console.log(id, endedAt);
  for await (const { title } of cloche.sessions()) console.log(title);
  const run = await cloche.runs.start({ goal: '', tasks: [] });
  await cloche.runs.stop(run.id);
  try {
    await cloche.cancel(result.callId);
  } catch (thrown) {
    if (thrown instanceof ClocheError) return thrown.code;
  }
  // @ts-expect-error -- a tool's name is a text
  await cloche.call(1);
  return result.textResultForLlm;
}
`;

/** Uses the mock of a tool in a test, with a mistake that its types must find. */
const testing = `
import { mockContext, mockTool, type MockTool } from 'cloche/testing';

export async function use(): Promise<string> {
  const known: MockTool = mockTool('weather:now', { returns: ({ place = '' }) => ({ place, c: 9 }) });
  const { signal, call, watch } = mockContext({ place: 'Oslo' });
  // @ts-expect-error -- the name of a tool is a text
  mockTool(1);
  return (await known.dispatch.run(signal, known.tool, call, watch)).textResultForLlm;
}
`;

/** Uses the playground as a page of a bundled site would, with a mistake that its types must find. */
const page = `
import 'cloche/playground';

const tag = document.createElement('cloche-playground');
tag.setAttribute('app', 'https://cloche.example/');
tag.addEventListener('cloche-result', ({ detail }) => console.log(detail.text.length, detail.durationMs));
// @ts-expect-error -- the arguments are an object or a text
void tag.setArguments(1);
void tag.setSource([{ path: 'a.py', text: '' }]).then(() => tag.run()).then(({ resultType }) => resultType);
document.body.append(tag);
`;

/** Uses the runtime as a page would, with a mistake that its types must find. */
const runtime = `
import { createRuntime, ToolError, type Runtime, type ToolResult } from 'cloche/runtime';

export async function use(signal: AbortSignal): Promise<string> {
  const opened: Runtime = await createRuntime({
    folder: { 'a.py': '' },
    assetsUrl: '/cloche/',
    limits: { callMs: 10_000 },
    policy: { network: ['https://api.example.org'] },
    onQuestion: ({ kind }) => (kind === 'network' ? 'once' : 'no'),
  });
  const result: ToolResult = await opened.call(signal, opened.tools[0]!.name, '{}', {
    onUpdate: ({ n, json }) => console.log(n, json),
  });
  // @ts-expect-error -- arguments are a text
  await opened.call(signal, 'a:b', {}).catch((thrown) => thrown instanceof ToolError && thrown.code);
  opened.dispose();
  return result.textResultForLlm;
}
`;

test('an empty project installs, compiles and imports the package', { tag: '@full' }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloche-package-'));
  try {
    await run('npm', ['pack', '--pack-destination', folder], { cwd: projectFolder });
    const { version } = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8')) as {
      version: string;
    };
    const archive = `cloche-${version}.tgz`;
    expect(await readdir(folder)).toEqual([archive]);
    await writeFile(join(folder, 'package.json'), '{"type": "module", "private": true}');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', archive], { cwd: folder });
    // It depends on nothing.
    expect(await readdir(join(folder, 'node_modules'))).toEqual([
      '.bin',
      '.package-lock.json',
      'cloche',
    ]);
    await writeFile(join(folder, 'use.ts'), program);
    await writeFile(join(folder, 'page.ts'), page);
    await writeFile(join(folder, 'testing.ts'), testing);
    await writeFile(join(folder, 'runtime.ts'), runtime);
    const tsc = join(projectFolder, 'node_modules/typescript/bin/tsc');
    for (const module of [
      ['--module', 'esnext', '--moduleResolution', 'bundler'],
      ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
    ]) {
      const options = ['--noEmit', '--strict', '--target', 'es2022', ...module];
      const { stdout } = await run(
        process.execPath,
        [tsc, ...options, 'use.ts', 'page.ts', 'testing.ts', 'runtime.ts'],
        {
          cwd: folder,
        },
      ).catch((thrown: unknown) => thrown as { stdout: string });
      expect(stdout).toBe('');
    }
    const script = "import * as cloche from 'cloche'; console.log(Object.keys(cloche).join());";
    await writeFile(join(folder, 'use.js'), script);
    const { stdout } = await run(process.execPath, ['use.js'], { cwd: folder });
    expect(stdout.trim()).toBe('ClocheError,connect');
    const inNode = `
      import { connect } from 'cloche';
      import { mockContext, mockTool } from 'cloche/testing';
      import { frameScriptHash } from 'cloche/runtime';
      const { code, message } = await connect('https://cloche.example/').catch((error) => error);
      const { tool, dispatch } = mockTool('a:b', { returns: 'mocked' });
      const { signal, call, watch } = mockContext();
      const result = await dispatch.run(signal, tool, call, watch);
      console.log(code, '|', message, '|', result.textResultForLlm, '|', frameScriptHash);`;
    await writeFile(join(folder, 'node.js'), inNode);
    const ran = await run(process.execPath, ['node.js'], { cwd: folder });
    expect(ran.stdout.trim()).toMatch(
      /^needs-page \| Cloche can be reached only from a page .* \| mocked \| [\w+/]{43}=$/,
    );
    // The program runs the saved tests of a folder, with the app in the package.
    await mkdir(join(folder, 'tools/tests'), { recursive: true });
    await writeFile(join(folder, 'tools/work.py'), adder);
    const saved = [{ tool: 'work:add', arguments: { a: 1, b: 2 }, expect: { equals: 3 } }];
    await writeFile(join(folder, 'tools/tests/work.json'), JSON.stringify(saved));
    const env = {
      ...process.env,
      CLOCHE_BROWSER: findBrowser() ?? '',
      XDG_CACHE_HOME: join(folder, 'cache'),
    };
    const tested = await run('npx', ['--no-install', 'cloche', 'test', 'tools'], {
      cwd: folder,
      env,
    });
    expect(tested.stdout).toContain('1 passed, 0 failed');
    // It serves tools to the official client of MCP.
    await cp(join(projectFolder, 'tools-samples'), join(folder, 'samples'), { recursive: true });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: 'npx',
        args: ['--no-install', 'cloche', 'mcp', 'samples'],
        cwd: folder,
        env,
      }),
    );
    expect((await client.listTools()).tools).toHaveLength(53);
    const bill = { name: 'split_bill', arguments: { total: 100, people: 3 } };
    expect((await client.callTool(bill)).content).toEqual([
      { type: 'text', text: '{"total": 100.0, "each": 33.33, "pay_one_cent_more": 1}' },
    ]);
    await client.close();
    // A bundler finds both parts, and keeps the element, which is there for its side effect.
    const bundled = await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: { write: false, rolldownOptions: { input: ['page.ts', 'use.ts'] } },
    });
    if (Array.isArray(bundled) || !('output' in bundled)) throw new Error('Expected one build.');
    const code = bundled.output.map((file) => ('code' in file ? file.code : '')).join('');
    expect(code).toContain('cloche-playground');
    expect(code).toContain('customElements');
  } finally {
    await rm(folder, { recursive: true });
  }
});
