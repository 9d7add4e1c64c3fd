/** The open sessions of this page, and the recordings that play in them. */

import type { CallPath } from '../../runtime/call/call-path.ts';
import type { SavedFile } from '../session/file/session-file.ts';
import type { ReplacedCall } from '../session/fork-session.ts';
import type { SessionLog } from '../session/log/session-log.ts';
import type { DefaultModel } from '../providers/default-model.ts';
import { recordingOf } from '../session/recording/recorded-session.ts';
import { type IsRecording, type Recording, replayProvider } from '../../runtime/spec/recording.ts';
import {
  recordingFile,
  recordingFiles,
  recordingIn,
  recordingOfText,
  type FolderRecording,
} from '../session/recording/recording-files.ts';
import { ReadFiles } from '../session/recording/read-files.ts';
import { callsTool } from '../session/recording/playback-position.ts';
import { replayInSlices } from '../session/reduce.ts';
import { isFolderOf, type SessionFolder } from '../session/session-head.ts';
import type { OpenSessions } from '../session/open-sessions.ts';
import type { Sessions } from '../session/sessions.ts';
import type { CurrentFolder } from '../../runtime/open-folder/current-folder.ts';
import type { StatusHolder } from '../../runtime/open-folder/status.ts';
import type { Registry } from '../../runtime/registry/registry.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import { runPython } from '../../runtime/spec/tool.ts';
import type { SessionTask } from '../../runtime/spec/session.ts';
import { Exchanges } from './exchanges.ts';
import { playRecording, PlayedRecordings } from './playback.ts';
import { SessionCalls, type SessionCallsDeps } from './session-calls.ts';
import { LiveSession, type LiveSessionDeps } from './live-session.ts';
import { SessionModels, type SessionModelsDeps } from './session-models.ts';

export interface LiveSessionsDeps
  extends
    Omit<LiveSessionDeps, 'log' | 'models' | 'calls'>,
    Omit<SessionModelsDeps, 'recordings' | 'exchanges'>,
    SessionCallsDeps {
  readonly sessions: Sessions;
  readonly calls: Pick<CallPath, 'call' | 'refuse' | 'observe'>;
  readonly registry: Pick<Registry, 'list' | 'get' | 'problems' | 'observe'>;
  readonly status: Pick<StatusHolder, 'get' | 'observe'>;
  readonly currentFolder: Pick<CurrentFolder, 'current' | 'reference'>;
  readonly openSessions: Pick<OpenSessions, 'open' | 'close'>;
  readonly defaultModel: Pick<DefaultModel, 'current' | 'observe'>;
  readonly isRecording: IsRecording;
}

interface OpenEntry {
  readonly session: LiveSession;
  /** Number of parts of the page that show the session. */
  shown: number;
  /** Whether a part of the page has stopped showing the session. */
  wasReleased: boolean;
}

export class LiveSessions {
  /** The requests to providers for the latest steps, of all sessions. */
  readonly exchanges: Exchanges;
  readonly #deps: LiveSessionsDeps;
  readonly #open = new Map<string, OpenEntry>();
  /** Number of `open` calls in progress for each session. */
  readonly #opening = new Map<string, number>();
  /** Aborts playing, by session. */
  readonly #playing = new Map<string, AbortController>();
  /** Sessions that were deleted and not restored. */
  readonly #removed = new Set<string>();
  readonly #recordings: PlayedRecordings;
  readonly #ofFolder: ReadFiles<Recording>;

  constructor(deps: LiveSessionsDeps) {
    this.#deps = deps;
    this.exchanges = new Exchanges(deps.report);
    this.#recordings = new PlayedRecordings(deps.isRecording);
    this.#ofFolder = new ReadFiles((text) => recordingOfText(text, deps.isRecording), deps.report);
    deps.calls.observe((event) => {
      if (event.type !== 'call-answered') return;
      for (const { session } of this.#open.values())
        session.answered(event.callId, event.tool, event.answer);
    });
    this.#followOpening();
    deps.defaultModel.observe(() => {
      for (const { session } of this.#open.values()) this.#setDefaultModel(session);
    });
    deps.registry.observe(() => {
      for (const { session } of this.#open.values()) session.notify();
    });
  }

  /** Creates a session, which is stored once it has a message. */
  create(): LiveSession {
    const session = this.#put(this.#deps.sessions.create(this.#deps.currentFolder.reference));
    this.#setDefaultModel(session);
    return session;
  }

  /** Creates the session of a sub-agent. @param replays the recording that it plays, as JSON */
  createFor(task: SessionTask, replays?: JsonText): LiveSession {
    const { reference } = this.#deps.currentFolder;
    return this.#put(
      this.#deps.sessions.create({
        ...reference,
        task,
        ...(replays === undefined ? {} : { replays }),
      }),
    );
  }

