/**
 * Vite plugin for the sandbox: its boot script, the list of its files, and the scripts of two workers become virtual modules.
 * The files themselves are served in development, and are assets of the build.
 */
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { bundleClassic, type BuildSettings } from './classic-script.ts';
import { exportsText } from './files-plugin.ts';
import { frameBoot, type FrameBoot } from './frame-boot.ts';
import { Product } from './product.ts';
import { sandboxFiles, type SandboxFile } from './sandbox-assets.ts';
import { reloadAfter, serveFile } from './dev-server.ts';

const bootModule = 'virtual:cloche/frame-boot';
const assetsModule = 'virtual:cloche/sandbox-assets';
const fetcherModule = 'virtual:cloche/file-fetcher';
const senderModule = 'virtual:cloche/network-sender';
const modules = [bootModule, assetsModule, fetcherModule, senderModule];

export interface SandboxProducts {
  boot: Product<FrameBoot>;
  files: Product<SandboxFile[]>;
  fetcher: Product<string>;
  sender: Product<string>;
}

export function sandboxProducts(settings: BuildSettings): SandboxProducts {
  return {
    boot: new Product(() => frameBoot(settings)),
    files: new Product(() => sandboxFiles(settings)),
    fetcher: new Product(() =>
      bundleClassic(join(settings.root, 'workers/files/fetcher.ts'), settings),
    ),
    sender: new Product(() =>
      bundleClassic(join(settings.root, 'workers/network/sender.ts'), settings),
    ),
  };
}

export function sandboxPlugin({ boot, files, fetcher, sender }: SandboxProducts): Plugin {
  return {
    name: 'cloche:sandbox',
    resolveId(id) {
      return modules.includes(id) ? `\0${id}` : undefined;
    },
    async load(id) {
      if (id === `\0${bootModule}`) {
        const { source, hash } = await boot.get();
        return exportsText({ source, hash });
      }
      if (id === `\0${assetsModule}`) {
        return exportsText({ sandboxAssets: (await files.get()).map(entry) });
      }
      if (id === `\0${fetcherModule}`) return exportsText({ source: await fetcher.get() });
      if (id === `\0${senderModule}`) return exportsText({ source: await sender.get() });
      return undefined;
    },
    async generateBundle() {
      for (const { url, content } of await files.get()) {
        this.emitFile({ type: 'asset', fileName: url, source: content });
      }
    },
    configureServer(server) {
      serveFile(
        server,
        async (path) => (await files.get()).find((file) => file.url === path)?.content,
      );
    },
    hotUpdate({ file }) {
      return reloadAfter(this.environment, file, [
        [boot, `\0${bootModule}`],
        [files, `\0${assetsModule}`],
        [fetcher, `\0${fetcherModule}`],
        [sender, `\0${senderModule}`],
      ]);
    },
  };
}

function entry({ name, url, sha256, bytes }: SandboxFile): Omit<SandboxFile, 'content'> {
  return { name, url, sha256, bytes };
}
