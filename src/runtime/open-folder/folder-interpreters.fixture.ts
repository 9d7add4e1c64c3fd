/** Fake interpreters that run nothing. */

import { fakeInspection } from '../scan/tool.fixture.ts';
import type { FolderInterpreters } from './folder-interpreters.ts';

export function fakeInterpreters(changes: Partial<FolderInterpreters> = {}): FolderInterpreters {
  const nothing = () => undefined;
  return {
    list: () => [],
    observe: () => nothing,
    ready: () => Promise.resolve(),
    inspect: (_, files, onReport) => {
      for (const file of files) onReport(fakeInspection(file));
      return Promise.resolve();
    },
    run: () => Promise.reject(new Error('nothing to run')),
    check: () => Promise.resolve(null),
    needsApproval: () => Promise.resolve(false),
    judge: () => Promise.resolve([]),
    endSession: nothing,
    update: nothing,
    setSettings: nothing,
    openInspector: () => ({
      inspect: () => Promise.resolve(),
      propose: () => Promise.reject(new Error('nothing to propose')),
      dispose: nothing,
    }),
    rest: nothing,
    wake: nothing,
    retire: nothing,
    dispose: nothing,
    ...changes,
  };
}