  /**
   * Opens a session. Returns the same object while the session is open in this page.
   *
   * @throws {ToolError} `not-found`, `storage`
   */
  async open(id: string): Promise<LiveSession> {
    // The opening counts before the log is open, so that other work that ends meanwhile does not
    // close the session.
    this.#opening.set(id, (this.#opening.get(id) ?? 0) + 1);
    try {
      return this.#put(await this.#deps.sessions.open(id));
    } finally {
      const others = (this.#opening.get(id) ?? 1) - 1;
      if (others === 0) this.#opening.delete(id);
      else this.#opening.set(id, others);
      this.#closeReleased(id);
    }
  }

  /** The session if it is open in this page. */
  opened(id: string): LiveSession | undefined {
    return this.#open.get(id)?.session;
  }

  /** Whether a session's folder is open, as far as this is known. */
  hasFolderOf(session: SessionFolder): boolean {
    return isFolderOf(session, this.#deps.currentFolder.reference);
  }

  /** Call this when a part of the page stops showing a session. A running turn continues. */
  release(id: string): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    open.shown -= 1;
    open.wasReleased = true;
    this.#closeReleased(id);
  }

  /**
   * Copies a session up to and including event `n`.
   *
   * @param replaced a call of the answer at `n`, which ends differently in the copy
   * @throws {ToolError}
   */
  async fork(id: string, n: number, replaced: ReplacedCall | null = null): Promise<LiveSession> {
    return this.#put(await this.#deps.sessions.fork(id, n, replaced), 0);
  }

  /**
   * Deletes a session and ends all work in it. It disappears from the list at once, and from storage later.
   *
   * @returns undo
   */
  remove(id: string): () => void {
    const session = this.#open.get(id)?.session;
    session?.stop();
    session?.background.cancel();
    this.#removed.add(id);
    this.#deps.openSessions.close(id);
    const undo = this.#deps.sessions.remove(id);
    return () => {
      undo();
      this.#removed.delete(id);
      this.#open.get(id)?.session.selection.grantRights();
    };
  }

  /**
   * Creates a recording of a stored session.
   *
   * @throws {ToolError}
   */
  async record(id: string): Promise<SavedFile> {
    return recordingFile(
      recordingOf(await replayInSlices(id, await this.#deps.sessions.events(id))),
    );
  }

  /** The recordings of the open folder that have been read so far. */
  recordings(): readonly FolderRecording[] {
    const { current } = this.#deps.currentFolder;
    const files = current === null ? [] : recordingFiles(current.snapshot);
    return this.#ofFolder.of(files).map(({ path, value }) => ({ path, recording: value }));
  }

  /** Calls the listener when a recording of a folder has been read. @returns dispose */
  observeRecordings(listener: () => void): () => void {
    return this.#ofFolder.observe(listener);
  }

  /** @throws {ToolError} `bad-input` */
  async recordingIn(file: Blob): Promise<Recording> {
    return recordingIn(file, this.#deps.isRecording);
  }

  play(recording: Recording): LiveSession {
    const { sessions } = this.#deps;
    const replays = JSON.stringify(recording);
    const session = this.#put(
      sessions.create({ ...this.#deps.currentFolder.reference, replays }),
      0,
    );
    session.useModel({ provider: replayProvider, model: recording.title });
    session.rename(recording.title);
    session.select(recording.tools, { noOthers: true });
    session.selection.usePrograms(callsTool(recording, runPython));
    this.playOn(session.id);
    return session;
  }

  /** Continues the recording that a session plays. */
  playOn(id: string): void {
    const session = this.#open.get(id)?.session;
    const recording = session && this.recordingOf(session);
    if (!session || !recording || this.#playing.has(id)) return;
    const stop = new AbortController();
    this.#playing.set(id, stop);
    void playRecording(stop.signal, session, recording).finally(() => {
      this.#playing.delete(id);
      this.#closeReleased(id);
    });
  }

  stopPlaying(id: string): void {
    this.#playing.get(id)?.abort();
  }

  isPlaying(id: string): boolean {
    return this.#playing.has(id);
  }

  /** The recording that a session plays; null if there is none, or it cannot be read. */
  recordingOf(session: Pick<LiveSession, 'state'>): Recording | null {
    return this.#recordings.of(session);
  }

  /** Sets the default model of a session that has none and no messages. */
  #setDefaultModel(session: LiveSession): void {
    const { model, messages } = session.state.head;
    const chosen = this.#deps.defaultModel.current;
    if (model === null && messages === 0 && chosen !== null) session.useModel(chosen);
  }

  /** Logs that Python state is lost when a folder is opened, since its interpreters are new. */
  #followOpening(): void {
    const { status, sessions } = this.#deps;
    let { phase, folderKey } = status.get();
    status.observe((now) => {
      if (now.phase === 'starting' && phase !== 'starting') {
        const why = now.folderKey === folderKey ? 'folder' : 'other-folder';
        ({ folderKey } = now);
        sessions.pythonRestarted(why);
        for (const { session } of this.#open.values()) session.pythonRestarted(why);
      }
      ({ phase } = now);
    });
  }

  /** @param shown 0 if the caller opens the session by its id afterwards */
  #put(log: SessionLog, shown = 1): LiveSession {
    const known = this.#open.get(log.id);
    if (known !== undefined) {
      known.shown += shown;
      return known.session;
    }
    const session = new LiveSession({
      ...this.#deps,
      log,
      calls: new SessionCalls(log, this.#deps),
      models: new SessionModels(log, {
        ...this.#deps,
        recordings: this.#recordings,
        exchanges: this.exchanges,
      }),
    });
    this.#open.set(log.id, { session, shown, wasReleased: false });
    this.#deps.hooks.observers.emit({ type: 'opened', session: log.id });
    return session;
  }

  #closeReleased(id: string): void {
    const open = this.#open.get(id);
    if (open?.wasReleased === true) void this.#closeUnused(id, open);
  }

  /** Closes a session once no turn, background prompt or recording runs in it. */
  async #closeUnused(id: string, open: OpenEntry): Promise<void> {
    await open.session.settled();
    const isUsed = open.shown > 0 || this.#opening.has(id) || this.#playing.has(id);
    if (isUsed || this.#open.get(id) !== open) return;
    this.#open.delete(id);
    open.session.dispose();
    if (this.#removed.has(id)) this.#deps.openSessions.close(id);
    this.#deps.hooks.observers.emit({ type: 'closed', session: id });
    this.#deps.sessions.release(id);
  }
}
