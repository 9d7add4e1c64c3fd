/** The hashes that the build wrote into index.html, for tests that change built files. */

import { sha256 } from '../../scripts/build/digest.ts';

/**
 * Replaces the hashes in a built page.
 * @param contents of scripts and styles, by their path below the app's base; what is not there has no hash afterwards
 */
export function withHashes(page: string, contents: ReadonlyMap<string, string | Buffer>): string {
  const [, map = ''] = /<script type="importmap">([^]*?)<\/script>/.exec(page) ?? [];
  const { integrity } = JSON.parse(map) as { integrity: Record<string, string> };
  const hash = (content: string | Buffer): string => `sha256-${sha256(content, 'base64')}`;
  const named = Object.keys(integrity).flatMap((url) => {
    const content = contents.get(url.slice('./'.length));
    return content === undefined ? [] : [[url, hash(content)] as const];
  });
  const hashes = new Map(named);
  const replaced = JSON.stringify({ integrity: Object.fromEntries(hashes) });
  return (
    page
      .replace(map, replaced)
      // The policy's last hash of a script: the names in the old map may have been changed by now.
      .replace(/'sha256-[^']+'; worker-src/, `'${hash(replaced)}'; worker-src`)
      .replace(/( src="([^"]+)") integrity="[^"]+"/, (_, source: string, url: string) => {
        const own = hashes.get(url);
        return own === undefined ? source : `${source} integrity="${own}"`;
      })
  );
}
