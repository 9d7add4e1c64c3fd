/** Opens the log of the debug mode. Loaded only if the address asks for it. */

import { MessageLog } from './message-log.ts';

/** The panel with the log is loaded after the first paint, with the workbench. */
export function openMessageLog(): MessageLog {
  return new MessageLog({
    // eslint-disable-next-line no-console -- the console is where a developer looks first
    print: (line) => console.debug(line),
    report: (thrown) => reportError(thrown),
  });
}
