/** Creates a wheel like a build tool: modules, METADATA, WHEEL and RECORD. */

import { createHash } from 'node:crypto';
import { strToU8, zipSync } from 'fflate';

const stamp = new Date(2026, 0, 1);

export interface WheelParts {
  readonly name: string;
  readonly version: string;
  /** Path in the wheel → content. */
  readonly files: Readonly<Record<string, Uint8Array | string>>;
  /** The whole METADATA; without it, one is made of name, version and `requires`. */
  readonly metadata?: string;
  /** Such as `idna (<4,>=2.5)`. */
  readonly requires?: readonly string[];
  readonly requiresPython?: string;
  readonly tag?: string;
}

/** @returns its file name, and the file */
export function makeWheel(parts: WheelParts): [string, Uint8Array] {
  const { name, version, files, tag = 'py3-none-any' } = parts;
  const stem = `${name.replaceAll(/[-_.]+/g, '_')}-${version}`;
  const all: Record<string, Uint8Array> = {};
  for (const [path, content] of Object.entries(files))
    all[path] = typeof content === 'string' ? strToU8(content) : content;
  all[`${stem}.dist-info/METADATA`] = strToU8(parts.metadata ?? metadata(parts));
  all[`${stem}.dist-info/WHEEL`] = strToU8(
    `Wheel-Version: 1.0\nGenerator: cloche-tests\nRoot-Is-Purelib: ${tag.endsWith('-any')}\nTag: ${tag}\n`,
  );
  const record = `${stem}.dist-info/RECORD`;
  const lines = Object.entries(all).map(([path, content]) => {
    const digest = createHash('sha256').update(content).digest('base64url');
    return `${path},sha256=${digest},${content.length}\n`;
  });
  all[record] = strToU8(`${lines.join('')}${record},,\n`);
  return [`${stem}-${tag}.whl`, zipSync(all, { mtime: stamp })];
}

function metadata({ name, version, requires = [], requiresPython }: WheelParts): string {
  const lines = ['Metadata-Version: 2.1', `Name: ${name}`, `Version: ${version}`];
  if (requiresPython !== undefined) lines.push(`Requires-Python: ${requiresPython}`);
  lines.push(...requires.map((one) => `Requires-Dist: ${one}`));
  return `${lines.join('\n')}\n\n`;
}
