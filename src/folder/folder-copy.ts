/** A copy of a folder's files: one long content and a manifest that says what is where and how to tell that it is whole. */

import type { FolderFile } from '../spec/folder.ts';
import { ToolError } from '../spec/error.ts';
import type { FolderKind, FolderSource, SourceEntry } from './source.ts';

export interface CopiedFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

export interface CopyManifest {
  readonly version: 1;
  readonly files: readonly CopiedFile[];
}

export interface StoredCopy {
  /** Not believed before {@link copySource} has looked at it. */
  readonly manifest: unknown;
  readonly content: Blob;
}

/** Where copies are kept. */
export interface CopyStore {
  /** All of it is there when this resolves; if it does not, nothing that {@link read} would give. */
  write(id: string, manifest: CopyManifest, pieces: AsyncIterable<Piece>): Promise<void>;
  read(id: string): Promise<StoredCopy | null>;
  remove(id: string): Promise<void>;
  ids(): Promise<readonly string[]>;
}

export type Piece = Uint8Array<ArrayBuffer>;

const pieceBytes = 1024 * 1024;

/** What the copy of these files has to be. */
export async function manifestOf(files: readonly FolderFile[]): Promise<CopyManifest> {
  const copied: CopiedFile[] = [];
  for (const { path, bytes, modifiedAt } of files)
    copied.push({ path, bytes: bytes.byteLength, modifiedAt, sha256: await sha256(bytes) });
  return { version: 1, files: copied };
}

export function manifestDigest({ files }: CopyManifest): Promise<string> {
  const said = files.map(({ path, sha256: digest }) => [path, digest]);
  return sha256(new TextEncoder().encode(JSON.stringify(said)));
}

/** The contents one behind the other, in pieces that are quickly written. */
export async function* piecesOf(files: readonly FolderFile[]): AsyncGenerator<Piece> {
  let piece = new Uint8Array(pieceBytes);
  let filled = 0;
  for (const { bytes } of files) {
    for (let at = 0; at < bytes.byteLength;) {
      const part = bytes.subarray(at, at + pieceBytes - filled);
      piece.set(part, filled);
      filled += part.byteLength;
      at += part.byteLength;
      if (filled < pieceBytes) continue;
      yield piece;
      piece = new Uint8Array(pieceBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

/** The copy as a folder, or null where it is not whole. Each file is checked when it is read. */
export function copySource(
  name: string,
  kind: FolderKind,
  copiedAt: number,
  { manifest, content }: StoredCopy,
): FolderSource | null {
  const files = isManifest(manifest) ? manifest.files : null;
  const sum = files?.reduce((total, { bytes }) => total + bytes, 0);
  if (files === null || sum !== content.size) return null;
  return {
    name,
    kind,
    rereadable: false,
    copiedAt,
    async *entries() {
      let at = 0;
      for (const file of files) {
        await Promise.resolve();
        yield entry(file, content.slice(at, at + file.bytes));
        at += file.bytes;
      }
    },
  };
}

function entry({ path, bytes, modifiedAt, sha256: expected }: CopiedFile, part: Blob): SourceEntry {
  return {
    path,
    size: bytes,
    async file() {
      const content = await part.arrayBuffer();
      if ((await sha256(new Uint8Array(content))) !== expected)
        throw new ToolError(
          'integrity',
          'its copy in this browser is damaged.',
          'Choose the folder again.',
        );
      return new File([content], path, { lastModified: modifiedAt });
    },
  };
}

function isManifest(value: unknown): value is CopyManifest {
  if (typeof value !== 'object' || value === null || !('files' in value)) return false;
  if (!('version' in value) || value.version !== 1 || !Array.isArray(value.files)) return false;
  return value.files.every(
    (file: unknown) =>
      typeof file === 'object' &&
      file !== null &&
      'path' in file &&
      typeof file.path === 'string' &&
      'bytes' in file &&
      Number.isSafeInteger(file.bytes) &&
      Number(file.bytes) >= 0 &&
      'modifiedAt' in file &&
      typeof file.modifiedAt === 'number' &&
      'sha256' in file &&
      typeof file.sha256 === 'string',
  );
}

async function sha256(bytes: Uint8Array): Promise<string> {
  // Files come from buffers of their own; a shared one would be refused.
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
