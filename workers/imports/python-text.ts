/** Writes values, texts and names of foreign documents as Python source. */

const lineWidth = 100;
/** Names are made of the beginnings of longer texts: the expressions below take long for some long texts. */
const maxNameChars = 1_000;

const keywords =
  `False None True and as assert async await break class continue def del elif else except finally for from
  global if import in is lambda nonlocal not or pass raise return try while with yield`.split(
    /\s+/,
  );
/** Besides keywords: handlers get the call context by this name. */
const takenParameters = new Set([...keywords, 'context']);
/** Besides keywords: what the functions of a generated file use. */
const takenFunctions = new Set([
  ...keywords,
  ...'base64 bool bytes dict isinstance json list map os str type urllib uuid context print'.split(
    ' ',
  ),
]);

/** Returns a name for a function: lower case with underscores, at most 48 characters. */
export function functionName(text: string): string {
  const words = text
    .slice(0, maxNameChars)
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
  return legalName(words, 48, 'call', takenFunctions);
}

/** Returns a name for a parameter, which keeps the letters of a name that is legal already. */
export function parameterName(text: string): string {
  return legalName(text, 60, 'value', takenParameters);
}

function legalName(
  text: string,
  max: number,
  otherwise: string,
  taken: ReadonlySet<string>,
): string {
  const plain = text
    .slice(0, maxNameChars)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss');
  let name = plain.replace(/[^A-Za-z\d_]+/g, '_').replace(/^_+|_+$/g, '');
  name = name.slice(0, max).replace(/_+$/, '');
  if (name === '') name = otherwise;
  if (/^\d/.test(name)) name = `n${name}`;
  return taken.has(name) ? `${name}_` : name;
}

/** Makes names unique. */
export class FreeNames {
  readonly #used: Set<string>;
  /** The number to try next for a name, since a document may use one name thousands of times. */
  readonly #next = new Map<string, number>();

  constructor(used: Iterable<string> = []) {
    this.#used = new Set(used);
  }

  has(name: string): boolean {
    return this.#used.has(name);
  }

  /** Returns the name, or the name with a number if it is used already, and uses it. */
  take(name: string): string {
    let free = name;
    let n = this.#next.get(name) ?? 2;
    for (; this.#used.has(free); n += 1) free = `${name}_${n}`;
    this.#next.set(name, n);
    this.#used.add(free);
    return free;
  }
}

/**
 * Returns a JSON value as a Python expression; large integers may be given as `bigint`. An expression that does not fit
 * on its line has one line for each item.
 *
 * @param indent the indentation of the line on which the expression begins
 * @param before how many characters stand before the expression on this line, after the indentation
 */
export function literal(value: unknown, indent = 0, before = 0): string {
  const short = shortLiteral(value, lineWidth - indent - before);
  if (short !== null) return short;
  const inside = ' '.repeat(indent + 4);
  const end = ' '.repeat(indent);
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => `${inside}${literal(item, indent + 4)},\n`);
    return `[\n${items.join('')}${end}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, item]) => {
      const name = `${pythonText(key)}: `;
      return `${inside}${name}${literal(item, indent + 4, name.length)},\n`;
    });
    return `{\n${members.join('')}${end}}`;
  }
  return scalar(value);
}

/** Returns the expression on one line; null if it is longer than `room`. */
function shortLiteral(value: unknown, room: number): string | null {
  if (room < 2) return null;
  if (typeof value !== 'object' || value === null) {
    const text = scalar(value);
    return text.length > room ? null : text;
  }
  const isList = Array.isArray(value);
  const parts: string[] = [];
  let left = room - 2;
  for (const [key, item] of Object.entries(value)) {
    const name = isList ? '' : `${pythonText(key)}: `;
    const text = shortLiteral(item, left - name.length - 2);
    if (text === null) return null;
    parts.push(name + text);
    left -= name.length + text.length + 2;
  }
  return isList ? `[${parts.join(', ')}]` : `{${parts.join(', ')}}`;
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return pythonText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'None';
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return 'None';
}

/** Characters that would change how the source looks or where its lines end: controls, direction marks, invisible ones. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Returns a text as a Python literal, with invisible characters escaped. */
export function pythonText(text: string): string {
  // JSON's escapes mean the same in Python, except those of a surrogate pair, which JSON.stringify does not escape.
  // @mutant imports: text of a document has no direction marks in Python => without .replace(unseen, escaped)
  return JSON.stringify(text).replace(unseen, escaped);
}

/** The text of an f-string around expressions, without its quotes. */
export function formatText(text: string): string {
  return pythonText(text).slice(1, -1).replaceAll('{', '{{').replaceAll('}', '}}');
}

/** A docstring of a function or a file, with the quotes; long lines are wrapped. */
export function docstring(text: string, indent: number): string {
  const space = ' '.repeat(indent);
  const lines = text
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.trimEnd().replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"'))
    .map((line) => line.replaceAll('\t', '    ').replace(unseen, escaped))
    .flatMap((line) => wrapped(line, lineWidth - indent - 3));
  const written = lines.map((line, n) => (n === 0 || line === '' ? line : space + line)).join('\n');
  if (lines.length > 1) return `"""${written}\n${space}"""`;
  // Two backslashes are one of the text, and escape nothing.
  return `"""${written.replace(/(?<!\\)((?:\\\\)*)"$/, '$1\\"')}"""`;
}

function wrapped(line: string, width: number): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const at = rest.lastIndexOf(' ', width);
    if (at <= 0) break;
    lines.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at + 1).trimStart();
  }
  return [...lines, rest];
}

/** A text or number as text; empty for values of other types, which `String` could not always convert. */
export function plainText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The first characters of a text, with an ellipsis if there are more. */
export function cut(text: unknown, max: number): string {
  if (typeof text !== 'string') return '';
  const trimmed = text.slice(0, max * 4).trim();
  return trimmed.length <= max ? trimmed : `${trimmed.slice(0, max - 1).trimEnd()}…`;
}
