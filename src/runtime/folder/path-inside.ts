/** Maps the paths in a zip file, which any program may have written, to paths inside the folder. */

import { pathFault } from './path-rules.ts';

/**
 * Returns the path inside the folder that a path of a zip file means: programs write `./x`, `a\\x`, `/x` and `a//x` for
 * the same. Other faults are left to {@link pathFault}. A path that would leave the folder is returned with the reason.
 */
export function pathInside(written: string): { readonly path: string; readonly fault?: string } {
  // The path names another computer, or a device.
  if (/^(?:\\\\|\\\/|\/\\)/.test(written))
    return { path: written, fault: 'its path leads to another computer' };
  const names: string[] = [];
  for (const name of written.split(/[/\\]/)) {
    if (name === '' || name === '.') continue;
    if (name !== '..') names.push(name);
    // @mutant a path of a zip does not climb out of the folder => undefined -> null
    //   [src/runtime/folder/path-rules.test.ts src/runtime/zip/zip-source.test.ts]
    else if (names.pop() === undefined)
      return { path: written, fault: 'its path leads out of the folder, by “..”' };
  }
  const path = names.join('/');
  if (path === '') return { path: written, fault: 'its path has no name' };
  const fault = pathFault(path);
  return fault === undefined ? { path } : { path: written, fault };
}
