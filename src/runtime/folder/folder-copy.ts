/** Stores a folder's files as one Blob, with a manifest of paths, sizes and hashes. */

import { sha256Of } from '../spec/bytes.ts';
import { asFields, isCount } from '../spec/guards.ts';
import type { FolderFile } from '../spec/folder.ts';
import { ToolError } from '../spec/error.ts';
import { blockBytes, blockReader, type ReadPart } from './block-reader.ts';
import { fileInMemory, type FolderSource, type SourceEntry } from './source.ts';

export interface CopiedFile {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: number;
}

export interface CopyManifest {
  readonly version: 1;
  readonly files: readonly CopiedFile[];
  /** SHA-256 of each block of the content, in hexadecimal. Hashing thousands of files one by one would be slow. */
  readonly blocks: readonly string[];
}

export interface StoredCopy {
  /** {@link copySource} validates the manifest. */
  readonly manifest: unknown;
  readonly content: Blob;
}

export interface CopyStore {
  /** Writes a copy completely. If it rejects, {@link read} does not return a partial copy. */
  write(id: string, manifest: CopyManifest, pieces: Iterable<Piece>): Promise<void>;
  read(id: string): Promise<StoredCopy | null>;
  remove(id: string): Promise<void>;
  ids(): Promise<readonly string[]>;
}

export type Piece = Uint8Array<ArrayBuffer>;

/** Returns the manifest for a copy of these files. */
export async function manifestOf(files: readonly FolderFile[]): Promise<CopyManifest> {
  const blocks: string[] = [];
  for (const piece of piecesOf(files)) blocks.push(await sha256Of(piece));
  const copied = files.map(({ path, bytes, modifiedAt }) => ({
    path,
    bytes: bytes.byteLength,
    modifiedAt,
  }));
  return { version: 1, files: copied, blocks };
}

export function manifestDigest({ files, blocks }: CopyManifest): Promise<string> {
  const identity = [files.map(({ path, bytes }) => [path, bytes]), blocks];
  return sha256Of(new TextEncoder().encode(JSON.stringify(identity)));
}

/** Yields the files' contents, concatenated, in blocks. */
export function* piecesOf(files: readonly FolderFile[]): Generator<Piece> {
  let piece = new Uint8Array(blockBytes);
  let filled = 0;
  for (const { bytes } of files) {
    for (let at = 0; at < bytes.byteLength;) {
      const part = bytes.subarray(at, at + blockBytes - filled);
      piece.set(part, filled);
      filled += part.byteLength;
      at += part.byteLength;
      if (filled < blockBytes) continue;
      yield piece;
      piece = new Uint8Array(blockBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.subarray(0, filled);
}

/**
 * Returns the copy as a folder, or null if it is incomplete. Each block is checked when it is read.
 * @param turn see {@link fileInMemory}
 */
export function copySource(
  { name, kind, copiedAt }: Required<Pick<FolderSource, 'name' | 'kind' | 'copiedAt'>>,
  { manifest, content }: StoredCopy,
  turn: () => Promise<void>,
): FolderSource | null {
  if (!isManifest(manifest)) return null;
  const { files, blocks } = manifest;
  if (files.reduce((total, { bytes }) => total + bytes, 0) !== content.size) return null;
  return {
    name,
    kind,
    rereadable: false,
    copiedAt,
    async *entries() {
      const read = blockReader(content, async (block, index) => {
        if ((await sha256Of(block)) !== blocks[index])
          throw new ToolError(
            'integrity',
            'its copy in this browser is damaged.',
            'Choose the folder again.',
          );
      });
      let at = 0;
      for (const file of files) {
        await turn();
        yield entry(file, read, at, turn);
        at += file.bytes;
      }
    },
  };
}

function entry(
  { path, bytes, modifiedAt }: CopiedFile,
  read: ReadPart,
  at: number,
  turn: () => Promise<void>,
): SourceEntry {
  return {
    path,
    size: bytes,
    file: async () => fileInMemory(await read(at, bytes), modifiedAt, turn),
  };
}

function isManifest(value: unknown): value is CopyManifest {
  const { version, files, blocks } = asFields(value);
  if (version !== 1 || !Array.isArray(files) || !Array.isArray(blocks)) return false;
  return files
    .map(asFields)
    .every(
      ({ path, bytes, modifiedAt }) =>
        typeof path === 'string' && isCount(bytes) && typeof modifiedAt === 'number',
    );
}
