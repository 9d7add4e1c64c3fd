/** SHA-256 of a file's content, in the two spellings that the build needs. */
import { createHash } from 'node:crypto';

export function sha256(content: string | Uint8Array, encoding: 'hex' | 'base64'): string {
  return createHash('sha256').update(content).digest(encoding);
}
