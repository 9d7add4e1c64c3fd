/**
 * Reads what the styles and presentation attributes of an SVG refer to, and how much they enlarge what is drawn. From that,
 * `measureSvg` (svg-cost.ts) estimates what drawing a tool's image would cost, before a browser draws it. So all sizes are
 * the largest possible ones, and infinite where that is not known; what cannot be estimated is refused.
 */

import { NotDrawable } from './cost.ts';
import { numberIn } from './svg-shape.ts';
import type { SvgNode } from './svg-tree.ts';

/** The properties that descendants inherit. */
export interface Inherited {
  /** The ids that an element refers to, other than by `clip-path` and `mask`. */
  readonly ids: readonly string[];
  readonly strokeWidth: number;
  /** Shortest sequence of dashes; infinite if there are none. */
  readonly dashLength: number;
}

export interface Style extends Inherited {
  /** The ids in `clip-path` and `mask`. */
  readonly clips: readonly string[];
  /** Whether the element is drawn into a layer first, whose area is then painted again. */
  readonly layer: boolean;
}

/** The extremes of the whole document, which are assumed for every shape. */
export interface Extremes {
  fontSize: number;
  /** Whether the corners of strokes may be longer than ten times the width of the stroke. */
  longMiters: boolean;
}

export const noStyle: Style = {
  ids: [],
  clips: [],
  strokeWidth: 0,
  dashLength: Infinity,
  layer: false,
};

/** Merges two sets of properties, of which either may apply. @throws {NotDrawable} */
export function merge(one: Inherited, other: Inherited): Inherited {
  return {
    ids: one.ids.length === 0 ? other.ids : fewIds([...one.ids, ...other.ids]),
    strokeWidth: Math.max(one.strokeWidth, other.strokeWidth),
    dashLength: Math.min(one.dashLength, other.dashLength),
  };
}

function fewIds(ids: readonly string[]): string[] {
  const distinct = [...new Set(ids)];
  if (distinct.length > maxIds)
    throw new NotDrawable(`an element refers to more than ${String(maxIds)} others`);
  return distinct;
}

/** Properties that neither multiply, nor move, nor enlarge what is drawn, except for those that `collect` reads. Style sheets may set no others. */
const properties =
  /^(?:fill(?:-(?:opacity|rule))?|stroke(?:-(?:opacity|width|linecap|linejoin|miterlimit|dasharray|dashoffset))?|opacity|color|color-(?:interpolation|rendering)|(?:shape|text|image)-rendering|font(?:-(?:family|size|style|weight|stretch|variant))?|text-(?:anchor|align|decoration)|(?:dominant|alignment)-baseline|baseline-shift|(?:letter|word)-spacing|line-height|white-space|direction|clip-path|clip-rule|mask|marker(?:-(?:start|mid|end))?|stop-(?:color|opacity)|display|visibility|overflow|paint-order|pointer-events|cursor|user-select|background(?:-color)?|enable-background|isolation|max-width|max-height|writing-mode|-inkscape-[a-z-]+|solid-(?:color|opacity))$/;
