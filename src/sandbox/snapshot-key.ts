/** What tells one snapshot from another: it differs wherever a memory made here would be wrong there. */

import { sha256Of } from '../protocol/deployed.ts';

/** What a memory depends on besides the files that it was made from. */
export interface Surroundings {
  /** Names browser and version. */
  readonly userAgent: string;
  /** Python's environment speaks it. */
  readonly language: string;
  /** Python reads it once, when `time` is imported. */
  readonly timeZone: string;
  readonly stackSwitching: boolean;
}

/** @param files all that goes into the sandbox: Pyodide, its libraries, the loader, our worker */
export async function snapshotKey(
  files: readonly { readonly name: string; readonly sha256: string }[],
  { userAgent, language, timeZone, stackSwitching }: Surroundings,
): Promise<string> {
  const said = JSON.stringify([
    files.map(({ name, sha256 }) => [name, sha256]),
    [userAgent, language, timeZone, stackSwitching],
  ]);
  return sha256Of(new TextEncoder().encode(said).buffer);
}
