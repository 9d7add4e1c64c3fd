/**
 * Lists the packages of Pyodide's distribution from its lock file:
 * https://pyodide.org/en/stable/development/abi.html.
 */

import type { Candidate } from './prepare.ts';
import { asFields, isRecord, stringsIn } from '../spec/guards.ts';

/** @param lockFile the lock file of exactly this version of Pyodide */
export function distributionWheels(lockFile: string, version: string): Candidate[] {
  const base = `https://cdn.jsdelivr.net/pyodide/v${version}/full/`;
  const listed = JSON.parse(lockFile) as unknown;
  const packages = asFields(asFields(listed).packages);
  return Object.values(packages).flatMap((one): Candidate[] => {
    if (!isRecord(one)) return [];
    const { name, version: of, file_name: filename, sha256, depends, package_type: type } = one;
    if (typeof name !== 'string' || typeof of !== 'string') return [];
    if (typeof filename !== 'string' || typeof sha256 !== 'string') return [];
    const isWheel = filename.endsWith('.whl');
    // Entries of other types are tests of packages, which no index has under these names.
    if (!isWheel && type !== 'shared_library') return [];
    return [
      {
        from: 'distribution',
        name,
        version: of,
        filename,
        metadata: null,
        depends: stringsIn(depends),
        url: new URL(filename, base).href,
        sha256,
        ...(isWheel ? {} : { tagless: true }),
      },
    ];
  });
}
