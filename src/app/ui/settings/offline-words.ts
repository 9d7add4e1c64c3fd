/** Text for the state of offline use. */

import type { OfflineState } from '../../../runtime/spec/offline.ts';

/** The text for the status line; null while the state is unknown. */
export function offlineWords(state: OfflineState): string | null {
  switch (state.at) {
    case 'unknown':
      return null;
    case 'storing':
      return state.total === 0
        ? 'Storing for offline use'
        : `Storing for offline use, ${megabytes(state.done)} of ${megabytes(state.total)} MB`;
    case 'ready':
      return 'Offline ready';
    case 'declined':
      return 'Not stored for offline use';
    case 'failed':
      return `Could not store for offline use: ${state.message}`;
    case 'unavailable':
      return 'Offline use unavailable';
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1);
}
