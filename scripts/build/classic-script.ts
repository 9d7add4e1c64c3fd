/** Bundles one entry and its imports into one script: a classic one, the only kind that runs in the sandbox, or a module. */
import { build, type PluginOption } from 'vite';
import type { Made } from './product.ts';

export interface BuildSettings {
  /** Absolute path of the project. */
  root: string;
  mode: string;
  minify: boolean;
  /** Plugins that the worker scripts need too. */
  plugins: PluginOption[];
}

/** `entry` is an absolute path. */
export async function bundleClassic(entry: string, settings: BuildSettings): Promise<Made<string>> {
  return bundle('iife', entry, settings);
}

/** Bundles an entry and its imports into one module with the entry's exports. `entry` is an absolute path. */
export async function bundleModule(entry: string, settings: BuildSettings): Promise<Made<string>> {
  return bundle('es', entry, settings);
}

async function bundle(
  format: 'iife' | 'es',
  entry: string,
  { root, mode, minify, plugins }: BuildSettings,
): Promise<Made<string>> {
  const built = await build({
    root,
    mode,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    plugins,
    build: {
      write: false,
      target: 'es2022',
      minify,
      // In the development server, the sources of workers can be debugged. `inline` adds no second file.
      sourcemap: mode === 'development' ? 'inline' : false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: entry,
        ...(format === 'es' && { preserveEntrySignatures: 'strict' as const }),
        output: { format, codeSplitting: false },
        checks: { bundlerTimings: false },
      },
    },
  });
  if (Array.isArray(built) || !('output' in built)) {
    throw new Error(`${entry}: expected one bundle.`);
  }
  const [chunk, ...others] = built.output;
  if (others.length > 0) {
    const names = others.map((other) => other.fileName).join(', ');
    throw new Error(`${entry}: must become one script, but the build also made ${names}.`);
  }
  return {
    value: chunk.code,
    sources: chunk.moduleIds.filter((id) => !id.startsWith('\0')),
  };
}
