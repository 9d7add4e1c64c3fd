/** Everything that the sessions part shares: what is kept, what is open, which models there are. */

import type { Conversation } from '../../agent/conversation.ts';
import type { KnownFolder } from '../../folder/known-folder.ts';
import { fileFormat } from '../../session/file/file-format.ts';
import type { SavedFile } from '../../session/file/session-file.ts';
import { type FolderRecording, nextMove } from '../../session/recording/recording.ts';
import { isFolderOf, type SessionFolder } from '../../session/session-head.ts';
import type { InterpreterView } from '../../spec/interpreter.ts';
import type { SessionHead } from '../../spec/session.ts';
import { ToolError } from '../../spec/error.ts';
import type { UserPart } from '../../spec/model.ts';
import { replayProvider, type Recording } from '../../spec/recording.ts';
import { newSession } from '../shell/address.ts';
import { InterpreterRows } from '../shell/interpreter-rows.svelte.ts';
import type { Ui } from '../shell/ui.svelte.ts';
import type { ConversationControl, SessionsControl } from '../../app/app.ts';
import { Asked, SessionRuns } from './session-calls.svelte.ts';
import { Composers } from './composer/composer.svelte.ts';
import { faultOf, type Fault } from './fault.ts';
import { isSent } from './transcript/entry-text.ts';
import { Models } from './models/models.svelte.ts';
import { OpenSession } from './open-session.svelte.ts';
import { sessionCommands, type SessionCommand } from './session-commands.ts';
import { SessionList } from './list/session-list.svelte.ts';
import { builtInSections, type StatusSections } from './status-sections.svelte.ts';
import { Unsent } from './composer/unsent.ts';
import { focusMessageField } from './message-field.ts';

export class Sessions {
  readonly ui: Ui;
  readonly list = new SessionList();
  readonly models = new Models();
  readonly composers = new Composers();
  /** Where each transcript was left that was not at its end: the first row in view, and how far into it. */
  readonly places = new Map<string, { readonly row: number; readonly into: number }>();
  /** System prompts that were changed and not kept, by their sessions. */
  readonly promptDrafts = new Map<string, string>();
  readonly runs: SessionRuns;
  readonly asked: Asked;
  readonly #python: InterpreterRows;
  readonly status: StatusSections;
  #unsent = new Unsent(null);
  #control: SessionsControl | null = $state.raw(null);
  #fault: Fault | null = $state.raw(null);
  #shown: OpenSession | null = $state.raw(null);
  #offered: Recording | null = $state.raw(null);
  /** Begun, and nothing sent yet. */
  #fresh: OpenSession | null = null;
  #wanted = '';

  constructor(ui: Ui) {
    this.ui = ui;
    this.runs = new SessionRuns(ui.app.calls);
    this.asked = new Asked(ui.policy);
    this.#python = new InterpreterRows(ui.app.interpreters);
    this.status = builtInSections(this);
    this.#connect();
  }

  /** What was written and not sent. */
  get unsent(): Unsent {
    return this.#unsent;
  }

  /** Null until the part of the page that keeps sessions is there. */
  get conversations(): ConversationControl | null {
    return this.#control?.conversations ?? null;
  }

  /** The session in a file that can be stored elsewhere, or a recording of it. Undefined until the part of the page that keeps sessions is there. */
  save(id: string, kind: 'export' | 'record'): Promise<SavedFile> | undefined {
    const control = this.#control;
    return kind === 'export' ? control?.stored.export(id) : control?.conversations.record(id);
  }

  /** Why the wanted session cannot be shown. */
  get fault(): Fault | null {
    return this.#fault;
  }

  /** The session that is shown, or was last; null while another is being opened. */
  get shown(): OpenSession | null {
    return this.#shown;
  }

  /** What can be done with the session in view. */
  get commands(): readonly SessionCommand[] {
    const isInView = this.ui.route.place.at === 'session';
    return isInView && this.#shown !== null ? sessionCommands(this.#shown, this) : [];
  }

  /** The tools of the open folder are not all known yet. */
  get readsTools(): boolean {
    return this.ui.opener.isOpening || this.ui.returning;
  }

  /** Tools whose calls a session’s interpreter is busy with. */
  busyWith(id: string): readonly string[] {
    const isIts = ({ role, sessionId }: InterpreterView): boolean =>
      role === 'session' && sessionId === id;
    return this.#python.all.find(isIts)?.busyWith ?? [];
  }

