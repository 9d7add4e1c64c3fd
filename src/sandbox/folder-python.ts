/** What the pool needs of interpreters; tests put a fake in their place. */

import type { Interpreter } from './interpreter.ts';

/** One that has the folder's files. */
export type FolderPython = Pick<
  Interpreter,
  | 'name'
  | 'workspace'
  | 'alive'
  | 'ended'
  | 'call'
  | 'inspect'
  | 'updateFiles'
  | 'mayOverlap'
  | 'needsApproval'
  | 'dispose'
>;

/** One that has seen no tool code. */
export type PristinePython = FolderPython & Pick<Interpreter, 'openFolder'>;
