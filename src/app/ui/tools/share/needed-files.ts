/** Finds the files of the folder that a tool file needs, as far as its text names them. */

import type { PlaygroundFile } from '../../../../runtime/protocol/embed.ts';
import { utf8Text } from '../../../../runtime/spec/bytes.ts';
import type { FolderFile } from '../../../../runtime/spec/folder.ts';

/** Larger files are neither searched nor included; bytes. */
const maxBytes = 256 * 1024;
/** Files that declare packages; a playground reads them too. */
const declaring = new Set(['requirements.txt', 'pyproject.toml']);

/**
 * Returns the start files, the modules that they import, and the files whose names they contain in quotes, also
 * indirectly. Leaves out files that are too large or not text.
 */
export function findNeededFiles(
  files: readonly FolderFile[],
  start: readonly string[],
): readonly PlaygroundFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const found = new Map<string, string>();
  const waiting = [
    ...start,
    ...files.map(({ path }) => path).filter((path) => declaring.has(path)),
  ];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    const file = byPath.get(path);
    if (file === undefined || found.has(path)) continue;
    const text = textOf(file);
    if (text === null) continue;
    found.set(path, text);
    if (!path.endsWith('.py')) continue;
    waiting.push(...modulesIn(text, path).filter((each) => byPath.has(each)));
    waiting.push(...namesIn(text, path, byPath));
  }
  return Array.from(found, ([path, text]) => ({ path, text }));
}

/** Paths of the modules that a file may import, whether or not they exist. */
function modulesIn(text: string, path: string): string[] {
  const folder = path.split('/').slice(0, -1);
  const modules: string[] = [];
  const statements = text.matchAll(
    /^[ \t]*(?:from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+\(?([\w,\s]+)|import[ \t]+([\w., \t]+))/gm,
  );
  for (const [, dots = '', from = '', imported = '', plain = ''] of statements) {
    if (plain !== '') {
      for (const each of plain.split(',')) modules.push(each.trim().split(/\s/)[0] ?? '');
      continue;
    }
    const above = dots === '' ? [] : folder.slice(0, folder.length - dots.length + 1);
    const base = [...above, from].filter((each) => each !== '').join('.');
    modules.push(base);
    for (const name of imported.match(/\w+/g) ?? [])
      modules.push(base === '' ? name : `${base}.${name}`);
  }
  return modules.flatMap((module) => {
    const steps = module.split('.').filter((step) => step !== '');
    // Importing a module also runs its packages.
    return steps.flatMap((_, n) => {
      const at = steps.slice(0, n + 1).join('/');
      return [`${at}.py`, `${at}/__init__.py`];
    });
  });
}

/** Paths of files whose name a file contains in quotes, such as `"data/rates.json"`. */
function namesIn(text: string, path: string, files: ReadonlyMap<string, unknown>): string[] {
  const folder = path.split('/').slice(0, -1).join('/');
  const quoted = new Set(
    Array.from(text.matchAll(/["']([^"'\n]{1,200})["']/g), ([, name]) => name),
  );
  return [...quoted].flatMap((name = '') =>
    [name, `${folder}/${name}`].filter((each) => files.has(each)),
  );
}

function textOf({ bytes, size }: FolderFile): string | null {
  return size > maxBytes ? null : utf8Text(bytes);
}
