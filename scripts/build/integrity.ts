/** The hashes of the page's scripts and styles, in index.html: the browser refuses a file that has another content. */
import type { BuiltFile } from './build-list.ts';
import { sha256 } from './digest.ts';

const styleHash =
  "if (isCss) link.integrity = JSON.parse(document.querySelector('script[type=importmap]').textContent)" +
  ".integrity[`./assets/${dep.pathname.split('/').pop()}`] ?? '';";

/**
 * Adds an import map, which holds for every module however it is loaded, and an attribute for browsers that know no
 * hashes in import maps. Styles are in the map for `checkStyles`. Workers cannot have a hash in any browser.
 * @param files the page's chunks and styles
 */
export function addIntegrity(page: string, files: readonly BuiltFile[]): string {
  const hashes = new Map(
    files.map(({ name, content }) => [`./${name}`, `sha256-${sha256(content, 'base64')}`]),
  );
  const map = JSON.stringify({ integrity: Object.fromEntries([...hashes].sort()) });
  const allowed = replaceOnce(
    page,
    /; worker-src /g,
    () => ` 'sha256-${sha256(map, 'base64')}'; worker-src `,
  );
  return replaceOnce(
    allowed,
    /<script type="module" crossorigin src="([^"]+)">/g,
    (tag, url: string) => {
      const hash = hashes.get(url);
      // @mutant integrity: a script without a hash is not built => removed
      if (hash === undefined) throw new Error(`index.html: ${url} is not a file of the build.`);
      return `<script type="importmap">${map}</script>\n    ${tag.replace('>', ` integrity="${hash}">`)}`;
    },
  );
}

/** Makes Vite's helper check the styles of chunks that are loaded later. */
export function checkStyles(preloadHelper: string): string {
  // @mutant integrity: the hash of a style that is loaded later => without styleHash +
  return replaceOnce(preloadHelper, /link\.href = dep\.href;/g, (text) => styleHash + text);
}

function replaceOnce(
  text: string,
  pattern: RegExp,
  by: (match: string, group: string) => string,
): string {
  const found = text.match(pattern)?.length ?? 0;
  if (found !== 1) throw new Error(`Expected ${String(pattern)} once, found it ${found} times.`);
  return text.replace(pattern, by);
}
