/**
 * Computes what drawing an SVG costs: walks through it as a browser does, into every copy that a
 * reference makes. The walk ends when `Cost.add` throws because the image costs too much, so the work
 * is limited by what may be drawn, not by the size to which the image expands. The kinds of cost, with
 * their units and limits, are in cost.ts.
 */

import { fromBase64 } from '../../../../runtime/spec/bytes.ts';
import { Cost, NotDrawable } from './cost.ts';
import { addRaster, readRaster } from './raster.ts';
import { scaleOf, shapeOf, type Scale, type Shape } from './svg-shape.ts';
import {
  localId,
  merge,
  noStyle,
  readStyleSheet,
  styleOf,
  type Extremes,
  type Inherited,
  type Style,
} from './svg-style.ts';
import { maxDepth, tooDeep, type SvgNode, type SvgTree } from './svg-tree.ts';

const shapes = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'image'];
const texts = ['text', 'tspan'];
const gradients = ['linearGradient', 'radialGradient'];
/** Elements that are drawn only where something refers to them. */
const templates = ['clipPath', 'mask', 'pattern', 'marker', 'symbol', 'defs', ...gradients];
const inert = ['', 'title', 'desc', 'metadata', 'style', 'script', 'stop', 'view'];
const containers = ['svg', 'g', 'a', 'switch', 'use'];
const known = [...shapes, ...texts, ...templates, ...inert, ...containers];

/** Costs of effects: a plain fill of the same area costs 1. `rectangle` is a clip path that is only a rectangle. */
const layerCosts = { gradient: 5, opacity: 2, mask: 10, clip: 3, rectangle: 0.5 };

const unknownScale: Scale = { area: Infinity, length: Infinity };
/** What the root inherits. */
const initial: Inherited = { ids: [], strokeWidth: 1, dashLength: Infinity };

/** The place in the drawn image at which an element is visited. */
interface Place {
  readonly inherited: Inherited;
  /** How much the ancestors enlarge the element. */
  readonly scale: Scale;
  readonly depth: number;
  /** Whether a reference draws the element here, in addition to its own place in the file. */
  readonly isCopy: boolean;
}

/** The shapes that an element draws: how many, and on how much of the image. */
interface Drawn {
  readonly shapes: number;
  readonly area: number;
}

const nothing: Drawn = { shapes: 0, area: 0 };

/** The coordinates that the image shows. */
interface View {
  readonly width: number;
  readonly height: number;
}

/**
 * Measures a whole image. It and the functions of the walk are generators that yield at each element, so that the
 * caller can let the page do other work.
 * @throws {NotDrawable} if the image costs too much, or its cost cannot be estimated
 */
export function* measureSvg(tree: SvgTree): Generator<undefined, Cost> {
  const document = yield* readDocument(tree);
  const { root, nodes } = tree;
  const cost = new Cost();
  cost.add('shapes', nodes.length);
  cost.add('matches', nodes.length * document.selectors);
  // With `slice`, the image is enlarged until it covers its frame, whose proportions are unknown.
  const isSliced = root.attributes.get('preserveAspectRatio')?.includes('slice') === true;
  const scale = isSliced ? unknownScale : { area: 1, length: 1 };
  const inherited = merge(initial, document.sheet);
  const walk = new Walk(cost, document);
  yield* walk.visit(root, { inherited, scale, depth: 0, isCopy: false });
  return cost;
}

/** Facts about the whole document. */
interface Document {
  /** The elements by id. If several have the same, browsers take the first. */
  readonly byId: ReadonlyMap<string, readonly SvgNode[]>;
  readonly styles: ReadonlyMap<SvgNode, Style>;
  /** All style sheets: each element may have what is in them. */
  readonly sheet: Style;
  /** Number of selectors in the style sheets. */
  readonly selectors: number;
  readonly extremes: Extremes;
  readonly view: View;
}

function* readDocument({ root, nodes }: SvgTree): Generator<undefined, Document> {
  /** The extremes of all styles that have been read; reading a style may raise them. */
  const extremes: Extremes = { fontSize: 16, longMiters: false };
  const byId = new Map<string, SvgNode[]>();
  const styles = new Map<SvgNode, Style>();
  let selectors = 0;
  let sheet = noStyle;
  for (const node of nodes) {
    yield;
    if (!known.includes(node.name))
      throw new NotDrawable(`it uses <${node.name.slice(0, 40)}>, which is not supported`);
    if (node.name === '') continue;
    const id = node.attributes.get('id');
    if (id !== undefined) {
      const same = byId.get(id);
      if (same === undefined) byId.set(id, [node]);
      else same.push(node);
    }
    styles.set(node, styleOf(node, extremes));
    if (node.name !== 'style') continue;
    const read = readStyleSheet(node.css, extremes);
    selectors += read.selectors;
    sheet = {
      ...merge(sheet, read.style),
      clips: [...sheet.clips, ...read.style.clips],
      layer: sheet.layer || read.style.layer,
    };
  }
  return { byId, styles, sheet, selectors, extremes, view: viewOf(root) };
}

