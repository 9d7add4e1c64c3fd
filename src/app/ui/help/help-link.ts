/** The links between the pages of the help. */

/** The pages in the order in which they are listed. */
export const helpOrder = [
  'tour',
  'tool-files',
  'foreign-files',
  'import',
  'values',
  'tests',
  'sessions',
  'models',
  'recordings',
  'plans',
  'evals',
  'extensions',
  'mcp-servers',
  'api',
  'mcp',
  'embed',
  'runtime',
  'command-line',
  'security',
  'stability',
  'deploy',
  'speed',
  'glossary',
];

/**
 * Returns where a link of a page leads: into the help or to another site; null for anything else,
 * since the page has no other files.
 */
export function helpLink(page: string, href: string): string | null {
  if (/^https?:/.test(href)) return href;
  const [, file = '', id = ''] = /^(?:([\w-]+)\.md)?(?:#([\w-]+))?$/.exec(href) ?? [];
  const to = file === '' ? page : file;
  if (!helpOrder.includes(to) || (file === '' && id === '')) return null;
  return `#/help/${to}${id === '' ? '' : `/${id}`}`;
}

/** The id of a heading: as GitHub makes them, so that links work in both. */
export function slugOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