const functions = ['url', 'rgb', 'rgba', 'hsl', 'hsla'];
const address = /url\( ?(["']?)([^"'() ]*)\1 ?\)/gi;
const maxSelectors = 1_000;
/** Ids that one element may refer to, its ancestors included. */
const maxIds = 50;
/**
 * Up to four names of elements, classes or ids, each inside the one before. `+`, `~` and functions such as `:has()` are
 * refused, because their cost depends on siblings and descendants.
 */
const selectorText = /^[\w#*.:-]+(?:[ >]+[\w#*.:-]+){0,3}$/;

/** Attributes with other content than a style. */
const notStyles =
  /^(?:on.*|data-.*|aria-.*|id|class|d|points|href|xlink:href|version|role|lang|title|content|name)$/;

/**
 * Reads the style of an element. Unlike in `style`, unknown names of attributes are not refused, since most attributes are
 * no properties: `collect` refuses those whose effect cannot be estimated.
 * @throws {NotDrawable} for filters, animations and other unknown effects
 */
export function styleOf(node: SvgNode, extremes: Extremes): Style {
  const declared: [string, string][] = [];
  for (const [name, value] of node.attributes) {
    if (name === 'style') declared.push(...declarations(value));
    else if (!notStyles.test(name)) declared.push([name, value]);
  }
  return collect(declared, extremes);
}

/** A style sheet: the number of its simple selectors, and what any element may have because of it. */
export function readStyleSheet(
  css: string,
  extremes: Extremes,
): { readonly selectors: number; readonly style: Style } {
  const declared: [string, string][] = [];
  let selectors = 0;
  const rules = withoutComments(css).split('}');
  for (const rule of rules.slice(0, -1)) {
    const [list = '', block, ...more] = rule.split('{');
    if (block === undefined || more.length > 0 || list.includes('@')) throw otherRules();
    for (const selector of list.split(',').map(collapseSpace)) {
      if (selector.length > 200 || !selectorText.test(selector))
        throw new NotDrawable(
          `its style sheet has a selector that is not supported (${selector.slice(0, 40)})`,
        );
      selectors += selector.split(/[ >]+/).length;
    }
    declared.push(...declarations(block));
  }
  if (collapseSpace(rules.at(-1) ?? '') !== '') throw otherRules();
  if (selectors > maxSelectors)
    throw new NotDrawable(`its style sheet has more than ${String(maxSelectors)} selectors`);
  return { selectors, style: collect(declared, extremes) };
}

function otherRules(): NotDrawable {
  return new NotDrawable('its style sheet has rules that are not supported, such as animations');
}

function withoutComments(css: string): string {
  const [first = '', ...others] = css.split('/*');
  const rest = others.map((part) => {
    const end = part.indexOf('*/');
    if (end < 0)
      throw new NotDrawable('its style sheet has comments inside each other, or without an end');
    return part.slice(end + 2);
  });
  return [first, ...rest].join(' ');
}

/** Joins white space, on which the patterns here would otherwise take too long. */
function collapseSpace(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The names and values in a `style` or a block of a style sheet. @throws {NotDrawable} for an unknown property */
function declarations(text: string): [string, string][] {
  return text.split(';').flatMap((one): [string, string][] => {
    if (one.trim() === '') return [];
    const colon = one.indexOf(':');
    const name = one.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (!properties.test(name))
      throw new NotDrawable(`it uses a style that is not supported (${one.trim().slice(0, 40)})`);
    return [
      [
        name,
        one
          .slice(colon + 1)
          .replace(/!\s*important/i, '')
          .trim(),
      ],
    ];
  });
}

/** Combines declarations, each of which may apply, and raises the extremes to theirs. @throws {NotDrawable} */
function collect(declared: readonly [string, string][], extremes: Extremes): Style {
  const ids = new Set<string>();
  const clips = new Set<string>();
  let layer = false;
  let strokeWidth = 0;
  let dashLength = Infinity;
  for (const [name, value] of declared) {
    if (
      /^(?:filter|backdrop-filter|mix-blend-mode)$/.test(name) &&
      !/^(?:none|normal)$/.test(value)
    )
      throw new NotDrawable('it uses filters or blending');
    if (name === 'opacity' && value !== '1') layer = true;
    if (name === 'isolation' && value !== 'auto') layer = true;
    if (name === 'stroke-width') strokeWidth = Math.max(strokeWidth, length(value));
    // Strokes that are not scaled with their shape may cover any share of it.
    if (name === 'vector-effect' && value !== 'none') strokeWidth = Infinity;
    if (name === 'stroke-dasharray') dashLength = Math.min(dashLength, dashes(value));
    // `pathLength` sets the number of units of the outline, and so the number of dashes.
    if (name === 'pathLength') throw new NotDrawable('it uses pathLength, which is not supported');
    if (name === 'stroke-miterlimit') extremes.longMiters ||= numberIn(value, 4) > 10;
    if (name === 'font-size' || name === 'font')
      extremes.fontSize = Math.max(extremes.fontSize, fontSize(value));
    // The functions of transforms, such as `scale(2)`, are read with the shapes.
    if (/[tT]ransform$/.test(name)) continue;
    // Only a function refers to something. A backslash could hide the name of one.
    if (!/[\\(]/.test(value)) continue;
    if (value.includes('\\')) throw new NotDrawable('its styles contain escapes');
    for (const before of value.split('(').slice(0, -1)) {
      const called = /[\w-]*$/.exec(before.slice(-40))?.[0] ?? '';
      if (!functions.includes(called.toLowerCase()))
        throw new NotDrawable(`its styles use a function that is not supported (${called})`);
    }
    for (const id of idsIn(value)) (name === 'clip-path' || name === 'mask' ? clips : ids).add(id);
  }
  return { ids: fewIds([...ids]), clips: fewIds([...clips]), layer, strokeWidth, dashLength };
}

/** The ids in all `url(#id)` of a value. */
function idsIn(value: string): string[] {
  const ids = [...value.matchAll(address)].map(([, , target = '']) => localId(target));
  // A `url` that the pattern has not matched is written in another way.
  if (ids.length !== value.toLowerCase().split('url').length - 1)
    throw new NotDrawable('its styles refer to other files');
  return ids;
}

/** The id in a link to a part of the same document. @throws {NotDrawable} for any other link */
export function localId(target: string): string {
  const link = target.trim();
  if (!link.startsWith('#') || link.includes('%'))
    throw new NotDrawable('it refers to other files');
  return link.slice(1);
}

/** The length of one sequence; infinite for a line without dashes, which only zeros are too. */
function dashes(value: string): number {
  if (value === 'none' || value === 'inherit') return Infinity;
  const lengths = value.split(/[\s,]+/).map((one) => numberIn(one, 0));
  if (lengths.every((one) => one === 0)) return Infinity;
  const sum = lengths.reduce((total, one) => total + one, 0);
  return sum < Infinity ? Math.max(0, sum) : 0;
}

/** A length in pixels; other units than absolute ones depend on the context. */
function length(value: string): number {
  if (value === 'inherit') return 0;
  if (value.length > 50) return Infinity;
  const found = /^\s*(\d*\.?\d+(?:e[-+]?\d+)?)\s*(px|pt|pc|mm|cm|in)?\s*$/i.exec(value);
  if (found === null) return Infinity;
  // Pixels for each unit, rounded up.
  const units: Readonly<Record<string, number>> = { pt: 1.34, pc: 16, mm: 3.8, cm: 38, in: 96 };
  return Number(found[1]) * (units[(found[2] ?? '').toLowerCase()] ?? 1);
}

/**
 * Returns the largest size in a font. In the shorthand, the size has a unit, and numbers without
 * one are the weight and the height of lines.
 */
function fontSize(value: string): number {
  const sizes =
    value.match(/[\d.]+(?:e[-+]?\d+)?[a-z%]+/gi) ?? (/^[\d.]/.test(value) ? [value] : []);
  // Without a size there may be a keyword: the largest is 48 px, and `larger` multiplies the size of the parent.
  if (sizes.length === 0) return value.includes('larger') ? Infinity : 48;
  // More than ten sizes are no font, and are not read.
  return Math.max(...sizes.slice(0, 10).map(length), sizes.length > 10 ? Infinity : 0);
}
