/**
 * Parses an SVG into a tree, to be judged before a browser draws it. Strict: what a browser could read in another way is
 * rejected, above all document types that declare entities, and other encodings than UTF-8.
 */

import { NotDrawable } from './cost.ts';

export interface SvgNode {
  /** Local name; empty for an element that is not drawn because it is in another namespace, such as metadata. */
  readonly name: string;
  readonly parent: SvgNode | null;
  /**
   * Attributes by local name. Attributes in other namespaces, except links, are left out: they have
   * no effect.
   */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: SvgNode[];
  /** Own text; characters. */
  characters: number;
  /** Own text of a style sheet. */
  css: string;
}

export interface SvgTree {
  readonly root: SvgNode;
  readonly nodes: readonly SvgNode[];
}

/** Elements of a file. */
const maxElements = 20_000;
/** Elements inside each other. */
export const maxDepth = 100;
const maxAttributes = 100;
const maxNamespaces = 50;

const svgSpace = 'http://www.w3.org/2000/svg';
/** Elements of these would be laid out, run or loaded. */
const activeSpaces = ['http://www.w3.org/1999/xhtml', 'http://www.w3.org/1998/Math/MathML'];

const nameText = String.raw`[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?`;
const startTag = new RegExp(`<(${nameText})`, 'y');
const attribute = new RegExp(String.raw`\s+(${nameText})\s*=\s*("[^<"]*"|'[^<']*')`, 'y');
const tagEnd = /\s*(\/?)>/y;
const endTag = new RegExp(String.raw`</(${nameText})\s*>`, 'y');
const quoted = String.raw`\s*(?:"[^"]*"|'[^']*')`;
const documentType = new RegExp(
  String.raw`<!DOCTYPE\s+${nameText}(?:\s+(?:PUBLIC${quoted}|SYSTEM)(?:${quoted})?)?\s*>`,
  'y',
);
const reference = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9A-Fa-f]{1,6}));/g;
const predefined: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

type Scope = ReadonlyMap<string, string>;

/** Yields after each tag. @throws {NotDrawable} */
export function* parseSvg(text: string): Generator<undefined, SvgTree> {
  const nodes: SvgNode[] = [];
  const open: { node: SvgNode; tag: string; scope: Scope }[] = [];
  let root: SvgNode | null = null;
  let namespaces = 0;
  let at = 0;

  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const skip = (end: string): string => {
    const stop = text.indexOf(end, at);
    if (stop < 0) throw unreadableError();
    const skipped = text.slice(at, stop);
    at = stop + end.length;
    return skipped;
  };
  const addText = (part: string): void => {
    const node = open.at(-1)?.node;
    if (node === undefined) {
      if (part.trim() !== '') throw unreadableError();
      return;
    }
    node.characters += part.length;
    if (node.name === 'style') node.css += part;
  };

  while (at < text.length) {
    yield;
    const next = text.indexOf('<', at);
    addText(decodeReferences(text.slice(at, next < 0 ? text.length : next)));
    if (next < 0) break;
    at = next;
    if (text.startsWith('<!--', at)) {
      at += 4;
      skip('-->');
    } else if (text.startsWith('<![CDATA[', at)) {
      at += 9;
      addText(skip(']]>'));
    } else if (text.startsWith('<?', at)) {
      const first = at === 0;
      at += 2;
      checkInstruction(skip('?>'), first);
    } else if (text.startsWith('<!', at)) {
      if (root !== null || match(documentType) === null)
        throw new NotDrawable('its document type declares entities or other markup');
    } else if (text.startsWith('</', at)) {
      const tag = match(endTag)?.[1];
      if (tag === undefined || open.pop()?.tag !== tag) throw unreadableError();
    } else {
      const tag = match(startTag)?.[1];
      if (tag === undefined) throw unreadableError();
      if (nodes.length >= maxElements)
        throw new NotDrawable(
          `its file has more than ${maxElements.toLocaleString('en')} elements`,
        );
      if (open.length >= maxDepth) throw tooDeep();
      const raw: [name: string, value: string][] = [];
      for (let found = match(attribute); found !== null; found = match(attribute)) {
        const [, name = '', quotedValue = ''] = found;
        raw.push([name, decodeReferences(quotedValue.slice(1, -1))]);
        if (raw.length > maxAttributes)
          throw new NotDrawable(`an element has more than ${String(maxAttributes)} attributes`);
      }
      const [end, slash] = match(tagEnd) ?? [];
      if (end === undefined) throw unreadableError();
      const parent = open.at(-1);
      if (parent === undefined && root !== null) throw unreadableError();
      const declared = raw.filter(([name]) => name === 'xmlns' || name.startsWith('xmlns:'));
      namespaces += declared.length;
      if (namespaces > maxNamespaces)
        throw new NotDrawable(`it declares more than ${String(maxNamespaces)} namespaces`);
      const scope = scopeOf(parent?.scope, declared);
      const node: SvgNode = {
        name: elementName(tag, scope),
        parent: parent?.node ?? null,
        attributes: effectiveAttributes(raw),
        children: [],
        characters: 0,
        css: '',
      };
      parent?.node.children.push(node);
      root ??= node;
      nodes.push(node);
      if (slash !== '/') open.push({ node, tag, scope });
    }
  }
  if (root?.name !== 'svg' || open.length > 0) throw unreadableError();
  return { root, nodes };
}

