/** The pool of interpreters of an opened folder; it comes behind the first paint. */

import type { OpenHost } from './call/call-host.ts';
import { capacityOf, type Device } from './sandbox/capacity.ts';
import { InterpreterPool } from './sandbox/interpreter-pool.ts';
import type { FindWorkspace } from './sandbox/interpreter-workspace.ts';
import type { InterpreterSource } from './sandbox/interpreter-source.ts';
import type { FolderSnapshot } from './spec/folder.ts';
import type { Limits } from './spec/limits.ts';
import type { Wheel } from './spec/wheel.ts';

export interface OpenPoolDeps {
  readonly navigator: Device;
  readonly limits: Limits;
  /** Packages of the folder, to be installed in each interpreter. */
  readonly wheels: readonly Wheel[];
  readonly openHost: OpenHost;
  /** Of the folder. */
  readonly findWorkspace: FindWorkspace;
  /** Told of what listeners throw. */
  readonly report: (thrown: unknown) => void;
}

export function openPool(
  folder: FolderSnapshot,
  source: InterpreterSource,
  { navigator, limits, wheels, openHost, findWorkspace, report }: OpenPoolDeps,
): InterpreterPool {
  return new InterpreterPool(folder, {
    take: async (signal, spare) => {
      const python = await source.take(signal, spare);
      python.openWorkspace(findWorkspace);
      try {
        if (wheels.length > 0) await python.install(signal, wheels, limits);
      } catch (thrown) {
        python.dispose();
        throw thrown;
      }
      return python;
    },
    capacity: capacityOf(navigator),
    limits,
    openHost,
    report,
  });
}
