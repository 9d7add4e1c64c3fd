/** State that the sessions part shares: stored sessions, the open one, and models. */

import { createSubscriber } from 'svelte/reactivity';
import type { PageSession } from '../../../agent/turn/page-session.ts';
import type { StoredSelections } from '../../../agent/turn/kept-selections.ts';
import type { KnownFolder } from '../../../runtime/folder/known-folder.ts';
import type { ReplacedCall } from '../../../agent/session/fork-session.ts';
import { fileFormat } from '../../../agent/session/file/file-format.ts';
import type { SavedFile } from '../../../agent/session/file/session-file.ts';
import type { FolderRecording } from '../../../agent/session/recording/recording-files.ts';
import { nextMove } from '../../../agent/session/recording/playback-position.ts';
import { isFolderOf, type SessionFolder } from '../../../agent/session/session-head.ts';
import type { Calls } from '../../../agent/session/session-state.ts';
import type { InterpreterView } from '../../../runtime/spec/interpreter.ts';
import type { SessionEvent, SessionHead } from '../../../runtime/spec/session.ts';
import { ToolError } from '../../../runtime/spec/error.ts';
import type { UserPart } from '../../../runtime/spec/model.ts';
import { replayProvider, type Recording } from '../../../runtime/spec/recording.ts';
import { isNewSession, newSession } from '../shell/address.ts';
import type { Command } from '../shell/commands.svelte.ts';
import { sessionPreview } from '../starts/agent-previews.ts';
import { fromFile, recordingPreview, type StartOffer } from '../starts/start-preview.ts';
import { Observed } from '../parts/observed.ts';
import type { Ui } from '../shell/ui.svelte.ts';
import type { LiveSessionsControl, SessionsControl } from '../../../agent/create-agent.ts';
import { observeAskedCalls } from '../policy/asked-calls.ts';
import { SessionRuns } from './session-calls.svelte.ts';
import { Composers } from './composer/composer.svelte.ts';
import { faultOf, type Fault } from './fault.ts';
import { isSent } from './transcript/entry-text.ts';
import { Models } from './models/models.svelte.ts';
import { OpenSession } from './open-session.svelte.ts';
import { sessionCommands } from './session-commands.ts';
import { recordingName } from './recordings/recording-words.ts';
import { SessionList } from './list/session-list.svelte.ts';
import { statusLine } from './session-entries.ts';
import { Unsent, draftKeyOf } from './composer/unsent.ts';
import { focusMessageField } from './message-field.ts';

