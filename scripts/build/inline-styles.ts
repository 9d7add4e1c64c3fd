/** Inlines the page's styles, so that the first paint waits for no second file. */
import { posix } from 'node:path';
import type { Rolldown } from 'vite';

const link = /\s*<link rel="stylesheet"[^>]* href="\.\/([^"]+)">/g;

/**
 * Puts the one stylesheet that a built page links into it, and takes its file out of the bundle.
 * @returns the page, exactly the text of its `<style>`, and the name of the removed file
 */
export function inlineStyles(
  html: string,
  bundle: Rolldown.OutputBundle,
): { page: string; styles: string; inlined: string } {
  const [sheet, ...others] = html.matchAll(link);
  const name = sheet?.[1] ?? '';
  const asset = bundle[name];
  if (sheet === undefined || others.length > 0 || asset?.type !== 'asset') {
    throw new Error('index.html: expected a link to exactly one stylesheet of the build.');
  }
  const styles = fromPage(String(asset.source).trim(), posix.dirname(name));
  if (/<\/style|\r/i.test(styles)) throw new Error(`${name}: its text would end its <style>.`);
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the bundle's own way to lose a file
  delete bundle[name];
  const page = html.replace(sheet[0], () => `\n    <style>${styles}</style>`);
  return { page, styles, inlined: name };
}

/**
 * Replaces the name of the inlined style sheet in the lists of files that chunks fetch before an import(). The name of the
 * page's script takes its place, since the page has loaded that too, and so nothing is fetched.
 */
export function forgetInlined(inlined: string, bundle: Rolldown.OutputBundle): void {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const entry = chunks.find(({ isEntry }) => isEntry);
  if (entry === undefined) return;
  for (const chunk of chunks)
    chunk.code = chunk.code.replaceAll(posix.basename(inlined), () =>
      posix.basename(entry.fileName),
    );
}

/**
 * Checks that no chunk still loads the inlined file. A chunk does so if it is imported dynamically by a chunk other than the
 * page's script.
 * @throws {Error}
 */
export function refuseInlined(inlined: string, bundle: Rolldown.OutputBundle): void {
  for (const file of Object.values(bundle)) {
    if (file.type === 'chunk' && file.code.includes(posix.basename(inlined)))
      throw new Error(
        `${file.fileName} loads ${inlined}, which is part of the page: use import() in src/app/compose.ts for code that needs it.`,
      );
  }
}

// A stylesheet's addresses count from the stylesheet, those of a <style> from the page.
function fromPage(styles: string, folder: string): string {
  return styles.replace(/url\((['"]?)\.\//g, (_, quote: string) => `url(${quote}./${folder}/`);
}
