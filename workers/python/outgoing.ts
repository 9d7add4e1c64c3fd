/** Sends the tool worker's messages to the broker, in pieces. */

import { toPieces, type HeaderType } from '../../src/protocol/python.ts';

// Bound before tool code can replace it. A tool that forges messages anyway affects only its own interpreter.
const post: (message: string | Blob) => void = self.postMessage.bind(self);

/** Sends a header that Python has serialised, and its payload. */
export function emit(header: string, payload: string): void {
  for (const piece of toPieces(`${header}\n${payload}`)) post(piece);
}

export function send(t: HeaderType, id: number, payload = ''): void {
  emit(JSON.stringify({ t, id }), payload);
}

/** Sends the only answer that is not a string, from a worker that does nothing else. */
export function sendSnapshot(snapshot: Blob): void {
  post(snapshot);
}
