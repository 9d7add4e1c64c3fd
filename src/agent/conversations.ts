/** The conversations of this page: sessions that are open, found again by their ids, and recordings that play. */

import { dueMessages, playingProblem, readRecording } from '../session/recording.ts';
import { recordingOf } from '../session/recorded-session.ts';
import { folderRecordings, type FolderRecording } from '../session/folder-recordings.ts';
import { replayed } from '../session/reduce.ts';
import type { SavedFile } from '../session/saved-file.ts';
import { isFolderOf, type SessionFolder } from '../session/session-folder.ts';
import type { SessionLog } from '../session/session-log.ts';
import type { Sessions } from '../session/sessions.ts';
import type { CallEvent } from '../spec/call.ts';
import type { FolderSnapshot } from '../spec/folder.ts';
import type { JsonText } from '../spec/json.ts';
import type { ModelPart, ModelRef, ModelRequest } from '../spec/model.ts';
import { replayProvider, type RecordedStep, type Recording } from '../spec/recording.ts';
import { SessionConversation, type ConversationParts } from './conversation.ts';
import { play } from './player.ts';
import { recordedAnswer } from './recorded-answer.ts';

export interface ConversationsParts extends Omit<
  ConversationParts,
  'log' | 'ask' | 'due' | 'openFolder'
> {
  readonly sessions: Sessions;
  /** As of a conversation; `played`: what a recording answers in place of the model. */
  readonly ask: (
    signal: AbortSignal,
    model: ModelRef,
    request: ModelRequest,
    played: Played | null,
  ) => AsyncIterable<ModelPart>;
  /** Tells of every call. @returns dispose */
  readonly observeCalls: (listener: (event: CallEvent) => void) => () => void;
  /** Tells when the tools folder is opened anew, or another one, with interpreters of its own. @returns dispose */
  readonly observeOpening: (listener: (isOther: boolean) => void) => () => void;
  /** What is open now; null: nothing. */
  readonly folder: () => { readonly snapshot: FolderSnapshot; readonly id: string } | null;
  /** Which model a new session begins with; null: it is not known yet, or the person chooses first. */
  readonly usualModel: () => ModelRef | null;
  /** Tells when that may be another. @returns dispose */
  readonly observeUsualModel: (listener: () => void) => () => void;
  /** Tells of every change of the tools of the open folder. @returns dispose */
  readonly observeTools: (listener: () => void) => () => void;
  readonly isRecording: (value: unknown) => boolean;
}

/** The answer that comes next in a recording, and the tools of the recording. */
export interface Played {
  readonly answer: RecordedStep;
  readonly tools: Recording['tools'];
}

interface Open {
  readonly conversation: SessionConversation;
  /** Parts of the page that show it. */
  shown: number;
  /** It was shown, and then by one less. */
  left: boolean;
}

export class Conversations {
  readonly #parts: ConversationsParts;
  readonly #open = new Map<string, Open>();
  /** How often each session is being opened just now. */
  readonly #opening = new Map<string, number>();
  /** Ends the playing of each session that plays. */
  readonly #playing = new Map<string, AbortController>();
  /** That was read last: every question and every card of a call looks into it. */
  #read: { readonly text: JsonText; readonly recording: Recording | null } | null = null;

