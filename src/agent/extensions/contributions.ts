/** Commands, shortcuts, status texts and messages of extensions. The UI draws them, with their origin. */

import { Observable } from '../../runtime/hooks/observe.ts';
import { Attachments } from './attachments.ts';
import type { Render } from './blocks.ts';
import type { Origin } from './actions.ts';
import { Pickers } from './pickers.ts';

export type { Origin };

export interface ExtensionCommand {
  readonly name: string;
  readonly description: string;
  /** Whether the command runs during a turn; others wait for its end. */
  readonly immediate: boolean;
  /** Null if the command completes nothing. */
  readonly complete: ((signal: AbortSignal, prefix: string) => Promise<readonly string[]>) | null;
  /** Runs the command. Never rejects. @param session the session in view; empty if there is none */
  readonly run: (args: string, session: string) => Promise<void>;
}

export interface ExtensionShortcut {
  /** The shortcut as registered, such as `ctrl+shift+g`. */
  readonly key: string;
  readonly description: string;
  readonly run: (session: string) => Promise<void>;
}

export interface ExtensionStatus {
  readonly key: string;
  readonly side: 'left' | 'right';
  readonly order: number;
  readonly text: string;
  /** Extensions in Cloche itself have a description, and a text that the page observes, in place of {@link text}. */
  readonly live?: { readonly title: string; readonly text: () => string };
}

export interface ExtensionRenderer {
  readonly kind: string;
  readonly render: Render;
}

export interface Notice extends Origin {
  readonly id: number;
  readonly text: string;
  /** Whether the notice stays until the user closes it. */
  readonly stays: boolean;
}

/** Limit of notices of one extension at the same time; older ones disappear. */
const maxNotices = 3;

type Owned<T> = T & { readonly from: Origin };

export class Contributions extends Observable<undefined> {
  readonly pickers: Pickers;
  readonly attachments: Attachments;
  #commands: readonly Owned<ExtensionCommand>[] = [];
  #shortcuts: readonly Owned<ExtensionShortcut>[] = [];
  #status: readonly Owned<ExtensionStatus>[] = [];
  #renderers: readonly Owned<ExtensionRenderer>[] = [];
  #notices: readonly Notice[] = [];
  #lastId = 0;

  /** @param report receives errors thrown by listeners */
  constructor(report: (thrown: unknown) => void) {
    super(report);
    this.pickers = new Pickers(report);
    this.attachments = new Attachments(report);
  }

  get commands(): readonly Owned<ExtensionCommand>[] {
    return this.#commands;
  }

  get shortcuts(): readonly Owned<ExtensionShortcut>[] {
    return this.#shortcuts;
  }

  get status(): readonly Owned<ExtensionStatus>[] {
    return this.#status;
  }

  /** The renderers; of several for one kind, the last is used. */
  get renderers(): readonly Owned<ExtensionRenderer>[] {
    return this.#renderers;
  }

  get notices(): readonly Notice[] {
    return this.#notices;
  }

  addCommand(from: Origin, command: ExtensionCommand): () => void {
    const added = { ...command, from };
    this.#change(() => (this.#commands = [...this.#commands, added]));
    return () => {
      this.#change(() => (this.#commands = this.#commands.filter((one) => one !== added)));
    };
  }

  addShortcut(from: Origin, shortcut: ExtensionShortcut): () => void {
    const added = { ...shortcut, from };
    this.#change(() => (this.#shortcuts = [...this.#shortcuts, added]));
    return () => {
      this.#change(() => (this.#shortcuts = this.#shortcuts.filter((one) => one !== added)));
    };
  }

  addStatus(from: Origin, status: ExtensionStatus): () => void {
    const isSame = (one: Owned<ExtensionStatus>): boolean =>
      one.key === status.key && one.from.file === from.file;
    this.#change(() => {
      this.#status = [...this.#status.filter((one) => !isSame(one)), { ...status, from }];
    });
    return () => this.#change(() => (this.#status = this.#status.filter((one) => !isSame(one))));
  }

  addRenderer(from: Origin, renderer: ExtensionRenderer): () => void {
    const added = { ...renderer, from };
    this.#change(() => (this.#renderers = [...this.#renderers, added]));
    return () => {
      this.#change(() => (this.#renderers = this.#renderers.filter((one) => one !== added)));
    };
  }

  /** Changes the text of a status section; does nothing if the section is not shown. */
  setStatus(file: string, key: string, text: string): void {
    this.#change(() => {
      this.#status = this.#status.map((one) =>
        one.key === key && one.from.file === file ? { ...one, text } : one,
      );
    });
  }

  notify(from: Origin, text: string, { stays }: { stays: boolean }): void {
    const notice = { ...from, id: ++this.#lastId, text, stays };
    this.#change(() => {
      const own = this.#notices.filter(({ file }) => file === from.file);
      const dropped = own.slice(0, Math.max(0, own.length - maxNotices + 1));
      this.#notices = [...this.#notices.filter((one) => !dropped.includes(one)), notice];
    });
  }

  dismiss(id: number): void {
    this.#change(() => (this.#notices = this.#notices.filter((one) => one.id !== id)));
  }

  /** Removes the notices and the picker of an extension. */
  clear(file: string): void {
    this.pickers.clear(file);
    this.#change(() => (this.#notices = this.#notices.filter((one) => one.file !== file)));
  }

  #change(apply: () => void): void {
    apply();
    this.emit(undefined);
  }
}
