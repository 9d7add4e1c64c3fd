/** The size of an SVG's shapes, by their attributes: never less than what a browser draws. */

import type { SvgNode } from './svg-tree.ts';

export interface Shape {
  /** Width in the shape's own coordinates; infinite if unknown. */
  readonly width: number;
  readonly height: number;
  /** Length of the outline. */
  readonly length: number;
  readonly points: number;
}

/** A transformation: how much it enlarges areas, and lengths at most; infinite if unknown. */
export interface Scale {
  readonly area: number;
  readonly length: number;
}

const plainNumber = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`;
const nextNumber = new RegExp(String.raw`[\s,]*(${plainNumber})`, 'y');
const nextFlag = /[\s,]*([01])/y;
const nextCommand = /[\s,]*([MLHVCSQTAZ])/iy;
const onlyNumber = new RegExp(String.raw`^\s*(${plainNumber})(?:px)?\s*$`);

/** The number in an attribute; infinite if it has another unit. */
export function numberIn(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (text.length > 50) return Infinity;
  const found = onlyNumber.exec(text)?.[1];
  return found === undefined ? Infinity : Number(found);
}

/** Measures an element of `shapes` in svg-cost.ts. Yields after some points. */
export function* shapeOf(node: SvgNode): Generator<undefined, Shape> {
  const size = (name: string): number => Math.abs(numberIn(node.attributes.get(name), 0));
  switch (node.name) {
    case 'rect':
    case 'image': {
      const width = size('width');
      const height = size('height');
      return { width, height, length: 2 * (width + height), points: 4 };
    }
    case 'circle':
    case 'ellipse': {
      const rx = size('rx') || size('r');
      const ry = size('ry') || size('r');
      return { width: 2 * rx, height: 2 * ry, length: 7 * Math.max(rx, ry), points: 4 };
    }
    case 'line': {
      const coordinate = (name: string): number => numberIn(node.attributes.get(name), 0);
      return yield* pathOf(
        `M${coordinate('x1')} ${coordinate('y1')}L${coordinate('x2')} ${coordinate('y2')}`,
      );
    }
    case 'path':
      return yield* pathOf(node.attributes.get('d') ?? '');
    default:
      // A polyline or polygon: its points are those of a closed path.
      return yield* pathOf(`M${node.attributes.get('points') ?? ''}Z`);
  }
}

const argumentsOf: Readonly<Record<string, number>> = {
  M: 2,
  L: 2,
  H: 1,
  V: 1,
  C: 6,
  S: 4,
  Q: 4,
  T: 2,
  A: 7,
};

/** Follows the path until its first error, like browsers. Curves stay within their control points. */
function* pathOf(d: string): Generator<undefined, Shape> {
  let at = 0;
  let left = Infinity;
  let right = -Infinity;
  let top = Infinity;
  let bottom = -Infinity;
  let x = 0;
  let y = 0;
  let startX = 0;
  let startY = 0;
  let controlX = 0;
  let controlY = 0;
  let length = 0;
  let points = 0;
  const read = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(d)?.[1];
    if (found !== undefined) at = pattern.lastIndex;
    return found;
  };
  const extend = (px: number, py: number, around: number): void => {
    [left, right] = [Math.min(left, px - around), Math.max(right, px + around)];
    [top, bottom] = [Math.min(top, py - around), Math.max(bottom, py + around)];
  };
  const lineTo = (px: number, py: number): void => {
    length += Math.hypot(px - x, py - y);
    [x, y] = [px, py];
    extend(x, y, 0);
  };
  let command = '';
  for (;;) {
    const commandText = read(nextCommand);
    if (commandText !== undefined) command = commandText;
    else if (command === '' || command === 'Z' || command === 'z') break;
    const kind = command.toUpperCase();
    points += 1;
    if (points % 1_000 === 0) yield;
    if (kind === 'Z') {
      lineTo(startX, startY);
      [controlX, controlY] = [x, y];
      continue;
    }
    const values: number[] = [];
    for (let n = 0; n < (argumentsOf[kind] ?? 0); n += 1) {
      const text = read(kind === 'A' && (n === 3 || n === 4) ? nextFlag : nextNumber);
      if (text === undefined) break;
      values.push(Number(text));
    }
    if (values.length < (argumentsOf[kind] ?? 0)) break;
    const relative = command !== kind;
    const [fromX, fromY] = relative ? [x, y] : [0, 0];
    const [a = 0, b = 0] = values;
    const endX = fromX + (values.at(-2) ?? 0);
    const endY = fromY + (values.at(-1) ?? 0);
    const lastX = 2 * x - controlX;
    const lastY = 2 * y - controlY;
    if (kind === 'M') {
      [x, y, startX, startY] = [endX, endY, endX, endY];
      extend(x, y, 0);
      command = relative ? 'l' : 'L';
    } else if (kind === 'H') lineTo(fromX + a, y);
    else if (kind === 'V') lineTo(x, fromY + a);
    else if (kind === 'A') {
      const chord = Math.hypot(endX - x, endY - y);
      const max = Math.max(Math.abs(a), Math.abs(b));
      const least = Math.min(Math.abs(a), Math.abs(b));
      // A radius of 0 is a line; radii that do not reach are enlarged in proportion.
      const radius = least === 0 ? 0 : max * Math.max(1, chord / (2 * least));
      extend(x, y, 2 * radius);
      extend(endX, endY, 2 * radius);
      length += 7 * radius;
      lineTo(endX, endY);
    } else if (kind !== 'L') {
      if (kind === 'S' || kind === 'T') lineTo(lastX, lastY);
      for (let n = 0; n + 2 < values.length; n += 2) {
        controlX = fromX + (values[n] ?? 0);
        controlY = fromY + (values[n + 1] ?? 0);
        lineTo(controlX, controlY);
      }
      if (kind === 'T') [controlX, controlY] = [lastX, lastY];
      lineTo(endX, endY);
      continue;
    } else lineTo(endX, endY);
    [controlX, controlY] = [x, y];
  }
  if (left > right) return { width: 0, height: 0, length: 0, points };
  return { width: right - left, height: bottom - top, length, points };
}

/** The scale of a `transform` attribute. */
export function scaleOf(transform: string): Scale {
  if (transform.length > 1_000) return { area: Infinity, length: Infinity };
  let area = 1;
  let length = 1;
  for (const [, name = '', list = ''] of transform.matchAll(/([A-Za-z]+)\s*\(([^()]*)\)/g)) {
    const values = list
      .split(/[\s,]+/)
      .filter((one) => one !== '')
      .map(Number);
    const [a = NaN, b = a, c = NaN, d = NaN] = values;
    if (name === 'scale')
      [area, length] = [area * Math.abs(a * b), length * Math.max(Math.abs(a), Math.abs(b))];
    else if (name === 'matrix')
      [area, length] = [area * Math.abs(a * d - b * c), length * Math.hypot(a, b, c, d)];
    else if (name === 'skewX' || name === 'skewY')
      length *= 2 + Math.abs(Math.tan((a * Math.PI) / 180));
    else if (name !== 'translate' && name !== 'rotate') return { area: Infinity, length: Infinity };
  }
  return { area, length };
}
