/** Links the error of a call to the page where the user can provide what the tool lacks. */

import { saysKeyRefused, saysUngranted } from '../../../../runtime/grants/request-refusal.ts';
import type { FileSettings } from '../../../../runtime/registry/registry.ts';

export interface Remedy {
  /** A section of the Policy page. */
  readonly section: 'network' | 'secrets' | 'settings';
  readonly words: string;
}

/** @param settings what the folder's files read, to tell an environment variable from a key of another dictionary */
export function remedyOf(error: string, settings: readonly FileSettings[]): Remedy | null {
  if (saysUngranted(error)) return { section: 'network', words: 'Review network access' };
  if (saysKeyRefused(error)) return { section: 'secrets', words: 'Add a secret' };
  const name = /^KeyError: '(\w+)'$/.exec(error)?.[1];
  const isVariable = settings.some((file) =>
    file.settings.some((one) => one.group === 'environment' && one.name === name),
  );
  return isVariable ? { section: 'settings', words: `Set ${name ?? ''}` } : null;
}
