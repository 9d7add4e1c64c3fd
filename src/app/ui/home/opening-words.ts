/** Describes the progress of opening a folder, consistently with the state of Python on the page. */

import { groupDigits } from '../../../runtime/spec/count-text.ts';
import type { AppStatus } from '../../app.ts';

type OpeningStatus = Pick<
  AppStatus,
  'phase' | 'done' | 'total' | 'python' | 'pythonStep' | 'message'
>;

/** Description of the current step. */
export function openingStep({ phase, done, total, python }: OpeningStatus): string {
  const amount = `${groupDigits(done)}${total > 0 ? ` of ${groupDigits(total)}` : ''}`;
  switch (phase) {
    case 'reading':
      return done > 0 ? `Reading files: ${amount}` : 'Reading files';
    case 'packages':
      return total > 0 ? `Downloading packages: ${amount}` : 'Downloading packages';
    case 'starting':
      // After a reload, Python is often ready before the folder has been read.
      return isThere(python) ? 'Copying files to Python' : 'Starting Python';
    default:
      return total > 0 ? `Inspecting ${amount} tool files` : 'Inspecting tool files';
  }
}

/** Details of the step; empty if there are none. */
export function openingDetail({ phase, python, pythonStep, message }: OpeningStatus): string {
  return phase === 'starting' && !isThere(python) && pythonStep !== '' ? pythonStep : message;
}

function isThere(python: AppStatus['python']): boolean {
  return python === 'ready' || python === 'busy';
}
