/** What the tool worker says has changed in its copy of the workspace: checked, and its contents made bytes. */

import { pythonWorkspace } from 'virtual:cloche/validators';
import { fromBase64 } from '../../src/protocol/base64.ts';
import {
  answerBytes,
  longestPathInCopy,
  mostInCopy,
  type LeftInCopy,
  type WorkspaceReport,
  type WorkspaceRequest,
} from '../../src/protocol/workspace.ts';

interface Said extends Omit<WorkspaceReport, 'files' | 'left'> {
  readonly files: readonly { path: string; modifiedAt: number; data: string }[];
  readonly left: readonly LeftInCopy[];
}

/** Characters that an answer may have. */
export function workspaceRoom({ tell, fileBytes }: WorkspaceRequest): number {
  // Each character of a path may be escaped to two, and each path comes with some words of its own.
  const paths = mostInCopy * (longestPathInCopy + 100);
  if (tell === 'nothing') return 100_000;
  return paths + (tell === 'contents' ? Math.ceil(((fileBytes + answerBytes) * 4) / 3) : 0);
}

/** Null where it is not in our form. Whether the paths may be written anywhere is for the page to say. */
export function toWorkspaceReport(payload: string): { value: WorkspaceReport } | null {
  const said = parse(payload);
  if (!pythonWorkspace(said)) return null;
  const { files, ...rest } = said as Said;
  const decoded: WorkspaceReport['files'][number][] = [];
  for (const { path, modifiedAt, data } of files) {
    const bytes = fromBase64(data);
    if (bytes === null) return null;
    decoded.push({ path, modifiedAt, bytes });
  }
  return { value: { ...rest, files: decoded } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
