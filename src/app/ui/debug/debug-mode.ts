/** Starts the page in debug mode, with a log of its messages. This module is loaded only if the address has `?debug`. */

import type { Controls } from '../../app.ts';
import { MessageLog } from './message-log.ts';

/** The panel with the log is loaded after the first paint, with the workbench. */
export function startWithLog(
  start: (messages: MessageLog) => { readonly controls: Controls },
): void {
  const messages = new MessageLog({
    // eslint-disable-next-line no-console -- the console is where a developer looks first
    print: (line) => console.debug(line),
    report: (thrown) => reportError(thrown),
  });
  const { controls } = start(messages);
  // Without the policy, no tool has a key.
  void controls.policy.then(
    ({ policies }) => messages.hide(() => policies.current.secretParts),
    () => undefined,
  );
}
