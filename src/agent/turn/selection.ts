/** The tools that a session may use. They are chosen before its first message, and then locked. */

import { wait } from '../../runtime/async/wait.ts';
import { toolNames } from '../../runtime/registry/provider-names.ts';
import { isForModels, toSelectedTool } from '../../runtime/registry/tool-extras.ts';
import type { SessionLog } from '../session/log/session-log.ts';
import type { OpenSessions, SessionRights } from '../session/open-sessions.ts';
import { isFolderOf } from '../session/session-head.ts';
import type { CurrentFolder } from '../../runtime/open-folder/current-folder.ts';
import type { FolderLoader } from '../../runtime/open-folder/folder-loader.ts';
import type { StatusHolder } from '../../runtime/open-folder/status.ts';
import type { Registry } from '../../runtime/registry/registry.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { ToolChange } from '../../runtime/spec/evaluation.ts';
import { ModelError } from '../../runtime/spec/model-error.ts';
import type { SelectedTool } from '../../runtime/spec/session.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import { programLimits } from '../programs/program-limits.ts';
import type { SessionApprovals } from './live-session-types.ts';
import type { StoredSelections } from './kept-selections.ts';

export interface SelectionDeps {
  readonly registry: Pick<Registry, 'list' | 'get' | 'problems'>;
  readonly selections: Pick<StoredSelections, 'unselected' | 'programs'>;
  readonly folder: Pick<FolderLoader, 'settled'>;
  readonly status: Pick<StatusHolder, 'get'>;
  readonly currentFolder: Pick<CurrentFolder, 'reference'>;
  readonly openSessions: Pick<OpenSessions, 'open'>;
}

interface Choice {
  /** The folder to which the choice applies; null for any. */
  readonly folderKey: string | null;
  /** Tools chosen by hand, and whether they are selected. Stays when the folder is scanned again. */
  readonly byHand: ReadonlyMap<string, boolean>;
  /** Whether all other tools are selected. */
  readonly others: boolean;
  readonly changes: ToolChanges;
}

/** Changed descriptions and schemas of some tools, which the model gets instead of those in their files. */
export type ToolChanges = Readonly<Record<string, ToolChange>>;

export interface SelectOptions {
  /** Whether tools that the folder adds later stay unselected. */
  readonly noOthers?: boolean;
  readonly changes?: ToolChanges;
}

/** The choice of a session for which the user has chosen nothing. */
const everything: Choice = { folderKey: null, byHand: new Map(), others: true, changes: {} };

/** The rights of a session that is not open now: they allow no call, and refer to nothing. */
const noRights: SessionRights = {
  isSelected: () => false,
  isAllowed: () => false,
  stopTurn: () => undefined,
};

/** The parts of a session that the selection uses. */
export interface SelectionOwner {
  readonly background: {
    /** Tools that the user allowed for the whole session when a background prompt called them. */
    readonly allowed: Set<string>;
  };
  stop(): void;
}

export class ToolSelection implements SessionApprovals {
  readonly #log: Pick<SessionLog, 'id' | 'state' | 'append'>;
  readonly #deps: SelectionDeps;
  readonly #owner: SelectionOwner;
  #choice: Choice = everything;
  /** The user's choice for this session whether the model may write programs; null if there is none. */
  #programs: boolean | null = null;
  /** The folder's key at the first message, if this page sent it; otherwise null. */
  #folderKey: string | null = null;

  constructor(
    log: Pick<SessionLog, 'id' | 'state' | 'append'>,
    deps: SelectionDeps,
    owner: SelectionOwner,
  ) {
    this.#log = log;
    this.#deps = deps;
    this.#owner = owner;
  }

