/** Parses the addresses of the virtual API, for the page and the service worker. */

import { problemResponse } from './problem-document.ts';

export type ApiRoute =
  | { readonly at: 'tools' }
  | { readonly at: 'folders' }
  | { readonly at: 'sessions' }
  | { readonly at: 'calls' }
  | { readonly at: 'access' }
  | { readonly at: 'ask-access' }
  | { readonly at: 'openapi' }
  | { readonly at: 'tool'; readonly name: string }
  | { readonly at: 'invoke'; readonly name: string }
  | { readonly at: 'extensions' }
  | { readonly at: 'tests' }
  | { readonly at: 'run-tests' }
  | { readonly at: 'runs' }
  | { readonly at: 'start-run' }
  | { readonly at: 'run'; readonly id: string }
  | { readonly at: 'stop-run'; readonly id: string }
  | { readonly at: 'call'; readonly id: string }
  | { readonly at: 'cancel'; readonly id: string };

const read = ['GET', 'HEAD'];

/** The route of a request, or the 404 or 405 response. `path` is what follows `api/`, still percent-encoded. */
export function apiRoute(method: string, path: string): ApiRoute | Response {
  const [collection, name = '', action, ...more] = segments(path) ?? [];
  if (path === 'tools') return allowing(read, method, { at: 'tools' });
  if (path === 'folders') return allowing(read, method, { at: 'folders' });
  if (path === 'sessions') return allowing(read, method, { at: 'sessions' });
  if (path === 'calls') return allowing(read, method, { at: 'calls' });
  if (path === 'access')
    return allowing([...read, 'POST'], method, { at: method === 'POST' ? 'ask-access' : 'access' });
  if (path === 'openapi.json') return allowing(read, method, { at: 'openapi' });
  if (path === 'extensions') return allowing(read, method, { at: 'extensions' });
  if (path === 'tests') return allowing(read, method, { at: 'tests' });
  if (path === 'tests/run') return allowing(['POST'], method, { at: 'run-tests' });
  if (path === 'runs')
    return allowing([...read, 'POST'], method, { at: method === 'POST' ? 'start-run' : 'runs' });
  if (name === '' || more.length > 0) return notFound(path);
  if (collection === 'tools' && action === undefined)
    return allowing(read, method, { at: 'tool', name });
  if (collection === 'tools' && action === 'invoke')
    return allowing(['POST'], method, { at: 'invoke', name });
  if (collection === 'calls' && action === undefined) {
    const at = method === 'DELETE' ? 'cancel' : 'call';
    return allowing([...read, 'DELETE'], method, { at, id: name });
  }
  if (collection === 'runs' && action === undefined) {
    const at = method === 'DELETE' ? 'stop-run' : 'run';
    return allowing([...read, 'DELETE'], method, { at, id: name });
  }
  return notFound(path);
}

function allowing(
  allowed: readonly string[],
  method: string,
  route: ApiRoute,
): ApiRoute | Response {
  if (allowed.includes(method)) return route;
  return problemResponse({
    status: 405,
    code: 'method-not-allowed',
    detail: `The method ${method} is not allowed here.`,
    hint: `Use ${allowed.join(' or ')}.`,
    headers: { Allow: allowed.join(', ') },
  });
}

/** Decodes the segments of a path; `undefined` if one is not percent-encoded UTF-8. */
function segments(path: string): string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

function notFound(path: string): Response {
  return problemResponse({
    status: 404,
    code: 'not-found',
    detail: `There is nothing at api/${path}.`,
    hint: 'GET api/openapi.json describes what there is: tools, calls, sessions, folders, tests, runs, extensions and access.',
  });
}
