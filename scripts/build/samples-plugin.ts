/** Vite plugin: the files of tools-samples/ as one asset, which the page fetches when the user opens the samples. */
import { readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { Plugin } from 'vite';
import { filesBelow } from '../read-files.mjs';
import { hashed, hashedUrl } from './digest.ts';
import { filesPlugin, type SiteFiles } from './files-plugin.ts';

const folderName = 'tools-samples';

export function samplesPlugin(root: string): Plugin {
  const folder = join(root, folderName);
  return filesPlugin('samples', async () => ({
    value: await readSamples(folder),
    sources: [folder + sep],
  }));
}

/** Reads the sample folders. */
async function readSamples(folder: string): Promise<SiteFiles> {
  const files = (await filesBelow(folder)).filter(isShipped);
  const texts = await Promise.all(
    files.map(async (path) => [shipped(path), text(path, await readFile(join(folder, path)))]),
  );
  // Path inside the folder → text.
  const content = JSON.stringify(Object.fromEntries(texts));
  const url = hashedUrl('samples.json', content);
  return { files: new Map([[url, content]]), exports: { samples: hashed({ url, content }) } };
}

/** The recorded calls are the saved tests of the samples. */
function shipped(path: string): string {
  return path.replace(/^calls\//, 'tests/');
}

// The README is for readers of the source.
function isShipped(path: string): boolean {
  return !/(^|\/)(\.|__pycache__\/|README\.md$)/.test(path);
}

function text(path: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${folderName}/${path} is not UTF-8 text: the samples are shipped as text.`);
  }
}
