/** Opens the log of debug mode. This module is loaded only if the address has `?debug`. */

import { MessageLog } from './message-log.ts';

/** The panel with the log is loaded after the first paint, with the workbench. */
export function openMessageLog(): MessageLog {
  return new MessageLog({
    // eslint-disable-next-line no-console -- the console is where a developer looks first
    print: (line) => console.debug(line),
    report: (thrown) => reportError(thrown),
  });
}
