/** Starts the calls of all MCP clients, and leaves the questions of those calls to clients that can ask. */

import type { JsonText } from '../../../runtime/spec/json.ts';
import type { RegisteredTool } from '../../../runtime/spec/tool.ts';
import type { ApiDeps } from '../api-deps.ts';
import type { ApiCalls } from '../calls.ts';
import { startCall } from '../invoke.ts';
import { McpCall, type CallForm } from './mcp-call.ts';

export class McpCalls {
  readonly #deps: ApiDeps;
  readonly #calls: ApiCalls;
  /** Running calls by id. */
  readonly #running = new Map<string, McpCall>();

  constructor(deps: ApiDeps, calls: ApiCalls) {
    this.#deps = deps;
    this.#calls = calls;
    deps.questions.observe((questions) => {
      for (const { id, callId } of questions)
        if (this.#running.get(callId)?.form.canAsk === true) deps.questions.claim(id);
      for (const call of this.#running.values()) call.questionsChanged();
    });
  }

  /** @param site origin of the page that calls; null for Cloche's own */
  start(tool: RegisteredTool, args: JsonText, site: string | null, form: CallForm): McpCall {
    const started = startCall(
      'mcp',
      { arguments: args, session: '', validate: true, key: '', fingerprint: '' },
      tool.name,
      site,
      this.#deps,
      this.#calls,
    );
    const call = new McpCall(started, tool.name, form, this.#deps);
    this.#running.set(started.id, call);
    void started.ended.then(() => this.#running.delete(started.id));
    return call;
  }
}