class Walk {
  readonly #cost: Cost;
  readonly #document: Document;
  readonly #shapes = new Map<SvgNode, Shape>();
  /** Nodes that are being drawn through a reference; browsers, too, ignore a reference to itself. */
  readonly #active = new Set<SvgNode>();
  /** Gradients that have been counted; browsers compute each once. */
  readonly #gradients = new Set<SvgNode>();

  constructor(cost: Cost, document: Document) {
    this.#cost = cost;
    this.#document = document;
  }

  *visit(node: SvgNode, place: Place): Generator<undefined, Drawn> {
    yield;
    if (place.depth > maxDepth) throw tooDeep();
    if (place.isCopy) {
      // @mutant copies in an image are counted => removed [src/app/ui/tools/pictures/judge.test.ts]
      this.#cost.add('shapes', 1);
      this.#cost.add('matches', this.#document.selectors);
    }
    if (inert.includes(node.name)) return nothing;
    const { sheet } = this.#document;
    const style = this.#style(node);
    const inside = {
      ...place,
      inherited: merge(place.inherited, style),
      scale: scaleIn(node, place.scale),
      depth: place.depth + 1,
    };
    const drawn = shapes.includes(node.name)
      ? yield* this.#shape(node, inside)
      : yield* this.#container(node, inside);
    if (style.layer || sheet.layer) this.#cost.add('layers', layerCosts.opacity * drawn.area);
    for (const id of [...style.clips, ...sheet.clips]) yield* this.#refer(id, inside);
    return drawn;
  }

