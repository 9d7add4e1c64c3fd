/**
 * What the page says about the outcome of a call: label and icon, where a cancelled call is not an error, and a link to
 * the page where the user can provide what the tool lacks.
 */

import type { ToolResult } from '../../../../runtime/spec/result.ts';
import type { IconName } from '../../parts/icons.ts';
import { saysKeyRefused, saysUngranted } from '../../../../runtime/grants/request-refusal.ts';
import type { FileSettings } from '../../../../runtime/registry/registry.ts';

export interface Outcome {
  readonly words: string;
  readonly icon: IconName & ('done' | 'error' | 'stop');
}

export function outcomeOf({
  resultType,
  isError,
  error,
}: Pick<ToolResult, 'resultType' | 'isError' | 'error'>): Outcome {
  if (resultType === 'success')
    return isError
      ? { words: 'Returned an error', icon: 'error' }
      : { words: 'Success', icon: 'done' };
  switch (error) {
    case 'cancelled':
      return { words: 'Cancelled', icon: 'stop' };
    case 'timeout':
      return { words: 'Timed out', icon: 'error' };
    case 'interrupted':
      return { words: 'Interrupted', icon: 'error' };
    case 'crashed':
      return { words: 'Crashed', icon: 'error' };
    case 'approval_required':
      return { words: 'Approval required', icon: 'error' };
    default:
      return { words: 'Failed', icon: 'error' };
  }
}

export interface Remedy {
  /** The Workspace page, or a section of the Policy page. */
  readonly section: 'workspace' | 'network' | 'secrets' | 'settings';
  readonly words: string;
}

/**
 * @param traceback including the lines of source code
 * @param folder.settings what the folder's files read, to tell an environment variable from a key of another dictionary
 */
export function remedyOf(
  error: string,
  traceback: string,
  folder: { readonly settings: readonly FileSettings[]; readonly lacksWorkspace: boolean },
): Remedy | null {
  // Without a workspace, `workspace_path` is None, and most tools use it as if it were a string.
  const isAboutNone = /^TypeError: .*NoneType/.test(error);
  if (folder.lacksWorkspace && isAboutNone && traceback.includes('workspace_path'))
    return { section: 'workspace', words: 'Choose a workspace' };
  if (saysUngranted(error)) return { section: 'network', words: 'Review network access' };
  if (saysKeyRefused(error)) return { section: 'secrets', words: 'Add a secret' };
  const name = /^KeyError: '(\w+)'$/.exec(error)?.[1];
  const isVariable = folder.settings.some((file) =>
    file.settings.some((one) => one.group === 'environment' && one.name === name),
  );
  return isVariable ? { section: 'settings', words: `Set ${name ?? ''}` } : null;
}
