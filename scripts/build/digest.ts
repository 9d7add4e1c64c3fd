/** SHA-256 of a file's content, in the spellings that the build needs. */
import { createHash } from 'node:crypto';

export function sha256(content: string | Uint8Array, encoding: 'hex' | 'base64'): string {
  return createHash('sha256').update(content).digest(encoding);
}

/** The address of a file of the build, which changes with its content. */
export function hashedUrl(file: string, content: string | Uint8Array): string {
  const dot = file.lastIndexOf('.');
  return `assets/${file.slice(0, dot)}-${sha256(content, 'hex').slice(0, 10)}${file.slice(dot)}`;
}

/** What the page needs to fetch a file of the build: its address, and its hash as `fetch` takes it. */
export function hashed(file: { url: string; content: string | Uint8Array }): {
  url: string;
  integrity: string;
} {
  return { url: file.url, integrity: `sha256-${sha256(file.content, 'base64')}` };
}
