/** Gets the listings of a package index from the network, or the last stored version if that fails. */

import { errorText } from '../spec/error.ts';
import { isRecord } from '../spec/guards.ts';
import { sha256Of } from '../spec/sha256.ts';
import type { Download, Downloaded } from './download.ts';
import { PackageFault } from './fault.ts';
import {
  filesOfJson,
  filesOfLinks,
  indexTypes,
  type IndexFile,
  type IndexLink,
} from './simple-index.ts';
import type { PackageStore } from './store.ts';

export interface ListingDeps {
  readonly download: Download;
  readonly store: Pick<PackageStore, 'listing' | 'keepListing'>;
  /** Returns the links of an HTML page, and their base address. */
  readonly linksOf: (html: string, address: string) => { base: string; links: IndexLink[] };
  readonly onStorageFailure: (thrown: unknown) => void;
}

const maxListingBytes = 64 * 2 ** 20;

/** The address of a package index, and its origin, which may be local. */
export interface IndexAddress {
  /** Address with a trailing slash. */
  readonly url: string;
  readonly origin: string;
}

/**
 * Lists the files of a project.
 * @param name normalized as in PEP 503
 * @returns null if the index has no such project
 * @throws {PackageFault} and the signal's reason
 */
export async function listProject(
  signal: AbortSignal,
  deps: ListingDeps,
  index: IndexAddress,
  name: string,
): Promise<IndexFile[] | null> {
  // The name comes from the sandbox. It must not lead to another address of the index.
  if (!/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/.test(name))
    throw new PackageFault(
      'package-broken',
      'there is no project with this name',
      'Correct the name.',
    );
  const address = new URL(`${name}/`, index.url).href;
  let found: Downloaded | 'not-found';
  try {
    found = await deps.download(signal, {
      url: address,
      accept: indexTypes,
      maxBytes: maxListingBytes,
      localOrigin: index.origin,
    });
  } catch (thrown) {
    signal.throwIfAborted();
    const before = await deps.store.listing(address).catch(() => null);
    if (!isListing(before)) throw thrown;
    return filesOf(before, address, deps);
  }
  if (found === 'not-found') return null;
  const listing = { text: new TextDecoder().decode(found.bytes), type: found.type };
  const files = filesOf(listing, address, deps);
  deps.store.keepListing(address, listing).catch(deps.onStorageFailure);
  return files;
}

interface Listing {
  readonly text: string;
  readonly type: string;
}

function filesOf({ text, type }: Listing, address: string, { linksOf }: ListingDeps): IndexFile[] {
  try {
    if (/json/i.test(type)) return filesOfJson(text, address);
    const { base, links } = linksOf(text, address);
    return filesOfLinks(links, base);
  } catch (thrown) {
    const why = errorText(thrown);
    throw new PackageFault(
      'package-unreachable',
      `${new URL(address).origin} is not a package index: ${why}`,
      'Choose another index on the Policy page.',
    );
  }
}

function isListing(value: unknown): value is Listing {
  return isRecord(value) && typeof value.text === 'string' && typeof value.type === 'string';
}

const maxBytes = 4 * 2 ** 20;

/**
 * Downloads a wheel’s METADATA from an index without the wheel itself.
 *
 * @param localOrigin origin of the index, which may be local
 * @returns null if the index does not offer it, so that the wheel must be downloaded
 * @throws {PackageFault} if its hash is wrong, and the signal's reason
 */
export async function indexMetadata(
  signal: AbortSignal,
  download: Download,
  file: IndexFile,
  localOrigin: string,
): Promise<string | null> {
  if (file.metadata === null) return null;
  const url = `${file.url}.metadata`;
  const found = await download(signal, { url, accept: '*/*', maxBytes, localOrigin });
  if (found === 'not-found') return null;
  const { sha256 } = file.metadata;
  if (sha256 !== null && (await sha256Of(found.bytes)) !== sha256)
    throw new PackageFault(
      'package-broken',
      `the metadata of ${file.filename} does not match the index: its hash is different`,
      'Press Refresh to try again, or choose another index on the Policy page.',
    );
  return new TextDecoder().decode(found.bytes);
}
