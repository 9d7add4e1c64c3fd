/** Titles as a list has room for them. */

const mostChars = 200;

/** On one line, and cut where it is long. */
export function fitTitle(title: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  const chars = Array.from(line.slice(0, 2 * mostChars));
  return chars.length > mostChars || line.length > 2 * mostChars
    ? `${chars.slice(0, mostChars - 1).join('')}…`
    : line;
}

/** The title of a copy. */
export function forkTitle(title: string): string {
  return marked(title, ' (fork)');
}

/** Of a session out of a file, where one of the same title is here. */
export function importTitle(title: string): string {
  return marked(title, ' (imported)');
}

function marked(title: string, mark: string): string {
  return fitTitle(title.slice(0, mostChars - mark.length)) + mark;
}