export class Sessions {
  readonly ui: Ui;
  readonly list = new SessionList();
  readonly models = new Models();
  readonly composers = new Composers();
  /** Scroll positions of transcripts that were not at their end: the first row in view, and the offset in it. */
  readonly places = new Map<string, { readonly row: number; readonly into: number }>();
  /** Edited system prompts that were not saved, by session. */
  readonly promptDrafts = new Map<string, string>();
  readonly runs: SessionRuns;
  readonly #asked: Observed<ReadonlySet<string>>;
  readonly #python: Observed<readonly InterpreterView[]>;
  /** The files of recordings are read one after the other. */
  readonly #followRecordings = createSubscriber((update) =>
    this.liveSessions?.observeRecordings(update),
  );
  #unsent = new Unsent(null);
  #control: SessionsControl | null = $state.raw(null);
  /** Why the requested session cannot be shown. */
  fault: Fault | null = $state.raw(null);
  /** The shown session, or the last one; null while another is being opened. */
  shown: OpenSession | null = $state.raw(null);
  /** The new session: one to which nothing was sent yet, or only since it was shown. */
  #fresh: OpenSession | null = null;
  /** The id of the session that was requested last; empty if there is none, or if it was deleted. */
  #wanted = '';
  /** Resolves when the code that stores sessions has loaded, or failed to load. */
  #connected: Promise<void> = Promise.resolve();

  constructor(ui: Ui) {
    this.ui = ui;
    this.runs = new SessionRuns(ui.app.calls);
    this.#asked = observeAskedCalls(ui.controls.policy);
    const { interpreters } = ui.app;
    this.#python = new Observed(() => interpreters.list(), interpreters);
    ui.commands.register(() => this.#commands());
    this.#connect();
  }

  /** The storage of unsent drafts. */
  get unsent(): Unsent {
    return this.#unsent;
  }

  /** Whether the dialog that adds a provider and chooses a model is open. */
  connecting: boolean = $state(false);

  /** The sessions' control; null until the code that stores sessions has loaded. */
  get liveSessions(): LiveSessionsControl | null {
    return this.#control?.liveSessions ?? null;
  }

  /** The user's earlier selections; null until the code that stores sessions has loaded. */
  get selections(): StoredSelections | null {
    return this.#control?.selections ?? null;
  }

  /** Exports a session as a file, or as a recording. Undefined until the code that stores sessions has loaded. */
  save(id: string, kind: 'export' | 'record'): Promise<SavedFile> | undefined {
    const control = this.#control;
    return kind === 'export' ? control?.stored.export(id) : control?.liveSessions.record(id);
  }

  /** The shown session, while its page is open. */
  get inView(): OpenSession | null {
    const { place } = this.ui.route;
    return place.at === 'session' && place.beside.length === 0 ? this.shown : null;
  }

  /** Whether more tools of the open folder may still be found. */
  get readsTools(): boolean {
    return this.ui.opener.isOpening || this.ui.returning;
  }

  /** Ids of calls that wait for the user. */
  get asked(): ReadonlySet<string> {
    return this.#asked.current;
  }

  /** Whether one of these calls is waiting for the user. Few calls wait, but a session may have thousands. */
  waitsIn(calls: Pick<Calls, 'has'>): boolean {
    return [...this.asked].some((id) => calls.has(id));
  }

  /** Tools whose calls a session’s interpreter is running. */
  busyWith(id: string): readonly string[] {
    const isIts = ({ role, sessionId }: InterpreterView): boolean =>
      role === 'session' && sessionId === id;
    return this.#python.current.find(isIts)?.busyWith ?? [];
  }

  /** Shows a session, or a new one. Never rejects. */
  async show(id: string): Promise<void> {
    this.#wanted = id;
    const { liveSessions } = this;
    if (liveSessions === null) {
      if (this.fault !== null) this.#connect();
      return;
    }
    if (this.shown?.id === id) {
      // The session is stored now, so the next new session is another one.
      if (this.#fresh === this.shown) this.#fresh = null;
      return;
    }
    this.fault = null;
    if (id === newSession) {
      // Once something was sent, the new session gets an address of its own and stays shown. If another session has been
      // shown since, the address of the new session means the next one.
      const isUsed = this.#fresh?.begun === true && this.#fresh !== this.shown;
      if (this.#fresh === null || isUsed) this.#fresh = this.#toOpenSession(liveSessions.create());
      this.#put(this.#fresh);
      return;
    }
    this.#put(null);
    try {
      const session = await liveSessions.open(id);
      if (this.#wanted === id) this.#put(this.#toOpenSession(session));
      else liveSessions.release(id);
    } catch (thrown) {
      if (this.#wanted === id) this.fault = faultOf(thrown);
    }
  }

  /** Puts text and files into the message of the session that was shown last, or of a new one, and shows it. */
  async writeMessage(text: string, files: readonly File[]): Promise<void> {
    await this.#connected;
    if (this.shown?.writes !== true) await this.show(newSession);
    const { shown } = this;
    if (shown === null) return;
    if (text !== '') this.composers.putBefore(shown.id, [{ type: 'text', text }]);
    this.ui.route.go(this.ui.route.toSession(draftKeyOf(shown)));
    const stored = (): string =>
      this.unsent.read(draftKeyOf(shown), (message) => isSent(shown.entries, message));
    await this.composers.of(shown.id, stored).add(files);
  }

  /** Creates a session and navigates to it. */
  startNew(): void {
    this.writeNew();
    this.ui.route.go(this.ui.route.toSession(newSession));
  }

  /** Shows a session beside another one, which the user then chooses; or two new ones, to compare models. */
  compare(id = newSession): void {
    const place = { at: 'session', id, entry: null, beside: [newSession] } as const;
    this.ui.route.go(this.ui.route.to(place));
  }

  /** Focuses the message field if a new session is already shown, since the address does not change then. */
  writeNew(): void {
    if (isNewSession(this.ui.route.place)) focusMessageField();
  }

  /** @throws {ToolError} */
  async events(id: string): Promise<readonly SessionEvent[]> {
    return (await this.ui.controls.sessions()).stored.events(id);
  }

  /**
   * Forks the session after an entry, and navigates to the fork.
   * @param replaced a call of the answer at `n`, which ends differently in the fork
   * @throws {ToolError}
   */
  async fork(id: string, n: number, replaced?: ReplacedCall): Promise<void> {
    const forked = await this.liveSessions?.fork(id, n, replaced);
    if (forked !== undefined) this.ui.route.go(this.ui.route.toSession(forked.id));
  }

  /**
   * Forks the session before a message of the user, puts the message into the fork's composer, and navigates to it.
   * @throws {ToolError}
   */
  async forkBefore(id: string, n: number, sent: readonly UserPart[]): Promise<void> {
    const forked = await this.liveSessions?.fork(id, n - 1);
    if (forked === undefined) return;
    this.composers.of(forked.id).putBefore(sent);
    const tools = this.shown?.id === id ? this.shown.state.selection?.tools : undefined;
    // Before the first message no tools are locked, so the choice is copied.
    if (tools !== undefined && forked.state.selection === null)
      forked.select(
        tools.map(({ name }) => name),
        { noOthers: true },
      );
    this.ui.route.go(this.ui.route.toSession(forked.id));
  }

  /** Deletes a session and closes it; the list can undo this. */
  remove(head: SessionHead): void {
    this.list.remove(head);
    this.unsent.write(head.id, '');
    if (this.shown?.id !== head.id) return;
    this.#wanted = '';
    this.#put(null);
    this.ui.route.go(this.ui.route.to({ at: 'sessions' }));
  }

  /** Recordings of the open folder, which need neither key nor network. */
  get recordings(): readonly FolderRecording[] {
    const { liveSessions } = this;
    // Recordings change with the folder.
    const { phase, folderKey } = this.ui.opener.status;
    if (liveSessions === null || phase === 'none' || folderKey === '') return [];
    this.#followRecordings();
    return liveSessions.recordings();
  }

  /** Whether the session plays a recording that has ended, and no model was chosen since. */
  playbackHasEnded({ control, state, busy }: OpenSession): boolean {
    if (busy || state.head.model?.provider !== replayProvider) return false;
    const recording = this.liveSessions?.recordingOf(control) ?? null;
    return recording === null || nextMove(recording, state) === null;
  }

  /** Plays a recording of the open folder, after the user has seen what it would do. */
  playListed({ path, recording }: FolderRecording): void {
    this.ui.offerFromFolder(this.#offerOf(recording), path);
  }

  #offerOf(recording: Recording): Omit<StartOffer, 'from'> {
    const start = (): void => this.#play(recording);
    const { title } = recording;
    return { what: 'recording', title, preview: recordingPreview(recording), start };
  }

  /** Plays a recording in a new session, and navigates to it. */
  #play(recording: Recording): void {
    const playing = this.liveSessions?.play(recording);
    if (playing !== undefined) this.ui.route.go(this.ui.route.toSession(playing.id));
  }

  /** Offers a session from a file to open, or a recording to play. Never rejects. */
  async takeIn(file: Blob): Promise<void> {
    await this.list.attempt(async () => {
      const format = await fileFormat(file);
      if (format !== 'cloche-session' && format !== 'cloche-recording') throw unknownFileError();
      // The file may have been chosen before the code that stores sessions has loaded.
      const { stored, liveSessions } = await this.ui.controls.sessions();
      if (format === 'cloche-session') {
        const { state, store } = await stored.read(file);
        const start = (): void => void this.#openRead(store);
        const title = state.head.title === '' ? 'Session' : state.head.title;
        const preview = sessionPreview(state);
        this.ui.offer({ what: 'session', title, from: fromFile(file), preview, start });
        return;
      }
      const recording = await liveSessions.recordingIn(file);
      this.ui.offer({ ...this.#offerOf(recording), from: fromFile(file) });
    });
  }

  async #openRead(store: () => Promise<SessionHead>): Promise<void> {
    const head = await this.list.attempt(store);
    if (head !== undefined) this.ui.route.go(this.ui.route.toSession(head.id));
  }

  /** Restores the session that was deleted last, and navigates to it. */
  undo(): void {
    const head = this.list.removed;
    this.list.undo();
    if (head !== null) this.ui.route.go(this.ui.route.toSession(head.id));
  }

  /** Commands for the session in view, and the recordings that can be played. */
  #commands(): readonly Command[] {
    const ofSession = this.inView === null ? [] : sessionCommands(this.inView, this);
    const write: Command = {
      words: 'New session',
      available: isNewSession(this.ui.route.place),
      choose: () => this.writeNew(),
    };
    const compare: Command = {
      words: 'Compare models',
      detail: 'one message to two or three models, side by side',
      available: true,
      choose: () => this.compare(),
    };
    const plays = this.recordings.map((listed) => ({
      words: `Play: ${recordingName(listed.recording)}`,
      detail: listed.recording.scripted ? 'scripted example' : 'recording',
      available: true,
      choose: () => this.playListed(listed),
    }));
    return [...ofSession, write, compare, ...plays];
  }

  #connect(): void {
    this.fault = null;
    this.#connected = this.ui.controls.sessions().then(
      (control) => {
        this.#control = control;
        this.#unsent = new Unsent(control.memory);
        this.list.connect(control);
        this.models.connect(control.providers);
        this.#showBuiltIns(control);
        if (this.#wanted !== '') void this.show(this.#wanted);
      },
      (thrown: unknown) => void (this.fault = faultOf(thrown)),
    );
  }

  /** Shows the status texts and the commands of sessions, which are registered like those of extensions. */
  #showBuiltIns({ builtIns }: SessionsControl): void {
    builtIns.add(statusLine(this));
    const { extensions } = this.ui.late;
    void extensions.start().then(() => extensions.part?.connectBuiltIns(builtIns));
  }

  #toOpenSession(session: PageSession): OpenSession {
    return new OpenSession(session, this.ui.announcer, (open) => {
      this.#leave(open);
    });
  }

  /**
   * Called when another page writes a session that is open here. That page's composer loads the stored draft; this page's
   * composer holds what was not stored, such as pictures, until this page writes the session again.
   */
  #leave({ id, entries, live, control }: OpenSession): void {
    const stored = this.#unsent.read(id, (message) => isSent(entries, message));
    this.composers.leave(
      id,
      live.queue.map(({ parts }) => parts),
      stored,
    );
    for (const queued of live.queue) control.unsend(queued.id);
  }

  #put(next: OpenSession | null): void {
    const before = this.shown;
    this.shown = next;
    if (before === null || before === next) return;
    // An empty new session is not closed, so that it can be shown again.
    if (before === this.#fresh && !before.begun) return;
    before.dispose();
    this.liveSessions?.release(before.id);
  }
}

function unknownFileError(): ToolError {
  return new ToolError(
    'bad-input',
    'This file is neither a session nor a recording.',
    'Choose a file made with “Export session” or “Save as recording” in the menu of a session.',
  );
}

/** The recent folder of a session's tools; undefined if there is none, as for an imported session. */
export function folderOfSession<Folder extends Pick<KnownFolder, 'id' | 'name'>>(
  session: SessionFolder,
  recent: readonly Folder[],
): Folder | undefined {
  return recent.find(({ id, name }) => isFolderOf(session, { folder: name, folderId: id }));
}
