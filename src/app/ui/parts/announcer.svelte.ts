/** The texts that screen readers announce. */

import type { ToolResult } from '../../../runtime/spec/result.ts';
import { formatDuration } from './format.ts';
import { visibleText } from './visible-text.ts';

export class Announcer {
  text: string = $state('');
  #times = 0;

  /** Announces a text, which may quote output of a tool. */
  say(quoted: string): void {
    const text = visibleText(quoted);
    // Screen readers do not read the same text twice.
    this.#times += 1;
    this.text = this.#times % 2 === 0 ? text : `${text}\u00a0`;
  }

  /** Announces how a call has ended. */
  sayEnd(tool: string, { resultType, error = '', durationMs }: ToolResult): void {
    if (resultType === 'success') this.say(`${tool} finished in ${formatDuration(durationMs)}`);
    else if (/^[a-z_]+$/.test(error)) this.say(`${tool} ended: ${error}`);
    else this.say(`${tool} failed: ${error.slice(0, 200)}`);
  }
}
