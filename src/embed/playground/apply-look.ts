/** Applies how the page around the playground looks to the frame's document. */

import type { LabelName, Look } from '../../runtime/protocol/embed.ts';

/** The app's own custom properties, by the names that pages set. */
const colors = {
  accent: ['--accent', '--accent-strong'],
  'on-accent': ['--on-accent'],
  background: ['--bench'],
  well: ['--well'],
  text: ['--ink'],
  'soft-text': ['--ink-soft'],
  line: ['--line', '--line-control'],
} as const;

const usual: Record<LabelName, string> = {
  run: 'Run',
  stop: 'Stop',
  edit: 'Edit',
  open: 'Open in Cloche',
  arguments: 'Arguments',
  result: 'Result',
  source: 'Source',
};

/** The words of the playground's own controls. */
export function wordsOf({ labels }: Look): Record<LabelName, string> {
  return { ...usual, ...labels };
}

/** Values that are no colour, font list or length are left out, so that a page cannot load or place anything with them. */
export function applyLook(root: HTMLElement, { scheme, values }: Look): void {
  if (scheme === 'auto') delete root.dataset.theme;
  else root.dataset.theme = scheme;
  const set = (property: string, value: string | undefined): void => {
    if (value === undefined) root.style.removeProperty(property);
    else root.style.setProperty(property, value);
  };
  for (const [name, properties] of Object.entries(colors)) {
    const value = values[name as keyof typeof colors];
    const isColor =
      value !== undefined && CSS.supports('color', value) && !/url|var|env/i.test(value);
    for (const property of properties) set(property, isColor ? value : undefined);
  }
  const { background, text } = values;
  // Colours between the page's two are mixed from them.
  if (background !== undefined && text !== undefined && CSS.supports('color', background)) {
    const mixColors = (share: number): string =>
      `color-mix(in oklab, var(--ink) ${share}%, var(--bench))`;
    if (values.well === undefined) set('--well', mixColors(4));
    if (values.line === undefined) set('--line', mixColors(15));
    if (values['soft-text'] === undefined) set('--ink-soft', mixColors(75));
  }
  const font = (value: string | undefined): string | undefined =>
    value !== undefined && /^[\w\s,'"-]+$/.test(value) ? value : undefined;
  const length = (value: string | undefined): string | undefined =>
    value !== undefined && /^\d{1,3}(\.\d+)?(px|rem|em|pt)$/.test(value) ? value : undefined;
  set('--sans', font(values.font));
  set('--mono', font(values['code-font']));
  set('--size', length(values['font-size']));
  set('--radius-2', length(values.radius));
  // All sizes follow the text of the page, within what fits the controls.
  const page = parseFloat(length(values['page-size']) ?? '');
  root.style.fontSize = page >= 13 && page <= 22 ? `${page}px` : '';
}
