/** Declares a missing package at the top of a tool file, as PEP 723 says. */

import type { Problem } from '../../spec/problem.ts';
import type { Fix, TextEdit } from './fix.ts';

/** Codes of problems whose hint names the package to declare. */
const codes: ReadonlySet<string> = new Set(['module-not-found', 'needs-package']);

/** Name of the package that the file needs; null if the problem is another one, or the name is not known. */
export function findMissingPackage({ code, hint }: Problem): string | null {
  if (!codes.has(code)) return null;
  return /# dependencies = \["([A-Za-z0-9][\w.-]{0,99})"\]/.exec(hint)?.[1] ?? null;
}

/** Returns null if the file has a declaration that cannot be extended, or declares the package already. */
export function packageFix(text: string, name: string): Fix | null {
  const edit = declareInScriptBlock(text, name);
  return edit === null ? null : { label: `Add the package “${name}”`, edits: [edit] };
}

/** Adds a package to the block `# /// script … # ///` of a file, in its list `dependencies`, or adds a block with it. */
function declareInScriptBlock(text: string, name: string): TextEdit | null {
  const block = /^# \/\/\/ script[^\S\n]*\n((?:#(?: .*)?\n)*?)# \/\/\/[^\S\n]*$/m.exec(text);
  if (block === null) return /^# \/\/\/ script/m.test(text) ? null : newBlock(text, name);
  const [whole, content = ''] = block;
  const start = block.index + whole.indexOf('\n') + 1;
  // A list of strings and comments, which may span several lines. A list with anything else is left alone.
  const list =
    /^# dependencies[^\S\n]*=[^\S\n]*\[((?:[^\]"'#]|#(?= )|"[^"\n]*"|'[^'\n]*')*)\]/m.exec(content);
  if (list === null)
    return /^# dependencies/m.test(content)
      ? null
      : insertion(start, `# dependencies = ["${name}"]\n`);
  const [wholeList, items = ''] = list;
  if (namesIn(items).has(comparable(name))) return null;
  const itemsStart = start + list.index + wholeList.length - 1 - items.length;
  const used = items.replace(/[\s#]+$/, '');
  const comma = used === '' || used.endsWith(',') ? '' : ',';
  const space = used === '' ? '' : ' ';
  const isOnLines = items.includes('\n');
  const insert = isOnLines ? `${comma}\n#   "${name}",` : `${comma}${space}"${name}"`;
  return insertion(itemsStart + used.length, insert);
}

/** Inserts a block below the lines that name an interpreter and an encoding. */
function newBlock(text: string, name: string): TextEdit {
  const [head = ''] = /^\uFEFF?(?:#!.*\n)?(?:#.*coding[:=].*\n)?/.exec(text) ?? [];
  return insertion(head.length, `# /// script\n# dependencies = [\n#   "${name}",\n# ]\n# ///\n\n`);
}

function insertion(at: number, insert: string): TextEdit {
  return { from: at, to: at, insert };
}

/** The names in a list of requirements, such as `"numpy>=2"`. */
function namesIn(items: string): ReadonlySet<string> {
  return new Set(
    Array.from(items.matchAll(/["']\s*([\w.-]+)/g), ([, name = '']) => comparable(name)),
  );
}

/** A name of a package as indexes compare it: `My_Package` is `my-package`. */
function comparable(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}
