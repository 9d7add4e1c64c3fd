/** Gets the bytes of a wheel from the folder, this site, the store or the network, and checks their hash. */

import { sha256Of } from '../spec/bytes.ts';
import type { FolderFile } from '../spec/folder.ts';
import type { Download } from './download.ts';
import { PackageFault } from '../spec/wheel.ts';
import type { LockedWheel, PackageStore } from './store.ts';

export interface WheelContentDeps {
  readonly download: Download;
  readonly store: Pick<PackageStore, 'wheel' | 'keepWheel'>;
  /** Fetches a file of this site, by its address relative to the app. @throws if it cannot be loaded */
  readonly fetchSite: (signal: AbortSignal, url: string) => Promise<Uint8Array<ArrayBuffer>>;
  /** Whether the policy allows to download packages. */
  readonly mayFetch: boolean;
  /** Origin of the index, which may be local. */
  readonly indexOrigin: string;
  readonly onStorageFailure: (thrown: unknown) => void;
}

/** A wheel before it is loaded. */
export interface WantedWheel extends Pick<LockedWheel, 'filename' | 'from' | 'url'> {
  /** Hexadecimal; null if it is not known. */
  readonly sha256: string | null;
}

export interface WheelContent {
  readonly content: Blob;
  readonly sha256: string;
}

const maxWheelBytes = 256 * 2 ** 20;

/**
 * @param file the wheel in the folder, if it comes from there
 * @throws {PackageFault} and the signal's reason
 */
export async function wheelContent(
  signal: AbortSignal,
  deps: WheelContentDeps,
  wheel: WantedWheel,
  file: FolderFile | undefined,
  onBytes: (received: number) => void,
): Promise<WheelContent> {
  switch (wheel.from) {
    case 'folder':
      // A wheel in the folder needs no hash: anyone who can change it can also change the tools.
      if (file === undefined)
        throw new PackageFault(
          'package-unreachable',
          `${wheel.filename} is no longer in wheels/`,
          'Put it back, or press Refresh.',
        );
      return checkHash(new Uint8Array(file.bytes), { ...wheel, sha256: null });
    case 'site':
      if (wheel.url === '') throw unlistedFault(wheel.filename);
      return checkHash(await siteFile(signal, deps, wheel), wheel);
    default: {
      const { sha256 } = wheel;
      const stored = sha256 === null ? null : await deps.store.wheel(sha256).catch(() => null);
      if (stored !== null && sha256 !== null) return { content: stored, sha256 };
      return fetchWheel(signal, deps, wheel, onBytes);
    }
  }
}

async function fetchWheel(
  signal: AbortSignal,
  deps: WheelContentDeps,
  wheel: WantedWheel,
  onBytes: (received: number) => void,
): Promise<WheelContent> {
  // @mutant packages are fetched only where that is allowed => never
  if (!deps.mayFetch)
    throw new PackageFault(
      'package-unreachable',
      `${wheel.filename} is no longer stored in this browser, and this folder may not download packages`,
      'Allow packages on the Policy page, or put the wheel in the folder wheels/ next to the tools.',
    );
  if (wheel.url === '') throw unlistedFault(wheel.filename);
  const found = await deps.download(signal, {
    url: wheel.url,
    accept: '*/*',
    maxBytes: maxWheelBytes,
    localOrigin: deps.indexOrigin,
    onBytes,
  });
  if (found === 'not-found')
    throw new PackageFault(
      'package-unreachable',
      `${new URL(wheel.url).origin} no longer has ${wheel.filename}`,
      'To find another version, press “Check for newer versions” on the Policy page.',
    );
  const content = await checkHash(found.bytes, wheel);
  deps.store.keepWheel(content.sha256, content.content).catch(deps.onStorageFailure);
  return content;
}

async function siteFile(
  signal: AbortSignal,
  { fetchSite }: WheelContentDeps,
  { url, filename }: WantedWheel,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await fetchSite(signal, url);
  } catch {
    signal.throwIfAborted();
    throw new PackageFault(
      'package-unreachable',
      `${filename}, which is part of this site, cannot be loaded`,
      'Go online and press Refresh.',
    );
  }
}

async function checkHash(
  bytes: Uint8Array<ArrayBuffer>,
  { sha256, filename, from }: WantedWheel,
): Promise<WheelContent> {
  const found = await sha256Of(bytes);
  // @mutant the hash of a wheel => never
  if (sha256 !== null && found !== sha256)
    throw new PackageFault(
      'package-integrity',
      `${filename} is not the file that ${from === 'index' ? 'the index' : 'its list'} describes: its SHA-256 is ${found.slice(0, 12)}…, not ${sha256.slice(0, 12)}…`,
      'It was damaged or changed in transit. Press Refresh to download it again. If this happens again, tell the owner of the index.',
    );
  return { content: new Blob([bytes]), sha256: found };
}

/** The resolver may choose among the listed wheels, but not invent any. */
function unlistedFault(filename: string): PackageFault {
  return new PackageFault(
    'package-broken',
    `${filename} was chosen, but is not listed`,
    'Press Refresh to try again.',
  );
}
