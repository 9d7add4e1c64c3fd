/** What a package index lists of a project: https://packaging.python.org/specifications/simple-repository-api, as JSON or HTML. */

import { isRecord } from '../spec/guards.ts';

export interface IndexFile {
  readonly filename: string;
  /** Absolute. */
  readonly url: string;
  /** In hexadecimal; null where the index does not say. */
  readonly sha256: string | null;
  readonly requiresPython: string | null;
  readonly yanked: boolean;
  /** The file's METADATA can be had by itself, at `url` and `.metadata`; its hash is null where the index does not say. */
  readonly metadata: { readonly sha256: string | null } | null;
}

/** A link of an HTML page: its attributes, and its text. */
export interface IndexLink {
  readonly href: string;
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Asked for as JSON where the index has it. */
export const indexTypes =
  'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1';

/** Files that one project may have. */
const mostFiles = 50_000;

/** @throws {Error} where it is no such listing */
export function filesOfJson(text: string, address: string): IndexFile[] {
  const listing = JSON.parse(text) as unknown;
  const files = isRecord(listing) ? listing.files : undefined;
  if (!Array.isArray(files)) throw new Error('its answer is not a list of files');
  return files.slice(0, mostFiles).flatMap((file: unknown): IndexFile[] => {
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
        // A reason, or true; an empty one is none, unlike in HTML.
        yanked: yanked === true || (typeof yanked === 'string' && yanked !== ''),
        metadata: metadataOf(metadata),
      },
    ];
  });
}

/** @param base address that the links are relative to */
export function filesOfLinks(links: readonly IndexLink[], base: string): IndexFile[] {
  return links.slice(0, mostFiles).flatMap(({ href, text, attributes }): IndexFile[] => {
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

/** @param said `false`, `true`, or its hashes */
function metadataOf(said: unknown): IndexFile['metadata'] {
  if (said === false) return null;
  const sha256 = isRecord(said) ? said.sha256 : null;
  return { sha256: typeof sha256 === 'string' ? hex(sha256) : null };
}

/** Null where nothing could be fetched. */
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
