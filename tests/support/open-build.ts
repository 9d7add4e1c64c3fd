/** The built app without some of the sandbox's walls: shows that an attack would succeed without them. */

import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256 } from '../../scripts/build/digest.ts';
import { distFolder } from '../../scripts/dist.mjs';
import { serveFolder } from '../../scripts/static-server.mjs';
import { withHashes } from './integrity.ts';

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
    await edit(folder, [
      [
        /<meta\s+http-equiv="Content-Security-Policy"\s+content="default-src 'none'; script-src[^>]*>/,
        '',
      ],
      [/(?<=<!doctype html>)<meta http-equiv="Content-Security-Policy" content="\$\{\w+\}">/, ''],
    ]);
  },
  async sandbox(folder) {
    await edit(folder, [
      [/\w+\.setAttribute\(`sandbox`,`allow-scripts`\),/, ''],
      // A library of the tool worker parses its own address, and fails at a blob address with a real origin.
      [/self\.location\.origin!==`null`/, 'false'],
    ]);
  },
  async worker(folder) {
    await edit(folder, [
      [/\w+\(self,navigator\)(?=,\w+\.importScripts=void 0)/, '0'],
      // Pyodide has started by then: it refuses to where `importScripts` is there.
      [/self\.fetch=(\w+\(\{currentCall:)/, 'delete self.importScripts,self.bridge=$1'],
    ]);
  },
};

/** Edits what the sandbox runs, and the page's knowledge of its hash with it. */
async function edit(folder: string, edits: readonly (readonly [RegExp, string])[]): Promise<void> {
  const assets = (await readdir(join(folder, 'assets'))).map((name) => `assets/${name}`);
  // The page of playgrounds has files of its own.
  const isOfPage = (name: string): boolean => /^assets\/(?!playground-).*\.js$/.test(name);
  const names = ['index.html', ...assets.filter(isOfPage)];
  const toolWorker = names.find((name) => name.startsWith('assets/tool-worker-')) ?? '';
  const texts = new Map<string, string>();
  for (const name of names) texts.set(name, await readFile(join(folder, name), 'utf8'));
  const before = sha256(texts.get(toolWorker) ?? '', 'hex');
  for (const [pattern, by] of edits) replaceOnce(texts, pattern, by);
  const after = texts.get(toolWorker) ?? '';
  const entry = `${sha256(after, 'hex')}$1${Buffer.byteLength(after)}`;
  replaceOnce(texts, new RegExp(`${before}(\`,bytes:)\\d+`), entry);
  texts.set('index.html', withHashes(texts.get('index.html') ?? '', texts));
  for (const [name, text] of texts) await writeFile(join(folder, name), text);
}

/** @throws where it is not found exactly once: it is built otherwise by now */
function replaceOnce(texts: Map<string, string>, pattern: RegExp, by: string): void {
  const all = new RegExp(pattern, 'g');
  const found = [...texts].flatMap(([name, text]) =>
    // The workers that check arguments and speak MCP have the same validator as the sandbox.
    /^assets\/(checker|client)-/.test(name) ? [] : [...text.matchAll(all)].map(() => name),
  );
  const [name = '', ...others] = found;
  const text = texts.get(name);
  if (text === undefined || others.length > 0)
    throw new Error(`Expected ${String(pattern)} once in the built files, found ${found.length}.`);
  texts.set(name, text.replace(pattern, by));
}
