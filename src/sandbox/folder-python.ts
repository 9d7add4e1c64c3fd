/** What the pool needs of interpreters; tests put a fake in their place. */

import type { InterpreterCalls } from './interpreter-calls.ts';
import type { Interpreter } from './interpreter.ts';

/** One that has the folder's files. */
export type FolderPython = Pick<
  Interpreter,
  | 'name'
  | 'workspace'
  | 'alive'
  | 'ended'
  | 'inspect'
  | 'updateFiles'
  | 'mayOverlap'
  | 'needsApproval'
  | 'dispose'
> & { readonly caller: Pick<InterpreterCalls, 'call'> };

/** One that has seen no tool code. */
export type PristinePython = FolderPython & Pick<Interpreter, 'openFolder'>;
