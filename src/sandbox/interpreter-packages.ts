/** What is asked of an interpreter about packages, before it is given anything of a folder. */

import type { OrLost } from '../protocol/frame.ts';
import type { ResolveAnswer, ResolveRequest } from '../protocol/packages.ts';
import type { Limits } from '../spec/limits.ts';
import type { Wheel } from '../spec/wheel.ts';
import type { Interpreter } from './interpreter.ts';
import { orThrow } from './loss-error.ts';
import { wait } from '../async/wait.ts';
import { newId } from './new-id.ts';

/** How long one round of the resolver may take; milliseconds. */
const resolveMs = 60_000;

/** @throws {ToolError} and the interpreter is of no use any more */
export async function installWheels(
  signal: AbortSignal,
  python: Interpreter,
  wheels: readonly Wheel[],
  limits: Limits,
): Promise<void> {
  await python.reach(async (broker, life) => {
    const asked = broker.install(newId(), { wheels });
    orThrow(
      await wait<OrLost<null>>(signal, asked, {
        lost: life,
        deadlineMs: limits.startMs,
        what: 'Installing packages',
      }),
    );
  });
}

/**
 * Makes the interpreter one that answers what the resolver is asked, and nothing else.
 * @param archive the resolver's modules
 */
export function resolverIn(
  python: Interpreter,
  archive: Blob,
): (signal: AbortSignal, request: ResolveRequest) => Promise<ResolveAnswer> {
  let handed = false;
  return (signal, request) =>
    python.reach(async (broker, life) => {
      const asked = broker.resolve(newId(), handed ? null : archive, request);
      handed = true;
      const what = 'Finding out which packages fit';
      return orThrow(
        await wait<OrLost<ResolveAnswer>>(signal, asked, {
          lost: life,
          deadlineMs: resolveMs,
          what,
        }),
      );
    });
}
