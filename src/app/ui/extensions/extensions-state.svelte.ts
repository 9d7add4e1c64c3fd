/**
 * State of the extensions' UI: registers their commands, status texts and messages in the
 * registries of the page, each with its origin.
 */

import type { Extensions } from '../../../agent/extensions/extensions.ts';
import type { SessionsControl } from '../../../agent/create-agent.ts';
import type { ExtensionView } from '../../../agent/extensions/extensions.ts';
import { readShortcut } from '../../../agent/extensions/shortcut.ts';
import type { Attachment } from '../../../agent/extensions/attachments.ts';
import type { Picker } from '../../../agent/extensions/pickers.ts';
import type { Notice, Origin } from '../../../agent/extensions/contributions.ts';
import type { Power } from '../../../runtime/grants/powers.ts';
import { errorText } from '../../../runtime/spec/error.ts';
import { Observed } from '../parts/observed.ts';
import type { Command, Commands, Shortcut } from '../shell/commands.svelte.ts';
import type { Route } from '../shell/route.svelte.ts';
import type { StatusEntries, TextEntry } from '../shell/status-entries.svelte.ts';

/** The part of the page that is used here. */
export interface ExtensionsUi {
  readonly commands: Pick<Commands, 'register'>;
  readonly statusEntries: Pick<StatusEntries, 'register'>;
  readonly route: Pick<Route, 'place'>;
  readonly announcer: { say(quoted: string): void };
}

/** Time for which a notice is shown; milliseconds. */
const noticeMs = 8_000;

export class ExtensionsState {
  readonly #ui: ExtensionsUi;
  readonly #control: Extensions;
  #endEntries: () => void = () => undefined;
  #entryKeys = '';
  #commands: readonly Command[] = $state.raw([]);
  #texts: ReadonlyMap<string, string> = $state.raw(new Map());
  notices: readonly Notice[] = $state.raw([]);
  #renderers: Extensions['shown']['renderers'] = $state.raw([]);
  /** The list from which an extension lets the user choose now. */
  picker = $state.raw<Picker | null>(null);
  readonly #attachments: Observed<readonly Attachment[]>;
  #announced = 0;
  readonly #all: Observed<readonly ExtensionView[]>;
  #builtIns: SessionsControl['builtIns'] | null = null;
  #ofCloche: Observed<readonly ExtensionView[]> = $state.raw(new Observed(() => []));
  /** Why the last change was refused; may be empty. */
  fault = $state('');

