/** Creates what lies between a caller and the sandbox: the registry of tools, the call path, and the loader of the folder. */

import { runAfter } from '../async/timers.ts';
import { CallPath, type CallPathDeps } from '../call/call-path.ts';
import { CallInterceptors } from '../call/interceptors.ts';
import type { FolderSource } from '../folder/source.ts';
import { CurrentFolder } from '../open-folder/current-folder.ts';
import { CurrentInterpreters } from '../open-folder/folder-interpreters.ts';
import { FolderLoader, type FolderLoaderDeps } from '../open-folder/folder-loader.ts';
import { Registry } from '../registry/registry.ts';
import type { LoggedCall, ToolCall } from '../spec/call.ts';
import type { Limits } from '../spec/limits.ts';

export interface CallsDeps
  extends
    Pick<FolderLoaderDeps, 'status' | 'openInterpreters' | 'preparePackages'>,
    Pick<CallPathDeps, 'selected' | 'isApproved' | 'approve' | 'outputMask'> {
  readonly document: Document;
  readonly limits: Limits;
  /** Ids of the known folders, by their sources. */
  readonly folderIds: WeakMap<FolderSource, string>;
  /** Starts the call's log entry; must not throw. */
  readonly begin: (
    call: ToolCall,
    at: number,
    code: CalledCode,
  ) => ReturnType<CallPathDeps['begin']>;
  /** Receives errors thrown by listeners. */
  readonly report: (thrown: unknown) => void;
}

/** The folder and the version of the file that a call runs. */
export type CalledCode = Pick<LoggedCall, 'folder' | 'folderId' | 'fileHash'>;

export interface CallsConnection {
  readonly registry: Registry;
  readonly calls: CallPath;
  readonly interceptors: CallInterceptors;
  readonly interpreters: CurrentInterpreters;
  readonly currentFolder: CurrentFolder;
  readonly folder: FolderLoader;
}

export function connectCalls(deps: CallsDeps): CallsConnection {
  const { document, limits, begin, report } = deps;
  const currentFolder = new CurrentFolder(deps.folderIds);
  const interpreters = new CurrentInterpreters(report);
  const registry = new Registry(interpreters.dispatch, report);
  const interceptors = new CallInterceptors(limits);
  const now = (): number => Date.now();
  const calls = new CallPath({
    ...deps,
    registry,
    interceptors,
    begin: (call, at) => {
      const hash = registry.get(call.tool)?.hash;
      const code = { ...currentFolder.reference, ...(hash !== undefined && { fileHash: hash }) };
      return begin(call, at, code);
    },
    now,
  });
  const folder = new FolderLoader({
    ...deps,
    currentFolder,
    interpreters,
    registry,
    calls,
    after: runAfter,
    visible: {
      now: () => document.visibilityState === 'visible',
      observe: (listener) => {
        document.addEventListener('visibilitychange', listener);
        return () => document.removeEventListener('visibilitychange', listener);
      },
    },
    now,
  });
  return { registry, calls, interceptors, interpreters, currentFolder, folder };
}
