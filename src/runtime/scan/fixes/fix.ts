/** A mechanical remedy for a problem of a tool file: changes of its text, such as the declaration of a missing package. */

import type { Problem } from '../../spec/folder.ts';

export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

export interface Fix {
  /** Label of a button, such as `Add "type": "object"`. */
  readonly label: string;
  /** Edits in order, without overlaps. */
  readonly edits: readonly TextEdit[];
}

/** Returns the text after the fix. */
export function applyFix(text: string, { edits }: Fix): string {
  let fixed = '';
  let at = 0;
  for (const { from, to, insert } of edits) {
    fixed += text.slice(at, from) + insert;
    at = to;
  }
  return fixed + text.slice(at);
}

/** Codes of problems whose hint names the package to declare. */
const codes: ReadonlySet<string> = new Set(['module-not-found', 'needs-package']);

/** Name of the package that the file needs; null if the problem is another one, or the name is not known. */
export function findMissingPackage({ code, hint }: Problem): string | null {
  if (!codes.has(code)) return null;
  return /# dependencies = \["([A-Za-z0-9][\w.-]{0,99})"\]/.exec(hint)?.[1] ?? null;
}

/** Declares a missing package at the top of a tool file, as PEP 723 says. Returns null if the file has a declaration that cannot be extended, or declares the package already. */
export function packageFix(text: string, name: string): Fix | null {
  const edits = declareInScriptBlock(text, name);
  return edits === null ? null : { label: `Add the package “${name}”`, edits };
}

/** Finds `# /// script … # ///`; its lines begin with `#`, and with a space if they have text. */
const scriptBlock = /^# \/\/\/ script[^\S\n]*\n((?:#(?: .*)?\n)*?)# \/\/\/[^\S\n]*$/m;
/** Finds `# dependencies = ["attrs", "numpy"]`, on one line or several. A list with more than texts and comments is none. */
const dependencyList =
  /^# dependencies[^\S\n]*=[^\S\n]*\[((?:[^\]"'#]|#(?= )|"[^"\n]*"|'[^'\n]*')*)\]/dm;

/** Adds a package to the list `dependencies` of a file’s block of metadata, or adds what is missing of both. */
function declareInScriptBlock(text: string, name: string): readonly TextEdit[] | null {
  const block = scriptBlock.exec(text);
  if (block === null) return /^# \/\/\/ script/m.test(text) ? null : [newBlock(text, name)];
  const [whole, content = ''] = block;
  const start = block.index + whole.indexOf('\n') + 1;
  const list = dependencyList.exec(content);
  if (list === null)
    return /^# dependencies/m.test(content)
      ? null
      : [insertion(start, `# dependencies = ["${name}"]\n`)];
  const [, items = ''] = list;
  const { names, afterLast, needsComma } = readItems(items);
  if (names.has(comparable(name))) return null;
  const itemsStart = start + (list.indices?.[1]?.[0] ?? 0);
  // The last item and a comment on it; what follows belongs to the end of the list.
  const used = items.replace(/[\s#]+$/, '');
  const item = items.includes('\n') ? `\n#   "${name}",` : `${used === '' ? '' : ' '}"${name}"`;
  if (!needsComma) return [insertion(itemsStart + used.length, item)];
  if (afterLast === used.length) return [insertion(itemsStart + used.length, `,${item}`)];
  return [insertion(itemsStart + afterLast, ','), insertion(itemsStart + used.length, item)];
}

/** Reads the items between the brackets of a list; `afterLast` is the position after the last one. */
function readItems(items: string) {
  const names = new Set<string>();
  let afterLast = 0;
  let needsComma = false;
  // The `#` with which a line begins, a text, a comment, or a comma.
  for (const { 0: token, index } of items.matchAll(/(?<=\n)#|"[^"\n]*"|'[^'\n]*'|#[^\n]*|,/g)) {
    if (token === ',') needsComma = false;
    if (!/^["']/.test(token)) continue;
    const [, name = ''] = /^.\s*([\w.-]+)/.exec(token) ?? [];
    names.add(comparable(name));
    afterLast = index + token.length;
    needsComma = true;
  }
  return { names, afterLast, needsComma };
}

/** Inserts a block below the lines that name an interpreter and an encoding. */
function newBlock(text: string, name: string): TextEdit {
  const [head = ''] = /^\uFEFF?(?:#!.*\n)?(?:#.*coding[:=].*\n)?/.exec(text) ?? [];
  return insertion(head.length, `# /// script\n# dependencies = [\n#   "${name}",\n# ]\n# ///\n\n`);
}

function insertion(at: number, insert: string): TextEdit {
  return { from: at, to: at, insert };
}

/** A name of a package as indexes compare it: `My_Package` is `my-package`. */
function comparable(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}