  /** Chooses the selected tools. @throws {ToolError} `bad-input` if the selection is locked */
  choose(names: readonly string[], { noOthers = false, changes = {} }: SelectOptions): void {
    // @mutant tools are locked behind the first message => never
    if (this.#log.state.selection !== null) throw lockedError();
    const current = this.#currentChoice;
    const offered = this.#offered.map(({ name }) => name);
    const byHand = new Map(current.byHand);
    for (const name of offered) byHand.set(name, false);
    for (const name of names) byHand.set(name, true);
    const count = offered.filter((name) => byHand.get(name)).length;
    // Choosing all or none also applies to later tools.
    const isAllOrNone = count === 0 || count === offered.length;
    const others = isAllOrNone ? count > 0 : current.others;
    this.#choice = {
      folderKey: noOthers ? null : this.#deps.status.get().folderKey,
      byHand,
      others: others && !noOthers,
      changes,
    };
  }

  /**
   * Whether the model may write programs. It may not in a sub-agent's session, unless that is chosen, nor if no folder
   * is open, or there are too few tools.
   */
  get programs(): boolean {
    const { selection, task } = this.#log.state;
    if (selection !== null) return selection.programs === true;
    const isWanted = this.#programs ?? (task === null && this.#deps.selections.programs());
    const { folderKey } = this.#deps.status.get();
    return isWanted && folderKey !== '' && this.names.length >= programLimits.leastTools;
  }

  /** Lets the model write programs, or not. @throws {ToolError} `bad-input` if the selection is locked */
  usePrograms(on: boolean): void {
    if (this.#log.state.selection !== null) throw lockedError();
    this.#programs = on;
  }

  /** Names of the selected tools. */
  get names(): readonly string[] {
    return this.tools.map(({ name }) => name);
  }

  /** The selected tools: as they were stored if the selection is locked; otherwise those that would be stored now. */
  get tools(): readonly SelectedTool[] {
    const { selection } = this.#log.state;
    if (selection !== null) return selection.tools;
    const { byHand, others, changes } = this.#currentChoice;
    const chosen = this.#offered.filter(({ name }) => byHand.get(name) ?? others);
    return chosen.map((tool) => {
      const changed = Object.hasOwn(changes, tool.name) ? { ...tool, ...changes[tool.name] } : tool;
      return toSelectedTool(changed, chosen.length);
    });
  }

  /** The tools from which the user can choose. */
  get #offered(): readonly RegisteredTool[] {
    return this.#deps.registry.list().filter(isForModels);
  }

