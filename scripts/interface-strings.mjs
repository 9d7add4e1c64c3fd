/**
 * node scripts/interface-strings.mjs [folder …]: prints the strings that a user may read, by file and line; of src and workers if not told.
 * Svelte's parser and typescript-eslint's (on TypeScript's own) give the same kind of tree, so that one walk serves both.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parse } from 'svelte/compiler';
import { parser as typed } from 'typescript-eslint';
import { projectFolder } from './dist.mjs';

/**
 * @typedef {{
 *   type: string, start?: number, end?: number, range?: [number, number], name?: string, operator?: string, data?: string,
 *   value?: unknown, test?: Tree, consequent?: Tree, alternate?: Tree, left?: Tree, right?: Tree, object?: Tree, callee?: Tree,
 *   arguments?: Tree, expression?: Tree, nodes?: Node[],
 * }} Node
 * @typedef {unknown} Tree a node, a list of nodes, or anything else that a node holds
 */

/** Attributes of elements, and props of components, that are never shown. */
const hidden =
  /^(class|style|id|for|role|type|name|href|src|rel|target|auto\w+|inputmode|enterkeyhint|spellcheck|tabindex|lang|dir|translate|icon|slot|align|media|accept|decoding|loading|d|viewBox|fill|stroke.*|preserveAspectRatio|data-.*|aria-(live|atomic|hidden|current|haspopup|expanded|pressed|selected|controls|labelledby|describedby|invalid|orientation))$/;
/** Its own type leaves the options out. */
const parser = /** @type {{ parseForESLint(text: string, options: object): unknown }} */ (typed);
const untranslated = new Set([
  'Comment',
  'StyleSheet',
  'ImportDeclaration',
  'ExportAllDeclaration',
]);

const folders = process.argv.length > 2 ? process.argv.slice(2) : ['src', 'workers'];
for (const path of folders.flatMap(filesIn).sort()) {
  const strings = stringsOf(path, readFileSync(path, 'utf8'));
  if (strings.length > 0) console.log(`\n${relative(projectFolder, path)}`);
  for (const { line, shown } of strings) console.log(`${String(line).padStart(5)}  ${shown}`);
}

/** @param {string} folder */
function filesIn(folder) {
  return /** @type {string[]} */ (readdirSync(folder, { recursive: true }))
    .filter((name) => /\.(ts|svelte)$/.test(name) && !/\.(test|fixture|d)\.ts$/.test(name))
    .map((name) => resolve(folder, name));
}

/**
 * @param {string} path
 * @param {string} text
 */
function stringsOf(path, text) {
  /** @type {{ line: number, shown: string }[]} */
  const found = [];
  /** @param {Node} node */
  const start = (node) => node.start ?? node.range?.[0] ?? 0;
  /** @param {Node} node */
  const sourceOf = (node) => text.slice(start(node), node.end ?? node.range?.[1]);

  /** @type {(node: Node, string: string, isShown: boolean) => void} */
  const add = (node, string, isShown) => {
    const shown = string.replaceAll(/\s+/g, ' ').trim();
    if (!/\p{L}{2}/u.test(shown.replaceAll(/\$?\{[^}]*\}/g, ''))) return;
    if (!isShown && !readsAsProse(shown)) return;
    found.push({ line: text.slice(0, start(node)).split('\n').length, shown });
  };

  /** @type {(tree: Tree, isShown?: boolean) => void} */
  const visit = (tree, isShown = false) => {
    if (Array.isArray(tree)) for (const child of tree) visit(child, isShown);
    if (!isNode(tree) || untranslated.has(tree.type)) return;
    if (/^TS.*(Type|Keyword|Annotation|Declaration|Instantiation)$/.test(tree.type)) return;
    switch (tree.type) {
      case 'Attribute':
        if (!hidden.test(tree.name ?? '')) visitRun([tree.value].flat().filter(isNode));
        break;
      case 'Fragment':
        visitRun(tree.nodes ?? []);
        break;
      case 'Literal':
        if (typeof tree.value === 'string') add(tree, tree.value, isShown);
        break;
      case 'TemplateLiteral':
        add(tree, sourceOf(tree).slice(1, -1), false);
        break;
      case 'BinaryExpression':
        if (tree.operator === '+') visit([tree.left, tree.right], isShown);
        break;
      case 'ConditionalExpression':
        visit(tree.test);
        visit([tree.consequent, tree.alternate], isShown);
        break;
      case 'Property':
        visit(tree.value);
        break;
      case 'SwitchCase':
        visit(tree.consequent);
        break;
      case 'MemberExpression':
        visit(tree.object);
        break;
      default:
        for (const [key, child] of Object.entries(tree))
          if (typeof child === 'object') visit(child, isShown && key === 'expression');
    }
  };

  /**
   * Text and the expressions in the middle of it read as one string.
   * @param {Node[]} nodes
   */
  const visitRun = (nodes) => {
    /** @type {Node[]} */
    let run = [];
    const endRun = () => {
      const first = run.find((node) => node.type !== 'Text' || /\S/.test(node.data ?? ''));
      const isText = run.some((node) => node.type === 'Text' && /\S/.test(node.data ?? ''));
      if (first && isText) add(first, run.map(sourceOf).join(''), true);
      else visit(run, true);
      run = [];
    };
    for (const node of nodes)
      if (node.type === 'Text' || node.type === 'ExpressionTag') run.push(node);
      else {
        endRun();
        visit(node);
      }
    endRun();
  };

  if (path.endsWith('.ts')) {
    const parsed = parser.parseForESLint(text, { range: true });
    visit(/** @type {{ ast: { body: Tree } }} */ (parsed).ast.body);
  } else {
    const { module, instance, fragment } = parse(text, { modern: true });
    visit([module, instance, fragment]);
  }
  return found.sort((a, b) => a.line - b.line);
}

/** @type {(tree: unknown) => tree is Node} */
function isNode(tree) {
  return (
    typeof tree === 'object' && tree !== null && 'type' in tree && typeof tree.type === 'string'
  );
}

/**
 * A sentence, or a label that begins with a capital letter: not a key, a code or a CSS class.
 * @param {string} text
 */
function readsAsProse(text) {
  return /^\p{Lu}\p{Ll}/u.test(text) || /\S \p{L}{2}|\p{L}{2}[,:;.…]? \S/u.test(text);
}
