/** Reads a request's body, up to the page's limit. */

import { defaultLimits } from '../../src/spec/limits.ts';

// The page's limit for a value, so that larger bodies are rejected here.
const mostBytes = defaultLimits.valueChars;

/** The body; `null` if there is none. */
export async function readBody(request: Request): Promise<ArrayBuffer | 'too-large' | null> {
  if (request.method === 'GET' || request.method === 'HEAD') return null;
  // Firefox has no `body` here.
  const reader = request.body?.getReader();
  if (reader === undefined) return request.arrayBuffer();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joined(chunks, length);
    length += value.byteLength;
    if (length > mostBytes) {
      await reader.cancel();
      return 'too-large';
    }
    chunks.push(value);
  }
}

function joined(chunks: readonly Uint8Array[], length: number): ArrayBuffer {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole.buffer;
}
