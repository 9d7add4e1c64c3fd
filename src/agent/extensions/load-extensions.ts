/** Loads the code of extensions when the open folder has one, and makes calls wait for those that may refuse them. */

import type { CallInterceptors } from '../../runtime/call/interceptors.ts';
import type { Extensions } from './extensions.ts';
import type { Policies } from '../../runtime/grants/policies.ts';
import type { Registry } from '../../runtime/registry/registry.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { StatusHolder } from '../../runtime/open-folder/status.ts';
import type { FolderLoader } from '../../runtime/open-folder/folder-loader.ts';

export interface LoadExtensionsDeps {
  readonly registry: Pick<Registry, 'state' | 'extensions' | 'observe'>;
  readonly interceptors: Pick<CallInterceptors, 'hold'>;
  readonly folder: Pick<FolderLoader, 'settled' | 'current'>;
  readonly status: Pick<StatusHolder, 'get' | 'observe'>;
  readonly policies: Pick<Policies, 'current'>;
  readonly policyLoaded: () => Promise<void>;
  readonly extensions: () => Promise<Pick<Extensions, 'settled'>>;
  /** Nothing can be granted in a frame of another site, so extensions are not loaded. */
  readonly framed: boolean;
  readonly report: (thrown: unknown) => void;
}

export function loadExtensions(deps: LoadExtensionsDeps): void {
  const { registry, interceptors, extensions, framed, report } = deps;
  if (framed) return;
  let state = registry.state;
  let release = (): void => undefined;
  const follow = (): void => {
    const isOpening = registry.state === 'scanning' && state !== 'scanning';
    if (isOpening || registry.state === 'none') release();
    // The hold also ends by itself when the guards are ready.
    if (isOpening) release = interceptors.hold(guardsReady(deps));
    ({ state } = registry);
    if (registry.extensions.length > 0) extensions().catch(report);
  };
  registry.observe(follow);
  follow();
}

/**
 * Resolves when every extension that may refuse calls is active; at once if there is none.
 * @throws {ToolError} if one could not be loaded
 */
async function guardsReady(deps: LoadExtensionsDeps): Promise<void> {
  const { registry, folder, policies, policyLoaded, extensions } = deps;
  await folderRead(deps);
  await policyLoaded();
  const guards = policies.current
    .get()
    .extensions.filter(({ allowed, off }) => allowed.includes('intercept') && !off);
  if (guards.length === 0) return;
  await folder.settled();
  const loaded = new Set(registry.extensions.map(({ file }) => file));
  const paths = new Set(folder.current?.snapshot.files.map(({ path }) => path));
  const broken = guards.find(({ file }) => paths.has(file) && !loaded.has(file));
  if (broken !== undefined)
    throw new ToolError(
      'crashed',
      `The extension ${broken.file}, which may refuse calls, could not be loaded. See the folder’s problems, and open the folder again; or disable the extension on the page Extensions.`,
    );
  await (await extensions()).settled();
}

/** Resolves when the folder's files have been read, or will not be. Before that, its policy is not known. */
function folderRead({ folder, status }: LoadExtensionsDeps): Promise<void> {
  return new Promise((resolve) => {
    const isOver = (): boolean =>
      folder.current !== null || /^(none|failed)$/.test(status.get().phase);
    const end = status.observe(() => {
      if (!isOver()) return;
      end();
      resolve();
    });
    // `isOver` is called only at the next change of the status. When the registry begins to scan, the status may still be
    // that of the folder before, such as `failed`. The current folder cannot be that one: it is null until the new folder
    // has been read, and if the same folder is loaded again, its policy is known.
  });
}
