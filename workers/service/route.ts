/** What a request is for. */

export type Route =
  /** `path` is what follows `api/`, still percent-encoded. */
  { readonly to: 'api'; readonly path: string } | { readonly to: 'page' } | { readonly to: 'file' };

/** `undefined` for what the browser had better fetch by itself. `address` of the app ends in a slash. */
export function routeOf(
  { url, method, mode, headers }: Pick<Request, 'url' | 'method' | 'mode' | 'headers'>,
  address: string,
): Route | undefined {
  if (!url.startsWith(address)) return undefined;
  const path = url.slice(address.length).replace(/[?#].*$/s, '');
  if (path.startsWith('api/')) return { to: 'api', path: path.slice('api/'.length) };
  // What is stored is whole, and was got by GET.
  if (method !== 'GET' || headers.has('range')) return undefined;
  if (path !== '' && path !== 'index.html') return { to: 'file' };
  // Whoever only reads the page wants to know what the server has.
  return mode === 'navigate' ? { to: 'page' } : undefined;
}
