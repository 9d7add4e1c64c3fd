/** The METADATA of a wheel, from what Debian installs: a .dist-info folder, or setuptools' older .egg-info. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @param modules the folder that packages are installed in
 * @param requires what the metadata does not say
 */
export async function wheelMetadata(
  modules: string,
  project: string,
  requires: readonly string[],
): Promise<{ metadata: string; version: string }> {
  const stem = `${project.replaceAll('-', '_')}-`;
  const folder = (await readdir(modules)).find(
    (name) => name.startsWith(stem) && /\.(dist|egg)-info$/.test(name),
  );
  if (folder === undefined) throw new Error(`Debian's package of ${project} has no metadata.`);
  const isEgg = folder.endsWith('.egg-info');
  const text = await readFile(join(modules, folder, isEgg ? 'PKG-INFO' : 'METADATA'), 'utf8');
  const listed = isEgg
    ? await readFile(join(modules, folder, 'requires.txt'), 'utf8').catch(() => '')
    : '';
  const version = /^Version: (.+)$/m.exec(text)?.[1];
  if (version === undefined) throw new Error(`Debian's package of ${project} has no version.`);
  const all = /^Requires-Dist:/m.test(text) ? requires : [...requires, ...fromEgg(listed)];
  return { metadata: withRequirements(text, all), version };
}

/** requires.txt has sections for extras and markers, `[extra:marker]`; METADATA has all in one line. */
function fromEgg(listed: string): string[] {
  const requirements: string[] = [];
  let condition = '';
  for (const line of listed.split('\n').map((one) => one.trim())) {
    const section = /^\[(?<extra>[^:\]]*)(:(?<marker>.*))?\]$/.exec(line)?.groups;
    if (section) condition = markerOf(section.extra ?? '', section.marker ?? '');
    else if (line !== '') requirements.push(`${line}${condition}`);
  }
  return requirements;
}

function markerOf(extra: string, marker: string): string {
  const parts = [marker && extra ? `(${marker})` : marker, extra && `extra == "${extra}"`];
  const joined = parts.filter((part) => part !== '').join(' and ');
  return joined && ` ; ${joined}`;
}

function withRequirements(text: string, requirements: readonly string[]): string {
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text.trimEnd() : text.slice(0, end);
  const lines = requirements.map((one) => `\nRequires-Dist: ${one}`);
  return `${head}${lines.join('')}${end < 0 ? '\n' : text.slice(end)}`;
}
