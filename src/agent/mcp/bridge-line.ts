/** The command that lets this page reach an MCP server which speaks only stdio. */

/** The origin that `npx cloche bridge` allows by itself: that of `npx cloche FOLDER`. */
const usualOrigin = 'http://localhost:4747';

/**
 * @param command of the server
 * @param origin of the page, which the bridge must allow
 */
export function bridgeLine(
  command: string,
  origin: string = typeof location === 'undefined' ? usualOrigin : location.origin,
): string {
  const allowed = origin === usualOrigin ? '' : `--allow-origin ${origin} `;
  return `npx cloche bridge ${allowed}-- ${command}`;
}
