/** The open sessions of this page, and the recordings that play in them. */

import { failure } from '../../runtime/call/results.ts';
import type { SavedFile } from '../session/file/session-file.ts';
import type { ReplacedCall } from '../session/fork-session.ts';
import type { SessionLog } from '../session/log/session-log.ts';
import type { DefaultModel } from '../providers/default-model.ts';
import { recordingOf } from '../session/recording/recorded-session.ts';
import {
  recordingFile,
  recordingIn,
  folderRecordings,
  nextMessages,
  readRecording,
  type FolderRecording,
} from '../session/recording/recording.ts';
import { pacedReplay } from '../session/reduce.ts';
import { isFolderOf, type SessionFolder } from '../session/session-head.ts';
import type { Sessions } from '../session/sessions.ts';
import type { CallEvent } from '../../runtime/spec/call.ts';
import type { FolderSnapshot } from '../../runtime/spec/folder.ts';
import type { JsonText } from '../../runtime/spec/json.ts';
import type {
  ModelExchange,
  ModelPart,
  ModelRef,
  ModelRequest,
  OnExchanges,
} from '../../runtime/spec/model.ts';
import { replayProvider, type RecordedStep, type Recording } from '../../runtime/spec/recording.ts';
import type { SessionTask } from '../../runtime/spec/session.ts';
import { Exchanges } from './exchanges.ts';
import { play, recordedAnswer } from './playback.ts';
import { SessionConversation, type ConversationDeps } from './session-conversation.ts';

export interface ConversationsDeps extends Omit<
  ConversationDeps,
  'log' | 'ask' | 'recordedMessages' | 'openFolder'
> {
  readonly sessions: Sessions;
  /** Cancels the session's calls, and revokes its right to make new ones. */
  readonly endRights: (session: string) => void;
  /**
   * Asks a model.
   *
   * @param played the recording's answer, used instead of a model; null if no recording plays
   */
  readonly ask: (
    signal: AbortSignal,
    model: ModelRef,
    request: ModelRequest,
    played: RecordedStep | null,
    onExchanges?: OnExchanges,
  ) => AsyncIterable<ModelPart>;
  /** @returns dispose */
  readonly observeCalls: (listener: (event: CallEvent) => void) => () => void;
  /**
   * Calls the listener when a tools folder is opened, with new interpreters. `isOther` is true for a different folder.
   *
   * @returns dispose
   */
  readonly observeOpening: (listener: (isOther: boolean) => void) => () => void;
  /** The open folder, or null. */
  readonly folder: () => { readonly snapshot: FolderSnapshot; readonly id: string } | null;
  /** The model of new sessions. */
  readonly defaultModel: Pick<DefaultModel, 'current' | 'observe'>;
  /** Calls the listener after every change of the open folder's tools. @returns dispose */
  readonly observeTools: (listener: () => void) => () => void;
  readonly isRecording: (value: unknown) => boolean;
}

interface OpenConversation {
  readonly conversation: SessionConversation;
  /** How many parts of the page show the session. */
  shown: number;
  /** Whether a part of the page has stopped showing the session. */
  wasReleased: boolean;
}

export class Conversations {
  readonly #exchanges = new Exchanges();
  readonly #deps: ConversationsDeps;
  readonly #open = new Map<string, OpenConversation>();
  /** How many `open` calls are in progress for each session. */
  readonly #opening = new Map<string, number>();
  /** Aborts playing, by session. */
  readonly #playing = new Map<string, AbortController>();
  /** Sessions that were deleted and not restored. */
  readonly #removed = new Set<string>();
  /** The recording that was parsed last, since every request and every call card reads it. */
  #parsed: { readonly text: JsonText; readonly recording: Recording | null } | null = null;

