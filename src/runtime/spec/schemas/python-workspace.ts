/**
 * Changes in an interpreter's copy of the workspace, as the tool worker reports them. Hostile code may have written
 * them: the broker bounds the whole message, and the page decides whether the paths may be written.
 */

import { boolean, list, literal, number, object, string } from './schema.ts';

const path = string({ maxLength: 1_000 });
const paths = list(path, { maxItems: 20_000 });

/** An entry of the copy that is not returned, and why. */
const left = object({
  path,
  why: literal('link', 'special', 'large', 'long', 'many'),
});

export const pythonWorkspace = object({
  /** Written files, in base64; empty if only paths were requested. */
  files: list(
    object({ path, modifiedAt: number({ minimum: -8.64e15, maximum: 8.64e15 }), data: string() }),
    { maxItems: 20_000 },
  ),
  removed: paths,
  folders: paths,
  foldersGone: paths,
  left: list(left, { maxItems: 20_001 }),
  /** Whether the message is full, so that another request returns the rest. */
  more: boolean,
});