  *#container(node: SvgNode, place: Place): Generator<undefined, Drawn> {
    const parts: Drawn[] = [];
    if (texts.includes(node.name)) parts.push(yield* this.#text(node, place));
    if (node.name === 'use')
      for (const id of linksOf(node)) parts.push(yield* this.#refer(id, place));
    else
      for (const child of node.children)
        // Templates were counted as parts of the file, and are drawn only where something refers to
        // them.
        if (!templates.includes(child.name)) parts.push(yield* this.visit(child, place));
    return combineShapes(parts);
  }

  *#shape(node: SvgNode, place: Place): Generator<undefined, Drawn> {
    let shape = this.#shapes.get(node);
    if (shape === undefined) {
      shape = yield* shapeOf(node);
      this.#shapes.set(node, shape);
      if (node.name === 'image') yield* this.#addEmbeddedImage(node);
    }
    const { view, extremes } = this.#document;
    const { strokeWidth, dashLength } = place.inherited;
    const width = shape.width + strokeWidth;
    const height = shape.height + strokeWidth;
    const area = clampShare((width * height * place.scale.area) / (view.width * view.height));
    const size = Math.min(view.width, view.height);
    // Only the part of a line that is inside the image is painted: at most about two sizes of the image.
    const maxOutline = shape.points * 2;
    const outline = (shape.length * place.scale.length) / size;
    this.#cost.add('points', shape.points);
    // The comparison is false for an unknown outline, too.
    this.#cost.add('outlines', outline <= maxOutline ? outline : maxOutline);
    // A scale changes the outline and its dashes alike, but not the number of dashes.
    if (dashLength < Infinity) this.#cost.add('dashes', shape.length / dashLength);
    // Each corner of a stroke may then end in a spike, as wide as the stroke, that crosses the image.
    if (extremes.longMiters) {
      this.#cost.add('outlines', maxOutline);
      this.#cost.add(
        'layers',
        shape.points * clampShare((strokeWidth * place.scale.length) / size),
      );
    }
    this.#cost.add('layers', area);
    yield* this.#countPaints(place, area, shape.points);
    return { shapes: 1, area };
  }

  *#text(node: SvgNode, place: Place): Generator<undefined, Drawn> {
    if (node.characters === 0) return nothing;
    // A list of positions lays out each character by itself.
    const placed = ['x', 'y', 'dx', 'dy', 'rotate'].some((name) =>
      /\d[\s,]+[-+.\d]/.test(node.attributes.get(name) ?? ''),
    );
    this.#cost.add('characters', node.characters * (placed ? 4 : 1));
    const { view, extremes } = this.#document;
    const letter = extremes.fontSize * extremes.fontSize * place.scale.area;
    const layers = node.characters * clampShare(letter / (view.width * view.height));
    this.#cost.add('layers', layers);
    yield* this.#countPaints(place, clampShare(layers), 0);
    // A text counts as two shapes, since letters may lie far apart.
    return { shapes: 2, area: clampShare(layers) };
  }

  /**
   * Counts the gradients, patterns and markers that a shape inherits. Painting with a gradient costs something for each
   * shape; the elements of the gradient itself are counted once.
   * @param points the number of points at which a marker is drawn
   */
  *#countPaints(place: Place, area: number, points: number): Generator<undefined, void> {
    for (const id of place.inherited.ids) {
      const targets = this.#document.byId.get(id) ?? [];
      if (targets.some(({ name }) => gradients.includes(name)))
        this.#cost.add('layers', layerCosts.gradient * area);
      // Nothing has this id, or only gradients whose elements have been counted.
      if (targets.every((target) => this.#gradients.has(target))) continue;
      // A marker is drawn again at each point.
      const times = targets.some(({ name }) => name === 'marker') ? points : 1;
      for (let n = 0; n < times; n += 1) yield* this.#refer(id, place);
    }
  }

  /** Draws the elements with this id at the place of a reference to them. */
  *#refer(id: string, place: Place): Generator<undefined, Drawn> {
    const parts: Drawn[] = [];
    for (const target of this.#document.byId.get(id) ?? []) {
      if (this.#active.has(target)) continue;
      if (gradients.includes(target.name)) this.#gradients.add(target);
      if (target.name === 'mask') this.#cost.add('layers', layerCosts.mask);
      if (target.name === 'clipPath') {
        const isRectangle = target.children.length === 1 && target.children[0]?.name === 'rect';
        this.#cost.add('layers', isRectangle ? layerCosts.rectangle : layerCosts.clip);
        // Clipping itself counts as two shapes. What is in the clip path is counted too, unless it is only a rectangle.
        this.#cost.add('shapes', 2);
        if (isRectangle) continue;
      }
      this.#active.add(target);
      // An ordinary element inherits from where the reference draws it; a gradient, pattern, marker, mask or clip path
      // from where it is defined.
      const isOrdinary = target.name === 'symbol' || !templates.includes(target.name);
      const inside = isOrdinary
        ? { ...place, isCopy: true }
        : { ...place, inherited: this.#inheritedBy(target), scale: unknownScale, isCopy: true };
      parts.push(yield* this.visit(target, inside));
      // Gradients and patterns take over what they link to.
      if (!isOrdinary)
        for (const link of linksOf(target))
          yield* this.#refer(link, { ...inside, depth: inside.depth + 1 });
      this.#active.delete(target);
    }
    return combineShapes(parts);
  }

  #inheritedBy(node: SvgNode): Inherited {
    let inherited = merge(initial, this.#document.sheet);
    for (let outer = node.parent; outer !== null; outer = outer.parent)
      inherited = merge(inherited, this.#style(outer));
    return inherited;
  }

  #style(node: SvgNode): Style {
    return this.#document.styles.get(node) ?? noStyle;
  }

  *#addEmbeddedImage(node: SvgNode): Generator<undefined, void> {
    for (const name of ['href', 'xlink:href']) {
      const link = node.attributes.get(name);
      if (link === undefined) continue;
      const [, data] =
        /^\s*data:image\/(?:png|jpeg|jpg|gif|webp);base64,([\w+/=\s]*)$/.exec(link) ?? [];
      if (data === undefined)
        throw new NotDrawable('it contains an image that is not a PNG, JPEG, GIF or WebP');
      addRaster(this.#cost, yield* readRaster(decodeImageData(data)));
    }
  }
}

function combineShapes(parts: readonly Drawn[]): Drawn {
  const shown = parts.filter((part) => part.shapes > 0);
  const count = shown.reduce((sum, part) => sum + part.shapes, 0);
  // The area that several shapes extend over is unknown.
  return { shapes: count, area: count > 1 ? 1 : (shown[0]?.area ?? 0) };
}

function scaleIn(node: SvgNode, scale: Scale): Scale {
  if (node.attributes.has('viewBox') && node.parent !== null) return unknownScale;
  const own = scaleOf(node.attributes.get('transform') ?? '');
  return { area: scale.area * own.area, length: scale.length * own.length };
}

function decodeImageData(data: string): Uint8Array {
  const bytes = fromBase64(data);
  if (bytes === null) throw new NotDrawable('it contains an image whose data is not base64');
  return bytes;
}

function linksOf(node: SvgNode): string[] {
  return ['href', 'xlink:href'].flatMap((name) => {
    const link = node.attributes.get(name);
    return link === undefined ? [] : [localId(link)];
  });
}

/** Limits a share of the image to the whole image. A share that is not known counts as the whole image. */
function clampShare(part: number): number {
  return part >= 0 && part < 1 ? part : 1;
}

/** The coordinates that the image shows; the smallest possible if unknown. */
function viewOf(root: SvgNode): View {
  const box = (root.attributes.get('viewBox') ?? '')
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , boxWidth = NaN, boxHeight = NaN] = box;
  const hasBox = boxWidth > 0 && boxHeight > 0;
  const size = (name: string): number => parseFloat(root.attributes.get(name) ?? '');
  const [width, height] = hasBox ? [boxWidth, boxHeight] : [size('width'), size('height')];
  return { width: width > 0 ? width : 100, height: height > 0 ? height : 100 };
}
