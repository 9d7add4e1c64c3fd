/** The tool worker's way out: messages to the broker, cut into pieces. */

import { toPieces, type HeaderType } from '../../src/protocol/python.ts';

// Held before tool code can replace it; a tool that forges messages anyway spoils its own calls only.
const post: (message: string | Blob) => void = self.postMessage.bind(self);

/** Sends a header as Python made it, and its payload. */
export function emit(header: string, payload: string): void {
  for (const piece of toPieces(`${header}\n${payload}`)) post(piece);
}

export function send(t: HeaderType, id: number, payload = ''): void {
  emit(JSON.stringify({ t, id }), payload);
}

/** The one answer that is no string; of a worker that does nothing else. */
export function sendSnapshot(snapshot: Blob): void {
  post(snapshot);
}
