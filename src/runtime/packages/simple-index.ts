/**
 * Parses a project's listing in a package index, as JSON or HTML:
 * https://packaging.python.org/specifications/simple-repository-api.
 */

import { isRecord } from '../spec/guards.ts';

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
