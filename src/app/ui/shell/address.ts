/** Parses and formats the hash addresses of the page. */

export type Panel = 'problems' | 'runs' | 'tests' | 'python' | 'console' | 'details';

/** The content of the bench. */
export type Place =
  | { readonly at: 'home' }
  | { readonly at: 'tool'; readonly name: string; readonly line: number | null }
  | { readonly at: 'file'; readonly path: string; readonly line: number | null }
  | { readonly at: 'call'; readonly id: string }
  /** Runs side by side. */
  | { readonly at: 'compare'; readonly ids: readonly string[] }
  /** The list of sessions. */
  | { readonly at: 'sessions' }
  /**
   * `id` is {@link newSession} for a session that has not begun; `entry` is the `n` of the entry to scroll to. The
   * sessions of `beside` are compared with it.
   */
  | {
      readonly at: 'session';
      readonly id: string;
      readonly entry: number | null;
      readonly beside: readonly string[];
    }
  /** If `section` is absent, the page shows the list of sections. */
  | { readonly at: 'settings' | 'policy'; readonly section?: string }
  | { readonly at: 'workspace' }
  /** Empty strings stand for the first page, and for the top of the page. */
  | { readonly at: 'help'; readonly page: string; readonly section: string }
  | { readonly at: 'extensions' | 'servers' }
  | { readonly at: 'plans' }
  /** The API explorer; `operation` is the id of one, or empty. */
  | { readonly at: 'api'; readonly operation: string }
  /** A run; or `new` for a plan that is written in a session, whose id may be empty. */
  | { readonly at: 'plan'; readonly id: string; readonly session: string }
  | { readonly at: 'evals' }
  /** A run of an evaluation. */
  | { readonly at: 'eval'; readonly id: string }
  /** Content that a link brings; the page that shows it reads `query`. */
  | { readonly at: 'open'; readonly query: string }
  | { readonly at: 'nowhere'; readonly hash: string };

export interface Address {
  readonly place: Place;
  /** The open panel of the drawer; null if it is closed. */
  readonly panel: Panel | null;
}

/** Stands for the id of a new session, which is stored from its first message on. */
export const newSession = 'new';

export function isNewSession(place: Place): boolean {
  return place.at === 'session' && place.id === newSession && place.beside.length === 0;
}

const panels: readonly string[] = [
  'problems',
  'runs',
  'tests',
  'python',
  'console',
  'details',
] satisfies Panel[];

