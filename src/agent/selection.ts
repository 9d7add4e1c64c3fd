/** Which tools a session may use: chosen freely until its first message, then locked. */

import { toolNames } from '../registry/provider-names.ts';
import type { Selection, SessionState } from '../session/session-state.ts';
import { ToolError } from '../spec/error.ts';
import type { SelectedTool } from '../spec/session.ts';
import type { RegisteredTool } from '../spec/tool.ts';

export class ToolSelection {
  readonly #state: () => SessionState;
  readonly #tools: () => readonly RegisteredTool[];
  /** Null: all. */
  #chosen: ReadonlySet<string> | null = null;

  /** @param tools all of the open folder */
  constructor(state: () => SessionState, tools: () => readonly RegisteredTool[]) {
    this.#state = state;
    this.#tools = tools;
  }

  /** @throws {ToolError} `bad-input` once it is locked */
  choose(names: readonly string[]): void {
    if (this.#state().selection !== null)
      throw new ToolError(
        'bad-input',
        'The tools of a session are locked once its first message is sent.',
        'Begin a new session to use others.',
      );
    this.#chosen = new Set(names);
  }

  get names(): readonly string[] {
    return this.tools.map(({ name }) => name);
  }

  get tools(): readonly SelectedTool[] {
    const { selection } = this.#state();
    if (selection !== null) return selection.tools;
    const chosen = this.#chosen;
    return this.#tools()
      .filter(({ name }) => chosen?.has(name) !== false)
      .map(selectedTool);
  }

  /** As it is saved with the first message, wire names included. */
  async locked(): Promise<Selection> {
    const { tools } = this;
    const { entries } = await toolNames(tools.map(({ name }) => name));
    return { tools, names: entries };
  }
}

/** What is kept of a tool, so that it can be told later what has changed. */
function selectedTool(tool: RegisteredTool): SelectedTool {
  const { name, description, parameters, deferred } = tool;
  return { name, description, parameters, deferred };
}