  constructor(ui: ExtensionsUi, control: Extensions) {
    this.#ui = ui;
    this.#control = control;
    this.#all = new Observed(() => control.list(), control);
    const { attachments } = control.shown;
    this.#attachments = new Observed(() => attachments.all, attachments);
    // Commands of Cloche's own extensions need a session.
    ui.commands.register(() =>
      this.#session === '' ? this.#commands.filter(({ foreign }) => foreign) : this.#commands,
    );
    control.shown.observe(() => this.#show());
    control.shown.pickers.observe(() => this.#showPicker());
    this.#show();
    this.#showPicker();
  }

  get all(): readonly ExtensionView[] {
    return this.#all.current;
  }

  /** The extensions that are part of Cloche; empty until {@link connectBuiltIns}. */
  get ofCloche(): readonly ExtensionView[] {
    return this.#ofCloche.current;
  }

  /** Lists the extensions that are part of Cloche, which are loaded with sessions. */
  connectBuiltIns(builtIns: SessionsControl['builtIns']): void {
    if (this.#builtIns !== null) return;
    this.#builtIns = builtIns;
    this.#ofCloche = new Observed(() => builtIns.list(), builtIns);
  }

  /** Switches an extension that is part of Cloche off, or on again. */
  switchBuiltIn(name: string, off: boolean): void {
    this.#builtIns?.switch(name, off);
    this.#ofCloche.refresh();
  }

  /** The renderer for messages of this kind: that of the extension itself, or else the last one. */
  rendererOf(kind: string, file: string): Extensions['shown']['renderers'][number] | null {
    const fitting = this.#renderers.filter((one) => one.kind === kind);
    return fitting.findLast(({ from }) => from.file === file) ?? fitting.at(-1) ?? null;
  }

  /** The images that extensions have attached to messages that the user is writing. */
  get attachments(): readonly Attachment[] {
    return this.#attachments.current;
  }

  decide(file: string, power: Power, allowed: boolean): void {
    this.#change(() => this.#control.decide(file, power, allowed));
  }

  switch(file: string, off: boolean): void {
    this.#change(() => this.#control.switch(file, off));
  }

  reload(file: string): void {
    this.#change(() => this.#control.reload(file));
  }

  dismiss(id: number): void {
    this.#control.shown.dismiss(id);
  }

  /** @param index null if nothing was chosen */
  choose(picker: number, index: number | null): void {
    this.#control.shown.pickers.close(picker, index);
  }

  /** Drops an image that was sent, or that the user has removed. */
  dropAttachment(id: number): void {
    this.#control.shown.attachments.drop(id);
  }

  #change(apply: () => void): void {
    try {
      apply();
      this.fault = '';
    } catch (thrown) {
      this.fault = errorText(thrown);
    }
    this.#all.refresh();
  }

  /** The session in view; empty if there is none. */
  get #session(): string {
    const { place } = this.#ui.route;
    return place.at === 'session' && place.beside.length === 0 ? place.id : '';
  }

  #showPicker(): void {
    const before = this.picker?.id;
    const { current } = this.#control.shown.pickers;
    this.picker = current;
    if (current !== null && current.id !== before)
      this.#ui.announcer.say(
        `${current.extension.slice(0, 50)} asks you to choose: ${current.title.slice(0, 200)}`,
      );
  }

  #show(): void {
    const { commands, shortcuts, notices, renderers } = this.#control.shown;
    this.#renderers = renderers;
    this.#commands = [
      ...commands.map(({ name, description, from, run, complete, immediate }): Command => ({
        words: `/${name}`,
        detail: isOfCloche(from)
          ? description
          : `${description.slice(0, 200)} · ${from.extension.slice(0, 50)}, ${from.file}`,
        slash: { name, complete, immediate, run },
        ...(!isOfCloche(from) && { foreign: true }),
        available: true,
        choose: () => void run('', this.#session),
      })),
      ...shortcuts.map(({ key, description, from, run }): Command => ({
        words: description === '' ? key : description.slice(0, 200),
        detail: `${from.extension.slice(0, 50)}, ${from.file}`,
        shortcut: shortcutOf(key),
        foreign: true,
        available: true,
        choose: () => void run(this.#session),
      })),
    ];
    this.#showStatus();
    this.notices = notices;
    for (const notice of notices) this.#announce(notice);
  }

  /** Texts change often, so the entries are registered again only if entries were added or removed. */
  #showStatus(): void {
    const { status } = this.#control.shown;
    const keyed = status.map((one) => ({
      ...one,
      id: isOfCloche(one.from) ? one.key : `extension ${one.from.file} ${one.key}`,
    }));
    this.#texts = new Map(keyed.map(({ id, text }) => [id, text]));
    const keys = JSON.stringify(keyed.map(({ id, side, order }) => [id, side, order]));
    if (keys === this.#entryKeys) return;
    this.#entryKeys = keys;
    this.#endEntries();
    const entries = keyed.map(({ id, key, side, order, from, live }): TextEntry => ({
      key: id,
      side,
      order: isOfCloche(from) ? order : 100 + order,
      title: live?.title ?? `${key}, from the extension ${from.extension} in ${from.file}`,
      text: live?.text ?? (() => this.#texts.get(id) ?? ''),
    }));
    this.#endEntries = this.#ui.statusEntries.register(...entries);
  }

  #announce({ id, extension, text, stays }: Notice): void {
    if (id <= this.#announced) return;
    this.#announced = id;
    this.#ui.announcer.say(`${extension.slice(0, 50)}: ${text.slice(0, 500)}`);
    if (!stays) setTimeout(() => this.dismiss(id), noticeMs);
  }
}

/** Returns whether an extension is part of Cloche, and so has no file. */
function isOfCloche({ file }: Origin): boolean {
  return file === '';
}

function shortcutOf(text: string): Shortcut {
  const { key, shift } = readShortcut(text);
  return { key, held: true, whileWriting: true, ...(shift && { shift }) };
}