/** Reads a hash such as `#/tools/weather:get?line=8&panel=runs`. Never throws. */
export function parseAddress(hash: string): Address {
  const [path = '', query = ''] = hash.replace(/^#/, '').split(/\?(.*)/s);
  const asked = new URLSearchParams(query);
  // Earlier versions had addresses of views, such as `#/tools/weather:get/runs`.
  const panel = asked.get('panel') ?? /^\/tools\/[^/]+\/(\w+)$/.exec(path)?.[1] ?? '';
  return {
    place: placeOf(path, asked) ?? { at: 'nowhere', hash },
    panel: panels.includes(panel) ? (panel as Panel) : null,
  };
}

/** The hash of an address; {@link parseAddress} reads it back. */
export function formatAddress(address: Address): string {
  const { place, panel } = address;
  const asked = new URLSearchParams(place.at === 'open' ? place.query : '');
  if ('line' in place && place.line !== null) asked.set('line', String(place.line));
  if (place.at === 'session' && place.entry !== null) asked.set('at', String(place.entry));
  if (place.at === 'plan' && place.session !== '') asked.set('session', place.session);
  if (panel !== null) asked.set('panel', panel);
  const query = asked.toString();
  return `#/${pathOf(place)}${query === '' ? '' : `?${query}`}`;
}

/** Returns whether the place belongs to sessions, whose list is in the rail. */
export function atSessions(place: Place): boolean {
  return place.at === 'sessions' || place.at === 'session';
}

/** The subject of a place, regardless of the line. */
export function subjectOf(place: Place): string {
  return pathOf(place);
}

function placeOf(path: string, asked: URLSearchParams): Place | null {
  const line = lineOf(asked.get('line'));
  const parts = path
    .split('/')
    .filter((part) => part !== '')
    .map(unescapePart);
  const [kind, first, second] = parts;
  if (parts.includes(null)) return null;
  if (kind === undefined) return { at: 'home' };
  if (parts.length === 1 && isPage(kind)) return { at: kind };
  if (parts.length === 2 && first && (kind === 'settings' || kind === 'policy'))
    return { at: kind, section: first };
  if (kind === 'help' && parts.length <= 3)
    return { at: 'help', page: first ?? '', section: second ?? '' };
  if (kind === 'api' && parts.length <= 2) return { at: 'api', operation: first ?? '' };
  if (parts.length === 1 && kind === 'open') {
    asked.delete('panel');
    return { at: 'open', query: asked.toString() };
  }
  if (first === undefined || first === null) return null;
  if (kind === 'files') return { at: 'file', path: parts.slice(1).join('/'), line };
  if (kind === 'calls' && parts.length === 2) return { at: 'call', id: first };
  if (kind === 'plans' && parts.length === 2)
    return { at: 'plan', id: first, session: asked.get('session') ?? '' };
  if (kind === 'evals' && parts.length === 2) return { at: 'eval', id: first };
  if (kind === 'compare' && parts.length > 2 && parts.length <= 5)
    return { at: 'compare', ids: parts.slice(1).map(String) };
  if (kind === 'sessions' && parts.length <= 4)
    return {
      at: 'session',
      id: first,
      entry: entryOf(asked.get('at')),
      beside: parts.slice(2).map(String),
    };
  const isKnown = parts.length === 2 || /^(schema|source|problems|runs|tests)$/.test(second ?? '');
  if (kind !== 'tools' || parts.length > 3 || !isKnown) return null;
  return { at: 'tool', name: first, line };
}

function pathOf(place: Place): string {
  switch (place.at) {
    case 'home':
      return '';
    case 'tool':
      return `tools/${escapePart(place.name)}`;
    case 'file':
      return `files/${place.path.split('/').map(escapePart).join('/')}`;
    case 'call':
      return `calls/${escapePart(place.id)}`;
    case 'compare':
      return `compare/${place.ids.map(escapePart).join('/')}`;
    case 'plan':
      return `plans/${escapePart(place.id)}`;
    case 'eval':
      return `evals/${escapePart(place.id)}`;
    case 'session':
      return `sessions/${[place.id, ...place.beside].map(escapePart).join('/')}`;
    case 'api':
      return ['api', place.operation].filter(Boolean).map(escapePart).join('/');
    case 'help':
      return ['help', place.page, place.section].filter(Boolean).map(escapePart).join('/');
    case 'settings':
    case 'policy':
      return place.at + (place.section === undefined ? '' : `/${escapePart(place.section)}`);
    case 'sessions':
    case 'workspace':
    case 'extensions':
    case 'servers':
    case 'plans':
    case 'evals':
    case 'open':
      return place.at;
    case 'nowhere':
      return place.hash.replace(/^#\/?/, '').replace(/\?.*/s, '');
  }
}

/** The colon of a tool's name is not escaped. */
function escapePart(part: string): string {
  return encodeURIComponent(part.toWellFormed()).replaceAll('%3A', ':');
}

/** Null if the escapes are invalid. */
function unescapePart(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

function isPage(
  kind: string | null,
): kind is
  'sessions' | 'settings' | 'policy' | 'workspace' | 'extensions' | 'servers' | 'plans' | 'evals' {
  return (
    kind !== null &&
    /^(sessions|settings|policy|workspace|extensions|servers|plans|evals)$/.test(kind)
  );
}

/** An integer from 0; null for other text. */
function entryOf(text: string | null): number | null {
  return text === '0' ? 0 : lineOf(text);
}

function lineOf(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}
