/** The registry of commands: what the palette lists, and what keys do. Built-in commands are registered like any other. */

import type { ExtensionCommand } from '../../../agent/extensions/contributions.ts';

export interface Shortcut {
  /** `KeyboardEvent.key`; letters in lower case. */
  readonly key: string;
  readonly held?: true;
  /** Whether Shift is held; counts only together with `held`. */
  readonly shift?: true;
  /** Whether the key works while a text field has the focus. */
  readonly whileWriting?: true;
  /** Whether the key works while a dialog or a menu is open. */
  readonly inOverlays?: true;
  /** Whether the command stops something: its key does so before it closes anything. */
  readonly stops?: true;
}

/** The groups of the palette. */
export type CommandGroup = 'This page' | 'Go to' | 'Create' | 'Open' | 'Folder' | 'Settings';

/** A command that is written in a message, as `/name arguments`. */
export type SlashCommand = Omit<ExtensionCommand, 'description'>;

export interface Command {
  /** Label in the palette and the keyboard map. May be untrusted text. */
  readonly words: string;
  /** Secondary text in the palette. May be untrusted text. */
  readonly detail?: string;
  /** The group in the palette; by default, the group of the current page. */
  readonly group?: CommandGroup;
  /** Related words by which the palette finds the command. */
  readonly also?: string;
  readonly shortcut?: Shortcut;
  readonly slash?: SlashCommand;
  /**
   * Whether the command comes from an extension of the folder, so that it takes no key and no name
   * from a command of Cloche.
   */
  readonly foreign?: true;
  /** Whether the command can be chosen now. */
  readonly available: boolean;
  readonly choose: () => void;
}

export type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'defaultPrevented'
> &
  Partial<Pick<KeyboardEvent, 'shiftKey'>>;

export interface Focus {
  /** Whether a text field has the focus. */
  readonly writing: boolean;
  /** Whether a dialog or a menu is open. */
  readonly inOverlay: boolean;
}

type Source = () => readonly Command[];

export class Commands {
  // `register` and its `dispose` use this list, which is not a state: in the teardown of an effect, a state still has the
  // value from before the update, without what the same update registered. `#sources` is the list for readers.
  #registered: readonly Source[] = [];
  #sources: readonly Source[] = $state.raw([]);

  /**
   * @param source returns its commands as they are now; called each time they are needed
   * @returns dispose
   */
  register(source: Source): () => void {
    this.#sources = this.#registered = [...this.#registered, source];
    return () =>
      (this.#sources = this.#registered = this.#registered.filter((other) => other !== source));
  }

  /** All commands, those registered last first. */
  get all(): readonly Command[] {
    return this.#sources.toReversed().flatMap((source) => source());
  }

  /** Chooses the available command with this label, if there is one. */
  choose(words: string): void {
    this.all.find((command) => command.available && command.words === words)?.choose();
  }

  /** All commands: those of Cloche first, then in order of registration, which may be earlier for an extension. */
  get #byRank(): readonly Command[] {
    const all = this.#sources.flatMap((source) => source());
    // @mutant an extension takes no command and no key of Cloche => all.toSorted((a, b) => Number(a.foreign ?? false)
    //   - Number(b.foreign ?? false)) -> all [src/app/ui/shell/commands.svelte.test.ts]
    return all.toSorted((a, b) => Number(a.foreign ?? false) - Number(b.foreign ?? false));
  }

  /** The commands that can be written in a message and are available. Of several with one name, the first by rank. */
  get slash(): readonly (Command & { readonly slash: SlashCommand })[] {
    const all = this.#byRank.filter(isSlash);
    const byName = new Map(all.toReversed().map((command) => [command.slash.name, command]));
    return [...byName.values()].sort((a, b) => (a.slash.name < b.slash.name ? -1 : 1));
  }

  /**
   * The command of a key press. Of several, the first by rank, so that no other can take its key;
   * commands that stop something come before.
   */
  ofPress(press: KeyPress, focus: Focus): Command | undefined {
    if (press.isComposing || press.defaultPrevented || press.altKey) return undefined;
    const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
    const held = press.ctrlKey || press.metaKey;
    const isFitting = ({ available, shortcut }: Command): boolean =>
      shortcut?.key === key &&
      available &&
      (shortcut.held ?? false) === held &&
      (!held || (shortcut.shift ?? false) === (press.shiftKey ?? false)) &&
      (!focus.writing || shortcut.whileWriting === true) &&
      (shortcut.inOverlays === true || !focus.inOverlay);
    const fitting = this.#byRank.filter(isFitting);
    return fitting.find(({ shortcut }) => shortcut?.stops === true) ?? fitting[0];
  }
}

function isSlash(command: Command): command is Command & { readonly slash: SlashCommand } {
  return command.available && command.slash !== undefined;
}

/** The name and the arguments in `/name arguments`; null if the text is no command. */
export function readSlash(text: string): { readonly name: string; readonly args: string } | null {
  const [, name, args = ''] = /^\/([\w-]+)(?:\s+([^]*))?$/.exec(text.trim()) ?? [];
  return name === undefined ? null : { name, args };
}

const symbols: Readonly<Record<string, string>> = { Enter: '↵', Escape: 'Esc' };

/** A shortcut as it is shown, such as “Ctrl K”. */
export function shortcutLabel({ key, held, shift }: Shortcut, platform: string): string {
  const letter = symbols[key] ?? key.toUpperCase();
  const name = shift === true ? `Shift ${letter}` : letter;
  return held === true ? `${commandKey(platform)} ${name}` : name;
}

/** The platform's name of the modifier key for commands. */
export function commandKey(platform: string): string {
  return /mac|iphone|ipad/i.test(platform) ? '⌘' : 'Ctrl';
}
