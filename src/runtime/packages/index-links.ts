/** Reads the links of a package index page with the browser's parser. Nothing in the page is run or loaded. */

import type { IndexLink } from './simple-index.ts';

export function indexLinks(html: string, address: string): { base: string; links: IndexLink[] } {
  const page = new DOMParser().parseFromString(html, 'text/html');
  const base = page.querySelector('base')?.getAttribute('href') ?? '';
  const links = Array.from(page.querySelectorAll('a[href]'), (link): IndexLink => {
    const attributes = Array.from(link.attributes, ({ name, value }) => [name, value] as const);
    return {
      href: link.getAttribute('href') ?? '',
      text: link.textContent,
      attributes: Object.fromEntries(attributes),
    };
  });
  return { base: baseOf(base, address), links };
}

function baseOf(base: string, address: string): string {
  try {
    return new URL(base, address).href;
  } catch {
    return address;
  }
}
