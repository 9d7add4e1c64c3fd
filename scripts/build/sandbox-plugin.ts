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
  /** The virtual modules, each with its product and what it exports. */
  const modules = new Map<string, readonly [Product<unknown>, () => Promise<object>]>([
    ['virtual:cloche/frame-boot', [boot, () => boot.get()]],
    [
      'virtual:cloche/sandbox-assets',
      [
        files,
        async () => ({ sandboxAssets: (await files.get()).map(({ content: _, ...rest }) => rest) }),
      ],
    ],
    ['virtual:cloche/file-fetcher', [fetcher, async () => ({ source: await fetcher.get() })]],
    ['virtual:cloche/network-sender', [sender, async () => ({ source: await sender.get() })]],
  ]);
  return {
    name: 'cloche:sandbox',
    resolveId(id) {
      return modules.has(id) ? `\0${id}` : undefined;
    },
    async load(id) {
      const [, read] = modules.get(id.slice(1)) ?? [];
      return read && exportsText(await read());
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
      const made = [...modules].map(([id, [product]]) => [product, `\0${id}`] as const);
      return reloadAfter(this.environment, file, made);
    },
  };
}
