/**
 * Gets the listings of a package index from the network, or the last stored version if that fails, and parses them, as
 * JSON or HTML: https://packaging.python.org/specifications/simple-repository-api.
 */

import { errorText } from '../spec/error.ts';
import { isRecord } from '../spec/guards.ts';
import { sha256Of } from '../spec/bytes.ts';
import type { Download, Downloaded } from './download.ts';
import { PackageFault } from '../spec/wheel.ts';
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

const maxMetadataBytes = 4 * 2 ** 20;

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
  const found = await download(signal, {
    url,
    accept: '*/*',
    maxBytes: maxMetadataBytes,
    localOrigin,
  });
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

export interface IndexFile {
  readonly filename: string;
  /** Absolute. */
  readonly url: string;
  /** Hexadecimal; null if the index does not give it. */
  readonly sha256: string | null;
  readonly requiresPython: string | null;
  readonly yanked: boolean;
  /** Set if the file's METADATA is available at `url` + `.metadata`; its hash is null if the index does not give it. */
  readonly metadata: { readonly sha256: string | null } | null;
}

/** A link of an HTML page, with its attributes and text. */
export interface IndexLink {
  readonly href: string;
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Accepts HTML, but prefers JSON. */
export const indexTypes =
  'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1';

/** The highest number of files of a project. */
const maxFiles = 50_000;

/** @throws {Error} if it is not a listing */
export function filesOfJson(text: string, address: string): IndexFile[] {
  const listing = JSON.parse(text) as unknown;
  const files = isRecord(listing) ? listing.files : undefined;
  if (!Array.isArray(files)) throw new Error('its answer is not a list of files');
  return files.slice(0, maxFiles).flatMap((file: unknown): IndexFile[] => {
    if (!isRecord(file)) return [];
    const { filename, url, hashes, yanked } = file;
    const absolute = typeof url === 'string' ? fileUrl(url, address) : null;
    if (typeof filename !== 'string' || absolute === null) return [];
    const sha256 = isRecord(hashes) ? hashes.sha256 : null;
    const requires = file['requires-python'];
    const metadata = file['core-metadata'] ?? file['dist-info-metadata'] ?? false;
    return [
      {
        filename,
        url: withoutHash(absolute),
        sha256: typeof sha256 === 'string' ? hex(sha256) : null,
        requiresPython: typeof requires === 'string' && requires !== '' ? requires : null,
        // `yanked` is true or gives a reason. Unlike in HTML, an empty reason means no.
        yanked: yanked === true || (typeof yanked === 'string' && yanked !== ''),
        metadata: metadataOf(metadata),
      },
    ];
  });
}

/** @param base address that the links are relative to */
export function filesOfLinks(links: readonly IndexLink[], base: string): IndexFile[] {
  return links.slice(0, maxFiles).flatMap(({ href, text, attributes }): IndexFile[] => {
    const url = fileUrl(href, base);
    if (url === null) return [];
    const sha256 = /^#sha256=([0-9a-f]{64})$/i.exec(url.hash)?.[1] ?? null;
    const requires = attributes['data-requires-python'] ?? '';
    const metadata = attributes['data-core-metadata'] ?? attributes['data-dist-info-metadata'];
    return [
      {
        filename: text.trim(),
        url: withoutHash(url),
        sha256: sha256 === null ? null : hex(sha256),
        requiresPython: requires === '' ? null : requires,
        yanked: 'data-yanked' in attributes,
        metadata:
          metadata === undefined || metadata === 'false'
            ? null
            : { sha256: hex(/^sha256=(.*)$/.exec(metadata)?.[1] ?? '') },
      },
    ];
  });
}

/** @param value `false`, `true`, or the hashes */
function metadataOf(value: unknown): IndexFile['metadata'] {
  if (value === false) return null;
  const sha256 = isRecord(value) ? value.sha256 : null;
  return { sha256: typeof sha256 === 'string' ? hex(sha256) : null };
}

/** Returns null for an address that cannot be fetched. */
function fileUrl(url: string, base: string): URL | null {
  const absolute = URL.parse(url, base);
  return absolute !== null && /^https?:$/.test(absolute.protocol) ? absolute : null;
}

function withoutHash(url: URL): string {
  const plain = new URL(url);
  plain.hash = '';
  return plain.href;
}

function hex(text: string): string | null {
  const lower = text.toLowerCase();
  return /^[0-9a-f]{64}$/.test(lower) ? lower : null;
}

/** Reads the links of a package index page with the browser's parser. Nothing in the page is run or loaded. */
export function indexLinks(html: string, address: string): { base: string; links: IndexLink[] } {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const base = page.querySelector('base')?.getAttribute('href') ?? '';
  const links = Array.from(page.querySelectorAll('a[href]'), (link): IndexLink => {
    const attributes = Array.from(link.attributes, ({ name, value }) => [name, value] as const);
    return {
      href: link.getAttribute('href') ?? '',
      text: link.textContent,
      attributes: Object.fromEntries(attributes),
    };
  });
  return { base: URL.parse(base, address)?.href ?? address, links };
}
