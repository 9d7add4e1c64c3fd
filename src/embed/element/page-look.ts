/** Reads the look of the page around a playground: light or dark, and the custom properties that are set for the playground. */

import { labelNames, lookNames, type Look } from '../../runtime/protocol/embed.ts';

/** @param theme the attribute: `light`, `dark`, or anything else to follow the page */
export function lookOf(element: Element, theme: string | null): Look {
  const style = getComputedStyle(element);
  const property = (name: string): string => style.getPropertyValue(`--cloche-${name}`).trim();
  const read = <Name extends string>(names: readonly Name[], prefix = ''): Record<Name, string> =>
    Object.fromEntries(names.map((name) => [name, property(prefix + name)])) as Record<
      Name,
      string
    >;
  const labels = read(labelNames, 'label-');
  for (const name of labelNames) labels[name] = labels[name].replace(/^(["'])(.*)\1$/s, '$2');
  const values = read(lookNames);
  values['page-size'] = style.fontSize;
  values.font ||= style.fontFamily;
  if (theme === 'light' || theme === 'dark') return { scheme: theme, values, labels };
  const behind = backgroundBehind(element);
  // The playground has the colours of the page, unless one of them is set.
  if (behind !== null && values.background + values.text === '' && areFar(behind, style.color)) {
    values.background = behind;
    values.text = style.color;
  }
  return { scheme: schemeAround(behind), values, labels };
}

/** Calls the listener when something happens that usually changes the theme around the element. @returns dispose */
export function watchLook(element: Element, listener: () => void): () => void {
  let frame = 0;
  const listenSoon = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(listener);
  };
  const observer = new MutationObserver(listenSoon);
  for (let at: Element | null = element; at !== null; at = outerElement(at))
    observer.observe(at, { attributes: true });
  // Some pages change their theme by switching style sheets, which apply once they have loaded.
  const styles = { attributes: true, characterData: true, childList: true, subtree: true };
  observer.observe(document.head, styles);
  document.head.addEventListener('load', listenSoon, true);
  const preference = matchMedia('(prefers-color-scheme: dark)');
  preference.addEventListener('change', listenSoon);
  // Themes that fade from one colour to the other are settled then.
  document.addEventListener('transitionend', listenSoon);
  window.addEventListener('load', listenSoon);
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
    document.head.removeEventListener('load', listenSoon, true);
    preference.removeEventListener('change', listenSoon);
    document.removeEventListener('transitionend', listenSoon);
    window.removeEventListener('load', listenSoon);
  };
}

/** Whether text of one colour can be read on the other. */
function areFar(one: string, other: string): boolean {
  return Math.abs((brightnessOf(one) ?? NaN) - (brightnessOf(other) ?? NaN)) > 0.5;
}

/** Returns the first background behind the element; null if there is none. */
function backgroundBehind(element: Element): string | null {
  for (let at: Element | null = element; at !== null; at = outerElement(at)) {
    const { backgroundColor } = getComputedStyle(at);
    if (brightnessOf(backgroundColor) !== null) return backgroundColor;
  }
  return null;
}

/**
 * Returns the scheme of the first background. Themes switch in many ways, but all of them change
 * that.
 */
function schemeAround(background: string | null): Look['scheme'] {
  const bright = brightnessOf(background ?? '');
  if (bright !== null) return bright < 0.5 ? 'dark' : 'light';
  const { colorScheme } = getComputedStyle(document.documentElement);
  if (colorScheme === 'dark') return 'dark';
  return colorScheme.includes('dark') ? 'auto' : 'light';
}

function outerElement(element: Element): Element | null {
  if (element.assignedSlot !== null) return element.assignedSlot;
  if (element.parentElement !== null) return element.parentElement;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

/**
 * Returns the brightness of a colour from 0 to 1; null if it is transparent, or written in an
 * unknown way.
 */
export function brightnessOf(color: string): number | null {
  const kind = /^[a-z]+/.exec(color)?.[0] ?? '';
  const [numbers = '', alpha = '1'] = color.slice(color.indexOf('(') + 1, -1).split('/');
  const parts = (numbers.match(/-?[\d.]+(?:e-?\d+)?%?/g) ?? []).map((part) =>
    part.endsWith('%') ? parseFloat(part) / 100 : parseFloat(part),
  );
  const [first = NaN, second = NaN, third = NaN, fourth = 1] = parts;
  const lightnessOf = (r: number, g: number, b: number): number =>
    0.299 * r + 0.587 * g + 0.114 * b;
  if (parseFloat(alpha) < 0.5) return null;
  let bright = NaN;
  if (kind === 'rgb' || kind === 'rgba') {
    if (fourth < 0.5) return null;
    bright = lightnessOf(first, second, third) / 255;
  } else if (kind === 'oklch' || kind === 'oklab') bright = first;
  else if (kind === 'lab' || kind === 'lch') bright = first > 1 ? first / 100 : first;
  else if (kind === 'color') bright = lightnessOf(first, second, third);
  return Number.isNaN(bright) ? null : bright;
}