  /** Shows a session, or a new one. Never rejects. */
  async show(id: string): Promise<void> {
    this.#wanted = id;
    const { conversations } = this;
    if (conversations === null) {
      if (this.#fault !== null) this.#connect();
      return;
    }
    if (this.#shown?.id === id) {
      // It is stored now, so the next new session is another one.
      if (this.#fresh === this.#shown) this.#fresh = null;
      return;
    }
    this.#fault = null;
    if (id === newSession) {
      // The one that is shown stays when it begins: its address follows.
      const isOver = this.#fresh?.begun === true && this.#fresh !== this.#shown;
      if (this.#fresh === null || isOver) this.#fresh = this.#begin(conversations);
      this.#put(this.#fresh);
      return;
    }
    this.#put(null);
    try {
      const conversation = await conversations.open(id);
      if (this.#wanted === id) this.#put(this.#opened(conversation));
      else conversations.release(id);
    } catch (thrown) {
      if (this.#wanted === id) this.#fault = faultOf(thrown);
    }
  }

  /** Begins another session, and goes there. */
  startNew(): void {
    this.writeNew();
    this.ui.route.go(this.ui.route.toSession(newSession));
  }

  /** Focuses the message field where a new session is already shown, since the address does not change then. */
  writeNew(): void {
    const { place } = this.ui.route;
    if (place.at !== 'session' || place.id !== newSession) return;
    focusMessageField();
  }

  /** A new session with all up to and with an entry, and goes there. @throws {ToolError} */
  async fork(id: string, n: number): Promise<void> {
    const forked = await this.conversations?.fork(id, n);
    if (forked !== undefined) this.ui.route.go(this.ui.route.toSession(forked.id));
  }

  /** A new session with all before a message of the user's, which is in its composer, and goes there. @throws {ToolError} */
  async forkBefore(id: string, n: number, sent: readonly UserPart[]): Promise<void> {
    const forked = await this.conversations?.fork(id, n - 1);
    if (forked === undefined) return;
    this.composers.of(forked.id).putBefore(sent);
    const tools = this.#shown?.id === id ? this.#shown.state.selection?.tools : undefined;
    // Before the first message nothing is locked, and the choice is what it was.
    if (tools !== undefined && forked.state.selection === null)
      forked.select(
        tools.map(({ name }) => name),
        true,
      );
    this.ui.route.go(this.ui.route.toSession(forked.id));
  }

  /** Deletes a session, which can be undone from the list, and shows it no longer. */
  remove(head: SessionHead): void {
    this.list.remove(head);
    this.unsent.keep(head.id, '');
    if (this.#shown?.id !== head.id) return;
    this.#wanted = '';
    this.#put(null);
    this.ui.route.go(this.ui.route.to({ at: 'sessions' }));
  }

  /** What the open folder brings to be played, without a key or a network. */
  get recordings(): readonly FolderRecording[] {
    // They come and go with the folder.
    const { phase, folderKey } = this.ui.opener.status;
    return phase === 'none' || folderKey === '' ? [] : (this.conversations?.recordings() ?? []);
  }

  /** Out of a file, to be played once the user has seen what it is: its tools may do things. */
  get offered(): Recording | null {
    return this.#offered;
  }

  dismissOffered(): void {
    this.#offered = null;
  }

  /** The session plays a recording that has nothing further to say, and no model was chosen since. */
  hasEnded({ conversation, state, busy }: OpenSession): boolean {
    if (busy || state.head.model?.provider !== replayProvider) return false;
    const recording = this.conversations?.recordingOf(conversation) ?? null;
    return recording === null || nextMove(recording, state) === null;
  }

  /** A new session that plays a recording, and goes there. */
  play(recording: Recording): void {
    this.#offered = null;
    const playing = this.conversations?.play(recording);
    if (playing !== undefined) this.ui.route.go(this.ui.route.toSession(playing.id));
  }

  /** Takes a session out of a file, and goes there; a recording is offered. Never rejects. */
  async takeIn(file: Blob): Promise<void> {
    const head = await this.list.attempt(async () => {
      const format = await fileFormat(file);
      if (format === 'cloche-session') return this.#control?.stored.import(file);
      if (format !== 'cloche-recording') throw neither();
      this.#offered = (await this.conversations?.recordingIn(file)) ?? null;
      return undefined;
    });
    if (head !== undefined) this.ui.route.go(this.ui.route.toSession(head.id));
  }

  /** Puts back what was deleted last, and goes there. */
  undo(): void {
    const head = this.list.removed;
    this.list.undo();
    if (head !== null) this.ui.route.go(this.ui.route.toSession(head.id));
  }

  dispose(): void {
    this.#put(null);
    this.#fresh?.dispose();
    this.list.dispose();
    this.models.dispose();
    this.runs.dispose();
    this.asked.dispose();
    this.#python.dispose();
  }

  #connect(): void {
    this.#fault = null;
    this.ui.sessions().then(
      (control) => {
        this.#control = control;
        this.#unsent = new Unsent(control.memory);
        this.list.connect(control);
        this.models.connect(control.providers);
        if (this.#wanted !== '') void this.show(this.#wanted);
      },
      (thrown: unknown) => (this.#fault = faultOf(thrown)),
    );
  }

  #begin(conversations: ConversationControl): OpenSession {
    return this.#opened(conversations.create());
  }

  #opened(conversation: Conversation): OpenSession {
    return new OpenSession(conversation, this.ui.announcer, (session) => {
      this.#leave(session);
    });
  }

  /** Another page writes it: what was not sent is found in the composer there, and here once this page writes again. */
  #leave({ id, entries, live, conversation }: OpenSession): void {
    const stored = this.#unsent.read(id, (message) => isSent(entries, message));
    this.composers.leave(
      id,
      live.queue.map(({ parts }) => parts),
      stored,
    );
    for (const queued of live.queue) conversation.unsend(queued.id);
  }

  #put(next: OpenSession | null): void {
    const before = this.#shown;
    this.#shown = next;
    if (before === null || before === next) return;
    // An empty new session is kept, to be shown again.
    if (before === this.#fresh && !before.begun) return;
    before.dispose();
    this.conversations?.release(before.id);
  }
}

function neither(): ToolError {
  return new ToolError(
    'bad-input',
    'This file is neither a session nor a recording.',
    'Choose a file made with “Export session” or “Save as recording” in the menu of a session.',
  );
}

/** The recent folder that a session's tools are of; undefined where there is none, as for an imported session. */
export function folderOfSession<Folder extends Pick<KnownFolder, 'id' | 'name'>>(
  session: SessionFolder,
  recent: readonly Folder[],
): Folder | undefined {
  return recent.find(({ id, name }) => isFolderOf(session, { folder: name, folderId: id }));
}
