/** Which tools a session may use: chosen freely until its first message, then locked. */

import { wait } from '../async/wait.ts';
import { toolNames } from '../registry/provider-names.ts';
import type { SessionRights } from '../session/open-sessions.ts';
import { isFolderOf, type SessionFolder } from '../session/session-folder.ts';
import type { SessionLog } from '../session/session-log.ts';
import { ToolError } from '../spec/error.ts';
import { ModelError } from '../spec/model-error.ts';
import type { SelectedTool } from '../spec/session.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import type { SessionApprovals } from './conversation-type.ts';

export interface SelectionParts {
  /** All tools of the open folder. */
  readonly tools: () => readonly RegisteredTool[];
  /** A tool of the open folder as it is now. */
  readonly tool: (name: string) => RegisteredTool | undefined;
  /** What is wrong with the file that a tool was in; null: nothing, or there is none. */
  readonly faultOf: (name: string) => string | null;
  /** When no folder is being read. Never rejects. */
  readonly settled: () => Promise<void>;
  /** Changes when another folder is opened, whatever its name. */
  readonly folderKey: () => string;
  readonly openFolder: () => SessionFolder;
  /** From here on calls of this session may run, of these tools. */
  readonly openPython: (session: string, rights: SessionRights) => void;
}

/** What was chosen until now. */
interface Picks {
  /** Of the folder whose tools they are; null: of any. */
  readonly folderKey: string | null;
  /** A rescan leaves them as they are. */
  readonly byHand: ReadonlyMap<string, boolean>;
  /** Whether those that nobody chose about are selected. */
  readonly others: boolean;
}

const all: Picks = { folderKey: null, byHand: new Map(), others: true };

/** What the session knows beyond its log. */
export interface AroundSelection {
  readonly background: {
    /** Tools that what runs beside the session has had allowed for it. */
    readonly allowed: Set<string>;
  };
  /** Ends the turn under way. */
  stop(): void;
}

const nothing: SessionRights = {
  isSelected: () => false,
  isAllowed: () => false,
  stopTurn: () => undefined,
};

export class ToolSelection implements SessionApprovals {
  readonly #log: Pick<SessionLog, 'id' | 'state' | 'append'>;
  readonly #parts: SelectionParts;
  readonly #session: AroundSelection;
  #picks: Picks = all;
  /** At the first message, where that was in this page. */
  #folderKey: string | null = null;

  constructor(
    log: Pick<SessionLog, 'id' | 'state' | 'append'>,
    parts: SelectionParts,
    session: AroundSelection,
  ) {
    this.#log = log;
    this.#parts = parts;
    this.#session = session;
  }

  /**
   * @param noOthers what the folder brings later is not selected
   * @throws {ToolError} `bad-input` once it is locked
   */
  choose(names: readonly string[], noOthers: boolean): void {
    if (this.#log.state.selection !== null)
      throw new ToolError(
        'bad-input',
        'The tools of a session are locked once its first message is sent.',
        'Begin a new session to use others.',
      );
    const folderKey = noOthers ? null : this.#parts.folderKey();
    const { byHand, others } = this.#current;
    const chosen = new Set(names);
    const known = this.#parts.tools();
    const count = known.filter(({ name }) => chosen.has(name)).length;
    const next = new Map([
      ...byHand,
      ...known.map(({ name }) => [name, chosen.has(name)] as const),
    ]);
    for (const name of names) next.set(name, true);
    // Who takes all of them, or none, means those to come as well.
    const isWhole = count === 0 || count === known.length;
    this.#picks = {
      folderKey,
      byHand: next,
      others: noOthers ? false : isWhole ? count > 0 : others,
    };
  }

  get names(): readonly string[] {
    return this.tools.map(({ name }) => name);
  }

  get tools(): readonly SelectedTool[] {
    const { selection } = this.#log.state;
    if (selection !== null) return selection.tools;
    const { byHand, others } = this.#current;
    return this.#parts
      .tools()
      .filter(({ name }) => byHand.get(name) ?? others)
      .map(selectedTool);
  }