  constructor(deps: ConversationsDeps) {
    this.#deps = deps;
    deps.observeCalls((event) => {
      if (event.type !== 'call-answered') return;
      for (const { conversation } of this.#open.values())
        conversation.answered(event.callId, event.tool, event.answer);
    });
    deps.observeOpening((isOther) => {
      const why = isOther ? 'other-folder' : 'folder';
      deps.sessions.pythonRestarted(why);
      for (const { conversation } of this.#open.values()) conversation.pythonRestarted(why);
    });
    deps.defaultModel.observe(() => {
      for (const { conversation } of this.#open.values()) this.#setDefaultModel(conversation);
    });
    deps.observeTools(() => {
      for (const { conversation } of this.#open.values()) conversation.notify();
    });
  }

  /** Creates a session, which is stored once it has a message. */
  create(): SessionConversation {
    const conversation = this.#put(this.#deps.sessions.create(this.#folder()));
    this.#setDefaultModel(conversation);
    return conversation;
  }

  /** Creates the session of a sub-agent. @param replays the recording that it plays, as JSON */
  createFor(task: SessionTask, replays?: { readonly replays?: JsonText }): SessionConversation {
    return this.#put(this.#deps.sessions.create({ ...this.#folder(), task, ...replays }));
  }

  /**
   * Opens a session. Returns the same object while the session is open in this page.
   *
   * @throws {ToolError} `not-found`, `storage`
   */
  async open(id: string): Promise<SessionConversation> {
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
  opened(id: string): SessionConversation | undefined {
    return this.#open.get(id)?.conversation;
  }

  /** Whether a session's folder is open, as far as this is known. */
  hasFolderOf(session: SessionFolder): boolean {
    return isFolderOf(session, this.#folder());
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
   * Returns the requests to the provider for a step, and what was received; empty for steps of
   * earlier visits.
   */
  exchangesOf(stepId: string): readonly ModelExchange[] {
    return this.#exchanges.of(stepId);
  }

  /**
   * Copies a session up to and including event `n`.
   *
   * @param replaced a call of the answer at `n`, which ends differently in the copy
   * @throws {ToolError}
   */
  async fork(
    id: string,
    n: number,
    replaced: ReplacedCall | null = null,
  ): Promise<SessionConversation> {
    return this.#put(await this.#deps.sessions.fork(id, n, replaced), 0);
  }

  /**
   * Deletes a session and ends all work in it. It disappears from the list at once, and from storage later.
   *
   * @returns undo
   */
  remove(id: string): () => void {
    const conversation = this.#open.get(id)?.conversation;
    conversation?.stop();
    conversation?.background.cancel();
    this.#removed.add(id);
    this.#deps.endRights(id);
    const undo = this.#deps.sessions.remove(id);
    return () => {
      undo();
      this.#removed.delete(id);
      this.#open.get(id)?.conversation.selection.grantRights();
    };
  }

  /**
   * Creates a recording of a stored session.
   *
   * @throws {ToolError}
   */
  async record(id: string): Promise<SavedFile> {
    return recordingFile(recordingOf(await pacedReplay(id, await this.#deps.sessions.events(id))));
  }

  /** The recordings in the open folder. */
  recordings(): readonly FolderRecording[] {
    const folder = this.#deps.folder();
    return folder === null ? [] : folderRecordings(folder.snapshot, this.#deps.isRecording);
  }

  /** @throws {ToolError} `bad-input` */
  async recordingIn(file: Blob): Promise<Recording> {
    return recordingIn(file, this.#deps.isRecording);
  }

  /** Plays a recording in a new session. */
  play(recording: Recording): SessionConversation {
    const { sessions } = this.#deps;
    const replays = JSON.stringify(recording);
    const conversation = this.#put(sessions.create({ ...this.#folder(), replays }), 0);
    conversation.useModel({ provider: replayProvider, model: recording.title });
    conversation.rename(recording.title);
    conversation.select(recording.tools, true);
    this.playOn(conversation.id);
    return conversation;
  }

  /** Continues the recording that a session plays. */
  playOn(id: string): void {
    const conversation = this.#open.get(id)?.conversation;
    const recording = conversation && this.recordingOf(conversation);
    if (!conversation || !recording || this.#playing.has(id)) return;
    const stop = new AbortController();
    this.#playing.set(id, stop);
    void play(stop.signal, conversation, recording).finally(() => {
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
  recordingOf({ state }: Pick<SessionConversation, 'state'>): Recording | null {
    const text = state.replays;
    if (text === null) return null;
    if (this.#parsed?.text === text) return this.#parsed.recording;
    let recording: Recording | null = null;
    try {
      recording = readRecording(text, this.#deps.isRecording);
    } catch {
      // Invalid recordings are null.
    }
    this.#parsed = { text, recording };
    return recording;
  }

  /** @throws {ModelError} */
  #played(log: SessionLog, { provider }: ModelRef, stepId: string | null): RecordedStep | null {
    if (provider !== replayProvider || log.state.replays === null) return null;
    return recordedAnswer(this.recordingOf(log), log.state, stepId);
  }

  /** Sets the default model of a session that has none and no messages. */
  #setDefaultModel(conversation: SessionConversation): void {
    const { model, messages } = conversation.state.head;
    const chosen = this.#deps.defaultModel.current;
    if (model === null && messages === 0 && chosen !== null) conversation.useModel(chosen);
  }

  #folder(): SessionFolder {
    const open = this.#deps.folder();
    return { folder: open?.snapshot.name ?? '', folderId: open?.id ?? '' };
  }

  /** @param shown 0 if the caller opens the session by its id afterwards */
  #put(log: SessionLog, shown = 1): SessionConversation {
    const known = this.#open.get(log.id);
    if (known !== undefined) {
      known.shown += shown;
      return known.conversation;
    }
    const { ask, call } = this.#deps;
    const conversation = new SessionConversation({
      ...this.#deps,
      log,
      call: log.state.task === null ? call : storedFirst(log, call),
      openFolder: () => this.#folder(),
      ask: (signal, model, request, stepId) =>
        ask(
          signal,
          model,
          request,
          this.#played(log, model, stepId),
          stepId === null ? undefined : (sent) => this.#exchanges.keep(stepId, sent),
        ),
      recordedMessages: () => {
        const recording = this.recordingOf(log);
        return recording === null ? [] : nextMessages(recording, log.state);
      },
    });
    this.#open.set(log.id, { conversation, shown, wasReleased: false });
    this.#deps.hooks.observers.emit({ type: 'opened', session: log.id });
    return conversation;
  }

  #closeReleased(id: string): void {
    const open = this.#open.get(id);
    if (open?.wasReleased === true) void this.#closeUnused(id, open);
  }

  /** Closes a session once no turn, background prompt or recording runs in it. */
  async #closeUnused(id: string, open: OpenConversation): Promise<void> {
    await open.conversation.settled();
    const isUsed = open.shown > 0 || this.#opening.has(id) || this.#playing.has(id);
    if (isUsed || this.#open.get(id) !== open) return;
    this.#open.delete(id);
    open.conversation.dispose();
    if (this.#removed.has(id)) this.#deps.endRights(id);
    this.#deps.hooks.observers.emit({ type: 'closed', session: id });
    this.#deps.sessions.release(id);
  }
}

type Call = ConversationDeps['call'];

/**
 * Makes calls of sub-agents wait until the log of their session is stored, so that none is repeated after a crash.
 * Calls that Cloche answers itself have no effect outside the session, and do not wait.
 */
export function storedFirst(log: Pick<SessionLog, 'written' | 'isInStore'>, call: Call): Call {
  return async (signal, asked, onStart, answer) => {
    if (answer !== undefined) return call(signal, asked, onStart, answer);
    await log.written();
    if (log.isInStore) return call(signal, asked, onStart);
    return failure(
      'cancelled',
      `The call to ${asked.tool} was not run: the browser could not store the session, so a later visit would not know of it.`,
    );
  };
}
