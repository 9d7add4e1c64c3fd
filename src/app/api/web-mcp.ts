/**
 * Registers the tools of the open folder with the browser's own agent (WebMCP), where the browser has the API and the user
 * has chosen that for the folder. Calls take the call path of all callers.
 */

import { coalesce } from '../../runtime/async/coalesce.ts';
import { createPacer } from '../../runtime/async/pace.ts';
import type { CallPath } from '../../runtime/call/call-path.ts';
import { Observable } from '../../runtime/hooks/observe.ts';
import { mcpNames } from '../../runtime/registry/mcp-names.ts';
import type { Registry } from '../../runtime/registry/registry.ts';
import { newCall } from '../../runtime/spec/call.ts';
import { errorText } from '../../runtime/spec/error.ts';
import { asFields, isRecord, isStrings, parseJson } from '../../runtime/spec/guards.ts';
import { recall, remember } from '../../runtime/spec/browser-storage.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';

/** A tool in the form in which the page registers it in the browser. */
interface ModelContextTool {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly annotations: { readonly readOnlyHint: boolean; readonly untrustedContentHint: true };
  /** @param options have the signal by which the agent cancels the call, in Chromium */
  readonly execute: (input: unknown, options?: unknown) => Promise<unknown>;
}

/** The part of `document.modelContext` that is used. Chromium 156 returns a promise. */
export interface ModelContext {
  registerTool(tool: ModelContextTool, options: { readonly signal: AbortSignal }): unknown;
}

/** Tells one opened folder from another, also if both have the same name. */
interface FolderKeys {
  get(): { readonly folderKey: string };
  observe(listener: () => void): () => void;
}

export interface WebMcpDeps {
  /** Null if the browser has no such API, or the page is framed. */
  readonly context: ModelContext | null;
  readonly registry: Pick<Registry, 'list' | 'observe' | 'folder'>;
  readonly calls: Pick<CallPath, 'call'>;
  readonly status: FolderKeys;
  /** Null if the browser refuses storage; choices then last until the page is closed. */
  readonly memory: Pick<Storage, 'getItem' | 'setItem'> | null;
  /** Base path of the app. */
  readonly base: string;
  /** The id of the open folder; undefined if it is not stored. */
  readonly folderId: () => string | undefined;
  /** Resolves when the open folder has its id, if it can be stored. Never rejects. */
  readonly remembered: () => Promise<void>;
  /** Receives errors thrown by listeners. */
  readonly report: (thrown: unknown) => void;
}

/** The tools that the browser's agent may use: none, all, or these. */
export type OfferedTools = 'none' | 'all' | readonly string[];

/** A tool that the browser did not register. */
export interface RefusedTool {
  readonly tool: string;
  readonly why: string;
}

interface Registered {
  readonly tool: RegisteredTool;
  readonly stop: AbortController;
  /** Empty if it was registered. */
  readonly why: string;
}

const maxFolders = 100;
/** Longer results are cut, since the whole text goes to a model. */
const maxResultChars = 1_000_000;
/** Interval between updates while many files change; milliseconds. */
const updateMs = 200;

/** Calls its listeners when what is registered has changed. */
export class WebMcp extends Observable<undefined> {
  readonly #deps: WebMcpDeps;
  readonly #key: string;
  /** Registered and refused tools, by id. */
  readonly #tools = new Map<string, Registered>();
  /** Choices that cannot be stored, by the id of the folder, or by its name if it has no id. */
  readonly #ofVisit = new Map<string, OfferedTools>();
  readonly #updateSoon = coalesce(() => void this.#update(), updateMs);
  /** The key of the folder whose tools are registered. */
  #folder = '';
  #updating = 0;