  /** Tools of another folder may have the same names. */
  get #current(): Picks {
    const { folderKey } = this.#picks;
    return folderKey === null || folderKey === this.#parts.folderKey() ? this.#picks : all;
  }

  /** A selected tool as it is now; none where another folder is open, which may have tools of the same names. */
  tool(name: string): RegisteredTool | undefined {
    const isLocked = this.#log.state.selection !== null;
    return isLocked && !this.hasItsFolder ? undefined : this.#parts.tool(name);
  }

  /** Why there is no such tool now, for a model. */
  whyMissing(name: string): string {
    const { folder } = this.#log.state.head;
    if (!this.hasItsFolder) return `the tools folder ${folder} is not open now`;
    const fault = this.#parts.faultOf(name);
    return fault === null
      ? 'the tools folder does not have it any more'
      : `its file cannot be loaded now: ${fault}`;
  }

  /**
   * It is what it is from the first message on: saved, wire names included.
   * @throws where the signal ends the wait; {@link ModelError} where it is too large to be saved
   */
  async lock(signal: AbortSignal): Promise<void> {
    await wait(signal, this.#parts.settled());
    const { tools } = this;
    const { entries } = await toolNames(tools.map(({ name }) => name));
    const { folder, folderId } = this.#log.state.head;
    const open = this.#parts.openFolder();
    const isOther = open.folder !== folder || open.folderId !== folderId;
    try {
      this.#log.append({ type: 'selected', tools, names: entries, ...(isOther ? open : {}) });
    } catch (thrown) {
      throw tooMany(tools.length, thrown);
    }
    this.#folderKey = this.#parts.folderKey();
    this.openPython();
  }

  /** Lets the selected tools be called, once they are locked. */
  openPython(): void {
    const { selection } = this.#log.state;
    if (selection === null) return;
    const names = new Set(selection.tools.map(({ name }) => name));
    this.#parts.openPython(this.#log.id, {
      isSelected: (tool) => this.hasItsFolder && names.has(tool),
      isAllowed: (tool) => this.#isSurelyItsFolder && this.#isAllowed(tool),
      stopTurn: () => this.#session.stop(),
    });
  }

  /** Nothing may be called until it is open again; Python stays. The rights would hold on to all of the session. */
  closePython(): void {
    if (this.#log.state.selection !== null) this.#parts.openPython(this.#log.id, nothing);
  }

  #isAllowed(tool: string): boolean {
    return this.#log.state.allowed.has(tool) || this.#session.background.allowed.has(tool);
  }

  get allowedTools(): readonly string[] {
    return [...new Set([...this.#log.state.allowed, ...this.#session.background.allowed])];
  }

  askAgain(tool: string): void {
    this.#session.background.allowed.delete(tool);
    this.#log.append({ type: 'asks-again', tool });
  }

  /** The folder that it began with is open, as far as can be told: others may have tools of the same names. */
  get hasItsFolder(): boolean {
    const { head } = this.#log.state;
    const isUnknown = head.folderId === '' && this.#folderKey === null;
    return isUnknown ? isFolderOf(head, this.#parts.openFolder()) : this.#isSurelyItsFolder;
  }

  /** What was allowed in this session holds for the tools of its folder alone. */
  get #isSurelyItsFolder(): boolean {
    const { head } = this.#log.state;
    // A folder may become known only once it is open.
    if (head.folderId !== '') return isFolderOf(head, this.#parts.openFolder());
    return this.#parts.folderKey() === this.#folderKey;
  }
}

/** @param thrown by the log, which says how large they are */
function tooMany(count: number, thrown: unknown): unknown {
  if (!(thrown instanceof ToolError) || thrown.code !== 'limit') return thrown;
  return new ModelError(
    'request',
    `The ${count.toLocaleString('en')} selected tools are more than a session can keep. ${thrown.message}`,
    'Deselect some of them under “Local tools”, then press “Go on”.',
  );
}

/** What is kept of a tool, so that it can be told later what has changed. */
function selectedTool(tool: RegisteredTool): SelectedTool {
  const { name, description, parameters, deferred } = tool;
  return { name, description, parameters, deferred };
}
