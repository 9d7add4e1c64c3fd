/** Converts what a handler returned to a result's content, spelled as in Python. */

import { toBase64 } from '../../../src/runtime/spec/bytes.ts';
import type { ContentPart } from '../../../src/runtime/spec/result.ts';
import { ExactJson, Formatted } from './tool-file.ts';

export function pythonContent(value: unknown): ContentPart[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (value instanceof ExactJson) return [{ type: 'json', text: value.text }];
  if (value instanceof Formatted)
    return [{ type: 'text', text: value.text, mediaType: value.mediaType }];
  if (value instanceof Uint8Array) return [bytes(value)];
  return [{ type: 'json', text: pythonJson(value) }];
}

/** As `json.dumps` writes it. */
export function pythonJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(
      ([key, item]) => `${JSON.stringify(key)}: ${pythonJson(item)}`,
    );
    return `{${entries.join(', ')}}`;
  }
  return JSON.stringify(value ?? null);
}

function bytes(value: Uint8Array): ContentPart {
  const begins = (...start: readonly number[]): boolean =>
    start.every((byte, index) => value[index] === byte);
  const data = toBase64(value);
  if (begins(0x89, 0x50)) return { type: 'image', mediaType: 'image/png', data };
  if (begins(0x52, 0x49)) return { type: 'binary', mediaType: 'audio/wav', data };
  const mediaType = begins(0x50, 0x4b) ? 'application/zip' : 'application/octet-stream';
  return { type: 'binary', mediaType, data };
}
