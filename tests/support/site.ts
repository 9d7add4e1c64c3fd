/** A separate site for a test: a server process that can really be stopped, and a folder for builds. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listBuild } from '../../scripts/build/build-list.ts';
import { distFolder } from '../../scripts/dist.mjs';
import { withHashes } from './integrity.ts';

const server = `
  import { serveFolder } from ${JSON.stringify(new URL('../../scripts/static-server.mjs', import.meta.url).href)};
  const [folder, base, headers, port] = process.argv.slice(1);
  console.log((await serveFolder({ folder, base, headers: JSON.parse(headers), port: Number(port) })).url);
`;

export class Site {
  readonly folder: string;
  readonly #base: string;
  readonly #headers: string;
  #process: ChildProcess | undefined;
  #port = 0;

  private constructor(folder: string, base: string, headers: Readonly<Record<string, string>>) {
    this.folder = folder;
    this.#base = base;
    this.#headers = JSON.stringify(headers);
  }

  /** Empty, and not yet served. */
  static async make(base: string, headers: Readonly<Record<string, string>> = {}): Promise<Site> {
    return new Site(await mkdtemp(join(tmpdir(), 'cloche-site-')), base, headers);
  }

  /** Replaces what is served by a build. */
  async deploy(build: string): Promise<void> {
    for (const name of await readdir(this.folder))
      await rm(join(this.folder, name), { recursive: true });
    await cp(build, this.folder, { recursive: true });
  }

  /** @returns its address, which stays the same over stops and starts */
  async start(): Promise<string> {
    const where = [this.folder, this.#base, this.#headers, String(this.#port)];
    const args = ['--input-type=module', '-e', server, ...where];
    this.#process = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(this.#process.stdout!, 'data')) as [Buffer];
    const url = line.toString().trim();
    this.#port = Number(new URL(url).port);
    return url;
  }

  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (running === undefined) return;
    const ended = once(running, 'exit');
    running.kill();
    await ended;
  }

  async dispose(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true });
  }
}

/**
 * Another build of the same app, in `folder`: every script and style of the page has another name, as after a change of
 * each of them; what the sandbox runs is the same.
 * @returns its id
 */
export async function makeSecondBuild(folder: string): Promise<string> {
  await mkdir(join(folder, 'assets'), { recursive: true });
  const entries = await readdir(distFolder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(distFolder.length + 1))
    // The list of the build has no compressed copies.
    .filter((name) => !name.startsWith('assets/files-') && !/\.(br|gz)$/.test(name));
  const renamed = names.flatMap((name) => {
    const [, stem = '', end = ''] = /^assets\/(.*-[\w-]{8})(\.js|\.css)$/.exec(name) ?? [];
    return stem === '' ? [] : [[stem + end, `${stem}Second${end}`] as const];
  });
  const files = [];
  let page = '';
  for (const name of names) {
    let content: string | Buffer = await readFile(join(distFolder, name));
    if (/\.(js|css|html)$/.test(name) && name !== 'sw.js')
      content = renamed.reduce((text, [from, to]) => text.replaceAll(from, to), content.toString());
    const to = renamed.find(([from]) => name === `assets/${from}`);
    if (name === 'index.html') page = content.toString();
    else files.push({ name: to ? `assets/${to[1]}` : name, content });
  }
  const contents = new Map(files.map(({ name, content }) => [name, content]));
  page = withHashes(page.replace(/ *<meta name="cloche-build"[^>]*>\n/, ''), contents);
  const listed = files.filter(({ name }) => !['sw.js', 'sbom.cdx.json'].includes(name));
  const built = listBuild(page, listed, '2030-01-02T03:04:05.000Z');
  const all = [...files, built.list, { name: 'index.html', content: built.page }];
  for (const { name, content } of all) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  return built.id;
}