  /** Tools of another folder may have the same names, so a choice only applies to its own folder. */
  get #currentChoice(): Choice {
    const { folderKey } = this.#choice;
    const isCurrent = folderKey === null || folderKey === this.#deps.status.get().folderKey;
    if (isCurrent && this.#choice !== everything) return this.#choice;
    const unselected = [...this.#deps.selections.unselected()];
    if (unselected.length === 0) return everything;
    return { ...everything, byHand: new Map(unselected.map((name) => [name, false])) };
  }

  /** The current definition of a selected tool; undefined if it no longer exists or another folder is open. */
  tool(name: string): RegisteredTool | undefined {
    const isLocked = this.#log.state.selection !== null;
    if (isLocked && !this.#canReach(name)) return undefined;
    return this.#deps.registry.get(name);
  }

  /** Explains to the model why {@link tool} returns undefined. */
  whyMissing(name: string): string {
    const { folder } = this.#log.state.head;
    if (this.#hasNoFolder) return 'its server is not connected or no longer offers it';
    if (!this.hasFolder) return `the tools folder ${folder} is not open`;
    const fault = loadErrorOf(name, this.#deps.registry);
    return fault === null
      ? 'it is no longer in the tools folder'
      : `its file cannot be loaded: ${fault}`;
  }

  /**
   * Stores the selection with its wire names. It cannot be changed afterwards.
   *
   * @throws the signal's reason
   * @throws {ModelError} if the selection is too large for the log
   */
  async lock(signal: AbortSignal): Promise<void> {
    await wait(signal, this.#deps.folder.settled());
    const { tools } = this;
    const programs = this.programs ? { programs: true as const } : {};
    const { entries } = await toolNames(tools.map(({ name }) => name));
    const { folder, folderId } = this.#log.state.head;
    const open = this.#deps.currentFolder.reference;
    const isOther = open.folder !== folder || open.folderId !== folderId;
    try {
      const more = { ...programs, ...(isOther ? open : {}) };
      this.#log.append({ type: 'selected', tools, names: entries, ...more });
    } catch (thrown) {
      if (!(thrown instanceof ToolError) || thrown.code !== 'limit') throw thrown;
      throw new ModelError(
        'request',
        `The ${tools.length.toLocaleString('en')} selected tools are too large for a session. ${thrown.message}`,
        'Deselect some of them under “Local tools”, then press “Continue”.',
      );
    }
    this.#folderKey = this.#deps.status.get().folderKey;
    this.grantRights();
  }

  /** Allows calls of the session to use its tools, if the selection is locked. */
  grantRights(): void {
    const { selection, task, head } = this.#log.state;
    if (selection === null) return;
    const names = new Set(selection.tools.map(({ name }) => name));
    this.#deps.openSessions.open(this.#log.id, {
      // @mutant selected tools are those of the folder => without this.#canReach(tool) &&
      //   [src/agent/turn/live-session-faults.test.ts]
      isSelected: (tool) => this.#canReach(tool) && names.has(tool),
      // @mutant an approval is valid only for its folder => this.#hasFolderForSure && this.#isAllowed ->
      //   this.#isAllowed [src/agent/turn/live-session-queue.test.ts]
      isAllowed: (tool) => this.#hasFolderForSure && this.#isAllowed(tool),
      stopTurn: () => this.#owner.stop(),
      isWorking: () => this.#log.state.turnId !== null,
      hasFolder: () => this.#hasFolderForSure,
      ...(task === null ? {} : { task: { run: task.run, title: head.title } }),
    });
  }

  /** Blocks all calls until the session is opened again. The rights would keep the whole session in memory. */
  revokeRights(): void {
    if (this.#log.state.selection !== null) this.#deps.openSessions.open(this.#log.id, noRights);
  }

  #isAllowed(tool: string): boolean {
    return this.#log.state.allowed.has(tool) || this.#owner.background.allowed.has(tool);
  }

  /** The tools that the user allowed for the whole session. */
  get allowedTools(): readonly string[] {
    return [...new Set([...this.#log.state.allowed, ...this.#owner.background.allowed])];
  }

  /** Ends the approval of a tool for the whole session. */
  askAgain(tool: string): void {
    this.#owner.background.allowed.delete(tool);
    this.#log.append({ type: 'asks-again', tool });
  }

  /**
   * Whether the folder of the session is open. A session that began without a folder can also use tools of servers, whatever
   * folder is open.
   */
  #canReach(tool: string): boolean {
    if (this.hasFolder) return true;
    return this.#hasNoFolder && this.#deps.registry.get(tool)?.server !== undefined;
  }

  /** Whether the session began without a folder. */
  get #hasNoFolder(): boolean {
    const { folder, folderId } = this.#log.state.head;
    return folder === '' && folderId === '';
  }

  /** Whether the session's folder is open. Compares names if nothing better is known. */
  get hasFolder(): boolean {
    const { head } = this.#log.state;
    const isUnknown = head.folderId === '' && this.#folderKey === null;
    return isUnknown
      ? isFolderOf(head, this.#deps.currentFolder.reference)
      : this.#hasFolderForSure;
  }

  /** Whether the session's folder is certainly open. Permissions only apply to tools of that folder. */
  get #hasFolderForSure(): boolean {
    const { head } = this.#log.state;
    // A folder may get its id after it was opened.
    if (head.folderId !== '') return isFolderOf(head, this.#deps.currentFolder.reference);
    return this.#deps.status.get().folderKey === this.#folderKey;
  }
}

function lockedError(): ToolError {
  return new ToolError(
    'bad-input',
    'The tools of a session are locked after its first message.',
    'Start a new session to use other tools.',
  );
}

/** The load error of the file that should contain a tool; null if there is none. */
function loadErrorOf(tool: string, { problems }: Pick<Registry, 'problems'>): string | null {
  const file = `${tool.slice(0, tool.indexOf(':'))}.py`;
  const error = problems.find((one) => one.file === file && one.severity === 'error');
  return error?.message.slice(0, 1_000) ?? null;
}
