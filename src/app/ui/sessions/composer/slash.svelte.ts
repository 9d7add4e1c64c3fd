/** Commands in the message field: `/name arguments`. */

import { nearestNames } from '../../../../runtime/spec/nearest-names.ts';
import type { Commands } from '../../shell/commands.svelte.ts';
import { readSlash } from '../../shell/commands.svelte.ts';

/** A text that the field may get, with its description. */
export interface Suggestion {
  readonly text: string;
  readonly detail: string;
}

/** Limit of suggestions. */
const maxSuggested = 8;
/** Least similarity of a command to a misspelt one that it is suggested for. */
const leastAlike = 0.5;
/** Pause in typing before a command is asked for completions; milliseconds. */
const pauseMs = 150;

export class SlashCommands {
  readonly #commands: Pick<Commands, 'slash'>;
  #completions: readonly Suggestion[] = $state.raw([]);

  constructor(commands: Pick<Commands, 'slash'>) {
    this.#commands = commands;
  }

  /** Suggests how the text of the field could continue, by the names of commands. */
  suggestions(text: string): readonly Suggestion[] {
    const [, prefix] = /^\/([\w-]*)$/.exec(text) ?? [];
    if (prefix === undefined) return text.startsWith('/') ? this.#completions : [];
    return this.#commands.slash
      .filter(({ slash }) => slash.name.startsWith(prefix))
      .slice(0, maxSuggested)
      .map(({ slash, detail = '' }) => ({ text: `/${slash.name} `, detail }));
  }

  /** Asks the command in the text, if there is one, for completions of its arguments. @returns dispose */
  follow(text: string): () => void {
    this.#completions = [];
    const read = readSlash(text);
    const complete = this.#find(read?.name)?.complete;
    if (read === null || !complete || !/\s/.test(text)) return () => undefined;
    const asked = new AbortController();
    const { signal } = asked;
    const timer = setTimeout(() => {
      void complete(signal, read.args).then(
        (found) => {
          if (signal.aborted) return;
          this.#completions = found
            .slice(0, maxSuggested)
            .map((one) => ({ text: `/${read.name} ${one.slice(0, 1_000)}`, detail: '' }));
        },
        // A command that cannot complete is still usable; its fault is listed with its extension.
        () => undefined,
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }

  isCommand(text: string): boolean {
    return this.#find(readSlash(text)?.name) !== undefined;
  }

  /**
   * A message about a command that does not exist; empty for existing commands and for other text. A path such as
   * `/etc/hosts` is other text.
   */
  unknownWords(text: string): string {
    const name = readSlash(text)?.name;
    if (name === undefined || this.#find(name) !== undefined) return '';
    const names = this.#commands.slash.map(({ slash }) => slash.name);
    const near = nearestNames(name, names, leastAlike);
    const all = near.map((one) => `/${one}`).join(', ');
    const hint = near.length === 0 ? 'Write / to see all commands.' : `Did you mean ${all}?`;
    return `There is no command /${name.slice(0, 100)}. ${hint} Nothing was sent.`;
  }

  /**
   * Runs the command in the text.
   * @param idle resolves when no turn runs
   * @returns false if the text is no command
   */
  run(text: string, session: string, idle: () => Promise<void>): boolean {
    const read = readSlash(text);
    const slash = this.#find(read?.name);
    if (read === null || slash === undefined) return false;
    if (slash.immediate) void slash.run(read.args, session);
    else void idle().then(() => slash.run(read.args, session));
    return true;
  }

  #find(name: string | undefined) {
    // The list of commands is built each time it is read, from almost all of the app's state.
    if (name === undefined) return undefined;
    return this.#commands.slash.find(({ slash }) => slash.name === name)?.slash;
  }
}
