/** Room below the source of a playground, so that the page does not move when the frame takes the place of the source. */

import type { PlaygroundFile, PlaygroundView } from '../../runtime/protocol/embed.ts';

/**
 * Heights in pixels of the parts of the frame, as src/embed/playground/playground.css sets them. `fallback` is what a default
 * value adds to its field.
 */
type PartHeights = readonly [
  bar: number,
  head: number,
  field: number,
  fallback: number,
  foot: number,
  buttons: number,
];
/** The heights for a finger, and for a mouse. */
const coarse: PartHeights = [53, 40, 88, 20, 44, 60];
const fine: PartHeights = [44, 26, 76, 2, 28, 52];
/** The borders around the frame, and below its source. */
const borders = 3;
const lineHeight = 21;
/** The head of a form that has no choice of its view. */
const plainHead = 21;
/** Padding and gaps of the form, and of a source. */
const formPadding = 40;
const sourcePadding = 24;
const maxSource = 512;
/** The width from which the form is beside the source. */
const wide = 896;
/** Pixels below the frame that may stay empty. */
const maxSpare = 120;

export class FormRoom {
  readonly element: HTMLElement = document.createElement('div');
  /** The height of the playground before the frame was shown; 0 once the page may move. */
  #heightBefore = 0;

  /** Adds what the frame will need besides what the host shows now. */
  plan(
    host: HTMLElement,
    files: readonly PlaygroundFile[],
    tool: string,
    view: PlaygroundView,
  ): void {
    const isCoarse = matchMedia('(pointer: coarse)').matches;
    const needed = firstHeight(files, tool, view, host.clientWidth, isCoarse);
    this.#set(needed - (host.clientHeight - this.element.offsetHeight));
  }

  /**
   * Fills what the frame leaves of the height that the playground had before. Ends for good once the frame has needed more
   * than that height, or leaves too much of it empty.
   * @param height that of the frame
   * @param before that of the playground before the frame is shown; only given then
   */
  keep(height: number, before = this.#heightBefore): void {
    const spare = before - height;
    this.#heightBefore = spare < 0 || spare > maxSpare ? 0 : before;
    this.#set(this.#heightBefore - height);
  }

  #set(height: number): void {
    this.element.style.height = `${Math.max(0, height)}px`;
  }
}

/**
 * Estimates the height in pixels that the frame needs at first.
 * @param width of the playground in pixels
 */
export function firstHeight(
  files: readonly PlaygroundFile[],
  tool: string,
  view: PlaygroundView,
  width: number,
  isCoarse: boolean,
): number {
  const [bar, head, field, fallback, foot, buttons] = isCoarse ? coarse : fine;
  const isFull = view === 'full';
  let source = 0;
  if (isFull)
    for (const { text } of files)
      source += Math.min(text.trimEnd().split('\n').length * lineHeight + sourcePadding, maxSource);
  let inputs = buttons;
  const parameters = view === 'result' ? [] : parametersIn(files, tool);
  if (parameters.length > 0) inputs += formPadding + (isFull ? head : plainHead) + foot;
  for (const each of parameters) inputs += field + (each.includes('=') ? fallback : 0);
  const work = isFull && width >= wide ? Math.max(source, inputs) : source + inputs;
  return borders + bar + work;
}

/** Returns the parameters of the tool's function, as written; none if it is not found. */
function parametersIn(files: readonly PlaygroundFile[], tool: string): readonly string[] {
  const name = /\w+$/.exec(tool)?.[0] ?? '[A-Za-z]\\w*';
  const definition = new RegExp(`^(?:async +)?def +${name} *\\(([^)]{0,2000})`, 'm');
  for (const { text } of files) {
    const [, parameters] = definition.exec(text.slice(0, 100_000)) ?? [];
    // Commas in brackets are not counted: they separate parts of a type.
    if (parameters !== undefined)
      return parameters
        .replace(/\[[^\]]*\]/g, '')
        .split(',')
        .filter((part) => /\w/.test(part));
  }
  return [];
}
