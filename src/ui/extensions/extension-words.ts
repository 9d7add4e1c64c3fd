/** Text about extensions. */

import type { ExtensionView } from '../../extensions/extensions.ts';
import type { RegisteredView } from '../../extensions/owner.ts';

export const stateWords: Readonly<Record<ExtensionView['state'], string>> = {
  starting: 'Starting',
  running: 'Running',
  restarting: 'Restarting after it ended',
  failed: 'Not running',
  ended: 'Ended',
  off: 'Disabled',
  'too-many': 'Not loaded: a folder can have 8 extensions',
};

/** Why a registration is not in force. */
export function inertWords({ fault, missing }: RegisteredView): string {
  if (fault !== '') return fault;
  return missing.length > 0 ? 'Not in force: it lacks a power' : 'Not in force';
}
