/** Routes a request of the service worker: to the API, the page, or a file. */

export type Route =
  /** `path` is what follows `api/`, and `query` what follows the question mark; both are still percent-encoded. */
  | { readonly to: 'api'; readonly path: string; readonly query: string }
  | { readonly to: 'page' }
  | { readonly to: 'file' };

/** `undefined` if the browser should fetch the request itself. `address` is that of the app, with a trailing slash. */
export function routeOf(
  { url, method, mode, headers }: Pick<Request, 'url' | 'method' | 'mode' | 'headers'>,
  address: string,
): Route | undefined {
  if (!url.startsWith(address)) return undefined;
  const [path = '', query = ''] = url
    .slice(address.length)
    .replace(/#.*$/s, '')
    .split(/\?(.*)/s);
  if (path.startsWith('api/')) return { to: 'api', path: path.slice('api/'.length), query };
  // Stored responses are complete answers to GET.
  if (method !== 'GET' || headers.has('range')) return undefined;
  if (path !== '' && path !== 'index.html') return { to: 'file' };
  // A script that fetches the page wants the server's version.
  return mode === 'navigate' ? { to: 'page' } : undefined;
}
