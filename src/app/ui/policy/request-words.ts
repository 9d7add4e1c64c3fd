/** Text for a request in the list: outcome, sizes, duration. */

import type { LoggedRequest } from '../../../runtime/grants/request-log.ts';
import { byteSize, formatDuration } from '../parts/format.ts';

export interface RequestWords {
  readonly ending: string;
  /** Whether the request was refused or broke off. */
  readonly failed: boolean;
  readonly sent: string;
  readonly received: string;
  readonly took: string;
}

export function requestWords(request: LoggedRequest): RequestWords {
  const { status, fault, durationMs, sentBytes, receivedBytes } = request;
  const waits = durationMs === null;
  const answered = status === null ? '' : String(status);
  const going = status === null ? 'pending' : `${answered}, receiving`;
  return {
    ending: fault !== '' ? [answered, fault].filter(Boolean).join(': ') : waits ? going : answered,
    failed: fault !== '',
    sent: byteSize(sentBytes),
    received: byteSize(receivedBytes),
    // A request that was never sent has no duration.
    took: waits || status === null ? '' : formatDuration(durationMs),
  };
}