  constructor(deps: WebMcpDeps) {
    super(deps.report);
    this.#deps = deps;
    this.#key = `cloche:webmcp:${deps.base}`;
    if (deps.context === null) return;
    deps.registry.observe(() => this.#follow());
    deps.status.observe(() => this.#follow());
    this.#follow();
  }

  /** Whether the browser has the API. */
  get isSupported(): boolean {
    return this.#deps.context !== null;
  }

  /** The choice for the open folder. */
  get offered(): OfferedTools {
    const { folderId, registry } = this.#deps;
    const id = folderId();
    if (registry.folder === null) return 'none';
    return (
      (id === undefined ? this.#ofVisit.get(registry.folder) : this.#readChoices().get(id)) ??
      'none'
    );
  }

  /** Number of registered tools. */
  get count(): number {
    return [...this.#tools.values()].filter(({ why }) => why === '').length;
  }

  get refused(): readonly RefusedTool[] {
    return [...this.#tools].flatMap(([tool, { why }]) => (why === '' ? [] : [{ tool, why }]));
  }

  /** Offers tools of the open folder, now and on later visits. Never rejects. */
  async offer(tools: OfferedTools): Promise<void> {
    const { folderId, registry, memory, remembered, status } = this.#deps;
    const { folderKey } = status.get();
    if (tools === 'none') this.#clear();
    await remembered();
    if (status.get().folderKey !== folderKey) return;
    const id = folderId();
    if (registry.folder === null) return;
    if (id === undefined) this.#ofVisit.set(registry.folder, tools);
    else {
      const stored = this.#readChoices();
      stored.delete(id);
      if (tools !== 'none') stored.set(id, tools);
      const kept = [...stored].slice(-maxFolders);
      if (!remember(memory, this.#key, JSON.stringify(kept))) this.#ofVisit.set(id, tools);
    }
    this.#updateSoon();
    this.emit(undefined);
  }

  #readChoices(): Map<string, OfferedTools> {
    const stored = parseJson(recall(this.#deps.memory, this.#key));
    const entries: unknown[] = Array.isArray(stored) ? stored : [];
    const choices = entries.flatMap((entry): [string, OfferedTools][] => {
      const { 0: id, 1: tools } = asFields(entry);
      return typeof id === 'string' && (tools === 'all' || isStrings(tools)) ? [[id, tools]] : [];
    });
    return new Map([...choices, ...this.#ofVisit]);
  }

  /** Another folder's tools are withdrawn at once. */
  #follow(): void {
    const { folderKey } = this.#deps.status.get();
    // @mutant WebMCP: the tools of a folder are withdrawn when it is closed => never
    if (folderKey !== this.#folder) this.#clear();
    this.#folder = folderKey;
    this.#updateSoon();
  }

  #clear(): void {
    this.#updating += 1;
    for (const { stop } of this.#tools.values()) stop.abort();
    this.#tools.clear();
    this.emit(undefined);
  }

  async #update(): Promise<void> {
    const { context, registry, remembered } = this.#deps;
    if (context === null) return;
    const updating = (this.#updating += 1);
    await remembered();
    if (updating !== this.#updating) return;
    const { offered } = this;
    // Tools of MCP servers are not the folder's.
    const listed = registry.list().filter(({ server }) => server === undefined);
    const chosen = new Set(typeof offered === 'string' ? [] : offered);
    const isWanted = ({ name }: RegisteredTool): boolean => offered === 'all' || chosen.has(name);
    const wanted = new Map(listed.filter(isWanted).map((tool) => [tool.name, tool]));
    for (const [id, { tool, stop }] of this.#tools)
      if (wanted.get(id)?.hash !== tool.hash) {
        stop.abort();
        this.#tools.delete(id);
      }
    // The names depend on all tools of the folder, so that a choice renames none.
    const names = await mcpNames(listed.map(({ name }) => name));
    const pacer = createPacer();
    for (const tool of wanted.values()) {
      if (updating !== this.#updating) return;
      if (this.#tools.has(tool.name)) continue;
      const stop = new AbortController();
      const name = names.toWire(tool.name) ?? tool.name;
      const why = await register(context, this.#definition(tool, name, stop.signal), stop.signal);
      if (updating !== this.#updating) {
        stop.abort();
        return;
      }
      this.#tools.set(tool.name, { tool, stop, why });
      if (pacer.mustRest()) await pacer.rest();
    }
    this.emit(undefined);
  }

  #definition(tool: RegisteredTool, name: string, signal: AbortSignal): ModelContextTool {
    const { label, description, parameters, annotations } = tool;
    return {
      name,
      ...(label !== '' && { title: label }),
      description,
      inputSchema: parameters,
      // Python may return text of anybody.
      annotations: { readOnlyHint: annotations.readOnlyHint === true, untrustedContentHint: true },
      execute: async (input, options) => {
        // @mutant WebMCP: a tool that was withdrawn does not run => removed
        signal.throwIfAborted();
        const args = JSON.stringify(isRecord(input) && !Array.isArray(input) ? input : {});
        const call = newCall('webmcp', tool.name, args);
        const { signal: cancelled } = asFields(options);
        const signals = cancelled instanceof AbortSignal ? [signal, cancelled] : [signal];
        return answer(await this.#deps.calls.call(AbortSignal.any(signals), call));
      },
    };
  }
}

/** The browser's API; null if it has none. */
export function modelContextOf(document: Document): ModelContext | null {
  const context: unknown = Reflect.get(document, 'modelContext');
  return isModelContext(context) ? context : null;
}

function isModelContext(value: unknown): value is ModelContext {
  return isRecord(value) && typeof asFields(value).registerTool === 'function';
}

/** @returns why the browser refused; empty if it did not */
async function register(
  context: ModelContext,
  tool: ModelContextTool,
  signal: AbortSignal,
): Promise<string> {
  if (tool.description.trim() === '') return 'It has no description.';
  try {
    await context.registerTool(tool, { signal });
    return '';
  } catch (thrown) {
    return errorText(thrown).slice(0, 500);
  }
}

/** A result as MCP has it, in text. */
function answer({ resultType, isError, textResultForLlm }: ToolResult): object {
  const isCut = textResultForLlm.length > maxResultChars;
  const text = isCut
    ? `${textResultForLlm.slice(0, maxResultChars)}\n[The result has ${textResultForLlm.length} characters. The rest was left out.]`
    : textResultForLlm;
  return {
    content: [{ type: 'text', text }],
    ...((resultType === 'failure' || isError) && { isError: true }),
  };
}
