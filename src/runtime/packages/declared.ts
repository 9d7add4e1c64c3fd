/**
 * Finds the packages that a folder declares in PEP 723 metadata of tool files and in requirements.txt. Wheels in `wheels/`
 * declare nothing by themselves: declared packages can be installed from them.
 */

import { comparePaths } from '../folder/path-rules.ts';
import { isSupportFile, isToolFile } from '../folder/tool-files.ts';
import type { FolderFile, FolderSnapshot } from '../spec/folder.ts';

export interface Declared {
  /** Files that declare packages, with their whole text. */
  readonly sources: readonly { readonly file: string; readonly text: string }[];
  /** The wheels in `wheels/`. */
  readonly wheels: readonly FolderFile[];
  /** Equal for equal declarations and wheels. */
  readonly key: string;
}

export const requirementsFile = 'requirements.txt';
/** Defined in https://peps.python.org/pep-0723. */
const opening = /^# \/\/\/ script\s*$/;
/** Larger files are not searched; bytes. */
const largestSource = 1024 * 1024;

/** The declarations of each file that has been read; an unchanged file stays the same object. */
const readDeclarations = new WeakMap<FolderFile, string>();

/** Returns null if the folder declares no packages. */
export function readDeclaredPackages({ files }: FolderSnapshot): Declared | null {
  const sources: { file: string; text: string }[] = [];
  const declarations: string[] = [];
  for (const file of files) {
    const block = declarationOf(file);
    if (block === '') continue;
    sources.push({ file: file.path, text: textOf(file) });
    declarations.push(`${file.path}\n${block}`);
  }
  if (sources.length === 0) return null;
  const wheels = files.filter(({ path }) => /^wheels\/[^/]+\.whl$/.test(path));
  sources.sort((a, b) => comparePaths(a.file, b.file));
  const marks = wheels.map(({ path, size, modifiedAt }) => `${path} ${size} ${modifiedAt}`);
  return { sources, wheels, key: JSON.stringify([declarations.sort(), marks.sort()]) };
}

/** Returns the part of the file that declares packages; empty if there is none. */
function declarationOf(file: FolderFile): string {
  const isRequirements = file.path === requirementsFile;
  if (!isRequirements && !isToolFile(file.path)) return '';
  const known = readDeclarations.get(file);
  if (known !== undefined) return known;
  const text = file.size > largestSource ? '' : textOf(file);
  const isTool = !isRequirements && !isSupportFile(file.path, () => text);
  const found = isRequirements ? text : isTool ? scriptBlocks(text) : '';
  readDeclarations.set(file, found);
  return found;
}

/**
 * Returns the comments that contain script blocks, with all their lines. The resolver decides which blocks
 * are valid, because it splits lines as Python does.
 */
function scriptBlocks(text: string): string {
  if (!text.includes('# /// script')) return '';
  const found: string[] = [];
  let comment: string[] = [];
  for (const line of [...text.split(/\r\n|\r|\n/), '']) {
    if (line.startsWith('#')) {
      comment.push(line);
      continue;
    }
    if (comment.some((one) => opening.test(one))) found.push(comment.join('\n'));
    comment = [];
  }
  return found.join('\n\n');
}

function textOf({ bytes }: FolderFile): string {
  return new TextDecoder().decode(bytes);
}
