/** Validates the tool worker's report of changes in its copy of the workspace, and decodes file contents. */

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

interface EncodedReport extends Omit<WorkspaceReport, 'files' | 'left'> {
  readonly files: readonly { path: string; modifiedAt: number; data: string }[];
  readonly left: readonly LeftInCopy[];
}

/** Limit of the answer to a request, in characters. */
export function workspaceChars({ tell, fileBytes }: WorkspaceRequest): number {
  // The allowance per path covers escaped characters and the JSON around it.
  const paths = mostInCopy * (longestPathInCopy + 100);
  if (tell === 'nothing') return 100_000;
  return paths + (tell === 'contents' ? Math.ceil(((fileBytes + answerBytes) * 4) / 3) : 0);
}

/** Null if the payload is invalid. The page decides whether the paths may be written. */
export function toWorkspaceReport(payload: string): { value: WorkspaceReport } | null {
  const report = parse(payload);
  if (!pythonWorkspace(report)) return null;
  const { files, ...rest } = report as EncodedReport;
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
