/** The addresses of the virtual API, and what each method does there. */

import { problemResponse } from './problem-document.ts';

/** Below `api/`. A segment in braces stands for any one segment. A GET also answers HEAD. */
export const apiRoutes = {
  tools: { GET: 'tools' },
  'tools/{name}': { GET: 'tool' },
  'tools/{name}/invoke': { POST: 'invoke' },
  folders: { GET: 'folders' },
  sessions: { GET: 'sessions' },
  calls: { GET: 'calls' },
  'calls/{id}': { GET: 'call', DELETE: 'cancel' },
  mcp: { GET: 'mcp-stream', POST: 'mcp', DELETE: 'end-mcp' },
  access: { GET: 'access', POST: 'ask-access' },
  'openapi.json': { GET: 'openapi' },
  extensions: { GET: 'extensions' },
  tests: { GET: 'tests' },
  'tests/run': { POST: 'run-tests' },
  runs: { GET: 'runs', POST: 'start-run' },
  'runs/{id}': { GET: 'run', DELETE: 'stop-run' },
} as const;

type ValueOf<T> = T extends T ? T[keyof T] : never;
export type ApiAction = ValueOf<ValueOf<typeof apiRoutes>>;

export interface ApiRoute {
  readonly at: ApiAction;
  /** The segment in braces, decoded; empty if the address has none. */
  readonly id: string;
}

const patterns = Object.entries(apiRoutes).map(([path, methods]) => ({
  segments: path.split('/'),
  actions: new Map<string, ApiAction>(
    Object.entries(methods).flatMap(([method, at]) =>
      method === 'GET' ? [['GET', at] as const, ['HEAD', at] as const] : [[method, at] as const],
    ),
  ),
}));

/** The route of a request, or the 404 or 405 response. `path` is what follows `api/`, still percent-encoded. */
export function apiRoute(method: string, path: string): ApiRoute | Response {
  const pathSegments = segments(path) ?? [];
  const found = patterns.find(
    (pattern) =>
      pattern.segments.length === pathSegments.length &&
      pattern.segments.every((one, at) =>
        isAny(one) ? pathSegments[at] !== '' : one === pathSegments[at],
      ),
  );
  if (found === undefined) return notFound(path);
  const at = found.actions.get(method);
  if (at !== undefined) return { at, id: pathSegments[found.segments.findIndex(isAny)] ?? '' };
  const allowed = [...found.actions.keys()];
  return problemResponse({
    status: 405,
    code: 'method-not-allowed',
    detail: `The method ${method} is not allowed here.`,
    hint: `Use ${allowed.join(' or ')}.`,
    headers: { Allow: allowed.join(', ') },
  });
}

function isAny(segment: string): boolean {
  return segment.startsWith('{');
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
