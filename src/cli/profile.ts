/** The folder in which a browser keeps what makes the next start fast. Programs that run at once have one each. */

import { mkdir, open, readFile, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface Profile {
  readonly folder: string;
  /** The port at which the app was served: the browser keeps Python's snapshot by address. 0 if unknown. */
  readonly port: number;
  keepPort(port: number): Promise<void>;
  release(): Promise<void>;
}

/** Milliseconds to wait until the browser of a killed program has ended, and between two checks of that. */
const endMs = 1_000;
const stepMs = 50;

/** The user's cache folder for this program. */
export function cacheFolder(
  platform: NodeJS.Platform,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const home = env.HOME ?? homedir();
  if (platform === 'win32')
    return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'cloche', 'cache');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'cloche');
  const base = env.XDG_CACHE_HOME ?? '';
  return join(base === '' ? join(home, '.cache') : base, 'cloche');
}

/**
 * Takes the first profile that no running program has.
 * @param build of the app: another build starts with an empty profile, and those of older builds are deleted
 */
export async function takeProfile(cache: string, build: string): Promise<Profile> {
  const profiles = join(cache, 'profiles');
  await mkdir(join(profiles, build), { recursive: true, mode: 0o700 });
  for (const other of await readdir(profiles))
    if (other !== build && !(await isUsed(join(profiles, other))))
      // On Windows, a file that some program still has open cannot be deleted: the next start tries again.
      await rm(join(profiles, other), { recursive: true, force: true }).catch(() => undefined);
  for (let number = 0; ; number += 1) {
    const folder = join(profiles, build, String(number));
    await mkdir(folder, { recursive: true });
    const lock = join(folder, 'pid');
    if (!(await takeLock(lock))) continue;
    if (await browserEnds(folder)) return profileIn(folder);
    await rm(lock, { force: true });
  }
}

async function profileIn(folder: string): Promise<Profile> {
  const place = join(folder, 'port');
  const port = Number(await readFile(place, 'utf8').catch(() => '0'));
  return {
    folder: join(folder, 'browser'),
    port: Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0,
    keepPort: (used) => writeFile(place, String(used)),
    release: () => rm(join(folder, 'pid'), { force: true }),
  };
}

/** @returns whether the lock is this process's now */
async function takeLock(path: string): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const file = await open(path, 'wx').catch(() => undefined);
    if (file !== undefined) {
      await file.writeFile(String(process.pid));
      await file.close();
      return true;
    }
    if (await isHeld(path)) return false;
    // The process that held the profile was killed.
    await rm(path, { force: true });
  }
  return false;
}

async function isUsed(build: string): Promise<boolean> {
  for (const number of await readdir(build).catch(() => []))
    if (await isHeld(join(build, number, 'pid'))) return true;
  return false;
}

/**
 * Waits for the browser of a program that was killed: it ends a moment later, and two cannot share a profile.
 * @returns whether none has the profile now
 */
async function browserEnds(folder: string): Promise<boolean> {
  for (let waited = 0; ; waited += stepMs) {
    // Chromium's lock is a symbolic link that names its machine and process.
    const target = await readlink(join(folder, 'browser/SingletonLock')).catch(() => '');
    const pid = Number(target.slice(target.lastIndexOf('-') + 1));
    // On Windows, Chromium's lock is a file that cannot be deleted while the browser runs.
    const isFree = await rm(join(folder, 'browser/lockfile'), { force: true }).then(
      () => true,
      () => false,
    );
    if (isFree && (target === '' || !isRunning(pid))) return true;
    if (waited >= endMs) return false;
    await new Promise((resolve) => setTimeout(resolve, stepMs));
  }
}

async function isHeld(lock: string): Promise<boolean> {
  const text = await readFile(lock, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const pid = Number(text);
  // A lock without a number is being written.
  return text === '' || !Number.isInteger(pid) || isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}
