/** What a folder declares of packages: PEP 723 metadata in its tool files, requirements.txt, and the wheels beside the tools. */

import { comparePaths, isToolFile } from '../folder/path-rules.ts';
import type { FolderFile, FolderSnapshot } from '../spec/folder.ts';

export interface Declared {
  /** Files that declare packages, with their whole text. */
  readonly sources: readonly { readonly file: string; readonly text: string }[];
  /** Those in `wheels/`. */
  readonly wheels: readonly FolderFile[];
  /** The same for the same declarations and the same wheels. */
  readonly key: string;
}

/** Each of its lines stands for itself. */
export const requirementsFile = 'requirements.txt';
/** As https://peps.python.org/pep-0723 has it. */
const opening = /^# \/\/\/ script\s*$/;
/** Larger ones are no sources. */
const largestSource = 1024 * 1024;

const blocks = new WeakMap<FolderFile, string>();

/** Null where the folder declares nothing. */
export function declaredPackages({ files }: FolderSnapshot): Declared | null {
  const sources: { file: string; text: string }[] = [];
  const said: string[] = [];
  for (const file of files) {
    const block = declarationOf(file);
    if (block === '') continue;
    sources.push({ file: file.path, text: textOf(file) });
    said.push(`${file.path}\n${block}`);
  }
  if (sources.length === 0) return null;
  const wheels = files.filter(({ path }) => /^wheels\/[^/]+\.whl$/.test(path));
  sources.sort((a, b) => comparePaths(a.file, b.file));
  const marks = wheels.map(({ path, size, modifiedAt }) => `${path} ${size} ${modifiedAt}`);
  return { sources, wheels, key: JSON.stringify([said.sort(), marks.sort()]) };
}

/** The part of the file that declares packages; empty where there is none. */
function declarationOf(file: FolderFile): string {
  const isRequirements = file.path === requirementsFile;
  if (!isRequirements && !isToolFile(file.path)) return '';
  const known = blocks.get(file);
  if (known !== undefined) return known;
  const text = file.size > largestSource ? '' : textOf(file);
  const found = isRequirements ? text : scriptBlocks(text);
  blocks.set(file, found);
  return found;
}

/**
 * The comments that script blocks stand in, each with all lines before and after: whether they make a block, and which
 * one, is for the resolver to say, which ends lines as Python does.
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