export function tooDeep(): NotDrawable {
  return new NotDrawable(`its elements are nested more than ${String(maxDepth)} deep`);
}

function unreadableError(): NotDrawable {
  return new NotDrawable('it is not well-formed SVG');
}

/** Replaces references; the five predefined ones are all that exist without a document type. */
function decodeReferences(text: string): string {
  if (!text.includes('&')) return text;
  let references = 0;
  const result = text.replace(reference, (_, name?: string, decimal?: string, hex?: string) => {
    references += 1;
    if (name !== undefined) return predefined[name] ?? '';
    const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
    if (code > 0x10ffff) throw unreadableError();
    return String.fromCodePoint(code);
  });
  if (references !== text.split('&').length - 1) throw unreadableError();
  return result;
}

/**
 * Accepts only the XML declaration, at the start. A style sheet could be linked in another
 * instruction.
 */
function checkInstruction(text: string, first: boolean): void {
  const [target = ''] = text.split(/\s/, 1);
  if (target.toLowerCase() !== 'xml') {
    if (target === 'xml-stylesheet') throw new NotDrawable('it links to a style sheet');
    return;
  }
  const encoding = /\sencoding\s*=\s*["']([^"']*)["']/.exec(text)?.[1] ?? 'utf-8';
  if (!first || !/^(utf-8|us-ascii|ascii)$/i.test(encoding)) throw unreadableError();
}

function scopeOf(outer: Scope | undefined, declared: readonly [string, string][]): Scope {
  if (outer !== undefined && declared.length === 0) return outer;
  return new Map([
    ...(outer ?? []),
    ...declared.map(([name, value]) => [name.slice('xmlns:'.length), value] as const),
  ]);
}

function elementName(tag: string, scope: Scope): string {
  const colon = tag.indexOf(':');
  const space = scope.get(colon < 0 ? '' : tag.slice(0, colon));
  if (space === undefined && colon >= 0) throw unreadableError();
  const local = tag.slice(colon + 1);
  if (space === svgSpace) return local;
  if (activeSpaces.includes(space ?? ''))
    throw new NotDrawable(`it contains HTML or MathML (${tag.slice(0, 40)})`);
  return '';
}

/** Two links of one element stay two, since browsers differ in which of them counts. */
function effectiveAttributes(raw: readonly [string, string][]): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [name, value] of raw) {
    const local = name.slice(name.indexOf(':') + 1);
    if (local !== name && local !== 'href') continue;
    if (attributes.has(name)) throw unreadableError();
    attributes.set(local === name ? name : 'xlink:href', value);
  }
  return attributes;
}
