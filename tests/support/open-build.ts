/** The built app with some of the sandbox's walls taken away: shows that an attack would succeed without them. */

import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../../scripts/build/digest.ts';
import { distFolder } from '../../scripts/dist.mjs';
import { serveFolder } from '../../scripts/static-server.mjs';

/**
 * `policy`: the Content-Security-Policy of the frame, and the page's, which the frame inherits. `sandbox`: the frame's
 * attribute, so that it has the app's origin. `worker`: what the tool worker takes away from tools.
 */
export type Wall = 'policy' | 'sandbox' | 'worker';

export interface OpenBuild {
  readonly url: string;
  dispose(): Promise<void>;
}

/** Changes a copy of the built files, so that no option of the build or of the app can take a wall away. */
export async function serveWithout(...walls: Wall[]): Promise<OpenBuild> {
  const folder = await mkdtemp(join(tmpdir(), 'cloche-open-'));
  await cp(distFolder, folder, { recursive: true });
  for (const wall of walls) await takeAway[wall](folder);
  const { url, close } = await serveFolder({ folder });
  return {
    url,
    dispose: async () => {
      await close();
      await rm(folder, { recursive: true });
    },
  };
}

const takeAway: Record<Wall, (folder: string) => Promise<void>> = {
  async policy(folder) {
    await edit(folder, 'index.html', /<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, '');
    const inFrame = /<meta http-equiv="Content-Security-Policy" content="\$\{\w+\}">/;
    await edit(folder, await pageScript(folder), inFrame, '');
  },
  async sandbox(folder) {
    const attribute = /\w+\.setAttribute\(`sandbox`,`allow-scripts`\),/;
    await edit(folder, await pageScript(folder), attribute, '');
    // A library of the tool worker makes an address of its own one, and fails at a blob's of a real origin.
    await editToolWorker(folder, [[/self\.location\.origin!==`null`/, 'false']]);
  },
  async worker(folder) {
    await editToolWorker(folder, [
      [/Reflect\.deleteProperty\(self,`Worker`\)/, '0'],
      // Pyodide has started by then: it refuses to where `importScripts` is there.
      [/self\.fetch=(\w+\(\{currentCall:)/, 'delete self.importScripts,self.bridge=$1'],
    ]);
  },
};

/** The page takes the tool worker's script by its hash. */
async function editToolWorker(folder: string, edits: readonly [RegExp, string][]): Promise<void> {
  const name = await scriptNamed(folder, 'tool-worker-');
  const before = sha256(await readFile(join(folder, name)), 'hex');
  for (const [pattern, by] of edits) await edit(folder, name, pattern, by);
  const content = await readFile(join(folder, name));
  const told = new RegExp(`${before}(\`,bytes:)\\d+`);
  const entry = `${sha256(content, 'hex')}$1${content.byteLength}`;
  await edit(folder, await pageScript(folder), told, entry);
}

function pageScript(folder: string): Promise<string> {
  return scriptNamed(folder, 'index-');
}

async function scriptNamed(folder: string, start: string): Promise<string> {
  const names = await readdir(join(folder, 'assets'));
  const [name, ...others] = names.filter((one) => one.startsWith(start) && one.endsWith('.js'));
  if (name === undefined || others.length > 0)
    throw new Error(`assets: expected one script ${start}*.js.`);
  return `assets/${name}`;
}

/** @throws where the wall is not found exactly once: it is built otherwise by now */
async function edit(folder: string, name: string, wall: RegExp, by: string): Promise<void> {
  const file = join(folder, name);
  const text = await readFile(file, 'utf8');
  if ([...text.matchAll(new RegExp(wall, 'g'))].length !== 1)
    throw new Error(`${name}: expected ${String(wall)} exactly once.`);
  await writeFile(file, text.replace(wall, by));
}