  constructor(parts: ConversationsParts) {
    this.#parts = parts;
    parts.observeCalls((event) => {
      if (event.type !== 'call-answered') return;
      for (const { conversation } of this.#open.values())
        conversation.answered(event.callId, event.tool, event.answer);
    });
    parts.observeOpening((isOther) => {
      const why = isOther ? 'other-folder' : 'folder';
      parts.sessions.pythonBeganAnew(why);
      for (const { conversation } of this.#open.values()) conversation.pythonBeganAnew(why);
    });
    parts.observeUsualModel(() => {
      for (const { conversation } of this.#open.values()) this.#giveModel(conversation);
    });
    parts.observeTools(() => {
      for (const { conversation } of this.#open.values()) conversation.tell();
    });
  }

  /** A new session, which is kept from its first message on. */
  create(): SessionConversation {
    const conversation = this.#put(this.#parts.sessions.create(this.#folder()));
    this.#giveModel(conversation);
    return conversation;
  }

  /** A session that has not begun takes the usual one, unless it has one. */
  #giveModel(conversation: SessionConversation): void {
    const { model, messages } = conversation.state.head;
    const usual = this.#parts.usualModel();
    if (model === null && messages === 0 && usual !== null) conversation.useModel(usual);
  }

  /** The same object while it is open anywhere in the page. @throws {ToolError} `not-found`, `storage` */
  async open(id: string): Promise<SessionConversation> {
    // Counted before its log is there: what ends meanwhile would close that.
    this.#opening.set(id, (this.#opening.get(id) ?? 0) + 1);
    try {
      return this.#put(await this.#parts.sessions.open(id));
    } finally {
      const others = (this.#opening.get(id) ?? 1) - 1;
      if (others === 0) this.#opening.delete(id);
      else this.#opening.set(id, others);
      this.#closeLeft(id);
    }
  }

  /** Whether the folder that a session began with is open, as far as can be told. */
  hasFolderOf(session: SessionFolder): boolean {
    return isFolderOf(session, this.#folder());
  }

  /** It is not shown any more; a turn under way goes on. */
  release(id: string): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    open.shown -= 1;
    open.left = true;
    this.#closeLeft(id);
  }

  /** A new session with everything up to and with event `n`. @throws {ToolError} */
  async fork(id: string, n: number): Promise<SessionConversation> {
    return this.#put(await this.#parts.sessions.fork(id, n), 0);
  }

  /** Ends what runs in a session that was deleted. @returns what lets it be used again where that is undone */
  stop(id: string): () => void {
    const conversation = this.#open.get(id)?.conversation;
    conversation?.stop();
    conversation?.background.cancel();
    return () => this.#open.get(id)?.conversation.openPython();
  }

  /** A recording of a session as it is stored now. @throws {ToolError} */
  async record(id: string): Promise<SavedFile> {
    const recording = recordingOf(replayed(id, await this.#parts.sessions.events(id)));
    const file = new Blob([JSON.stringify(recording, null, 2)], { type: 'application/json' });
    return { file, problem: playingProblem(recording) };
  }

  /** Those that the open folder brings. */
  recordings(): readonly FolderRecording[] {
    const folder = this.#parts.folder();
    return folder === null ? [] : folderRecordings(folder.snapshot, this.#parts.isRecording);
  }

  /** The recording in a file. @throws {ToolError} `bad-input` */
  async recordingIn(file: Blob): Promise<Recording> {
    return readRecording(await file.text(), this.#parts.isRecording);
  }

  /** A new session that plays a recording. */
  play(recording: Recording): SessionConversation {
    const { sessions } = this.#parts;
    const replays = JSON.stringify(recording);
    const conversation = this.#put(sessions.create({ ...this.#folder(), replays }), 0);
    conversation.useModel({ provider: replayProvider, model: recording.title });
    conversation.rename(recording.title);
    conversation.select(recording.tools, true);
    this.playOn(conversation.id);
    return conversation;
  }

  /** Goes on with the next message of the recording that a session plays. */
  playOn(id: string): void {
    const conversation = this.#open.get(id)?.conversation;
    const recording = conversation && this.recordingOf(conversation);
    if (!conversation || !recording || this.#playing.has(id)) return;
    const stop = new AbortController();
    this.#playing.set(id, stop);
    void play(stop.signal, conversation, recording).finally(() => {
      this.#playing.delete(id);
      this.#closeLeft(id);
    });
  }

  stopPlaying(id: string): void {
    this.#playing.get(id)?.abort();
  }

  isPlaying(id: string): boolean {
    return this.#playing.has(id);
  }

  /** The recording that a session plays; null where it plays none. */
  recordingOf({ state }: Pick<SessionConversation, 'state'>): Recording | null {
    const text = state.replays;
    if (text === null) return null;
    if (this.#read?.text !== text) this.#read = { text, recording: this.#readAnew(text) };
    return this.#read.recording;
  }

  #readAnew(text: JsonText): Recording | null {
    try {
      return readRecording(text, this.#parts.isRecording);
    } catch {
      return null;
    }
  }

  /** @throws {ModelError} */
  #played(log: SessionLog, { provider }: ModelRef, stepId: string | null): Played | null {
    if (provider !== replayProvider || log.state.replays === null) return null;
    const recording = this.recordingOf(log);
    const answer = recordedAnswer(recording, log.state, stepId);
    return { answer, tools: recording?.tools ?? [] };
  }

  #folder(): { folder: string; folderId: string } {
    const open = this.#parts.folder();
    return { folder: open?.snapshot.name ?? '', folderId: open?.id ?? '' };
  }

  /** @param shown by whoever is given it; 0 where that opens it by its id first */
  #put(log: SessionLog, shown = 1): SessionConversation {
    const known = this.#open.get(log.id);
    if (known !== undefined) {
      known.shown += shown;
      return known.conversation;
    }
    const { ask } = this.#parts;
    const conversation: SessionConversation = new SessionConversation({
      ...this.#parts,
      log,
      openFolder: () => this.#folder(),
      ask: (signal, model, request, stepId) =>
        ask(signal, model, request, this.#played(log, model, stepId)),
      due: () => {
        const recording = this.recordingOf(log);
        return recording === null ? [] : dueMessages(recording, log.state);
      },
    });
    this.#open.set(log.id, { conversation, shown, left: false });
    this.#parts.hooks.observers.emit({ type: 'opened', session: log.id });
    return conversation;
  }

  #closeLeft(id: string): void {
    const open = this.#open.get(id);
    if (open?.left === true) void this.#closeUnused(id, open);
  }

  /** Once nothing runs in it: a turn, a prompt beside it, a recording that has more to play. */
  async #closeUnused(id: string, open: Open): Promise<void> {
    await open.conversation.settled();
    const isUsed = open.shown > 0 || this.#opening.has(id) || this.#playing.has(id);
    if (isUsed || this.#open.get(id) !== open) return;
    this.#open.delete(id);
    open.conversation.dispose();
    this.#parts.hooks.observers.emit({ type: 'closed', session: id });
    this.#parts.sessions.release(id);
  }
}
