/**
 * Tools in the form that a provider accepts. The requests of a session have the same tools, so their schemas are
 * converted for the first request only.
 */

import type { JsonText } from '../../../runtime/spec/json.ts';
import type { ToolDefinition } from '../../../runtime/spec/model.ts';
import type { Adapter } from './adapter.ts';
import type { RequestAdjustment } from './request-adjustment.ts';

interface Converted {
  readonly adapter: Adapter;
  readonly adjusted: string;
  readonly tools: readonly ToolDefinition[];
}

/** Limit for the lists of tools that are kept, as the sessions of a page may have different ones. */
const maxLists = 8;

/** Lists of tools as they arrive in the worker. */
export class ReadTools {
  /** Lists by their JSON, the least recently used first. */
  readonly #lists = new Map<JsonText, readonly ToolDefinition[]>();

  /** Returns the same list for the same text. */
  read(text: JsonText): readonly ToolDefinition[] {
    // The text comes from this page, which wrote it.
    const list = this.#lists.get(text) ?? (JSON.parse(text) as readonly ToolDefinition[]);
    this.#lists.delete(text);
    this.#lists.set(text, list);
    const [oldest] = this.#lists.keys();
    if (this.#lists.size > maxLists && oldest !== undefined) this.#lists.delete(oldest);
    return list;
  }
}

/** The latest form of each list. */
const latest = new WeakMap<readonly ToolDefinition[], Converted>();

/** @param tools must not be changed afterwards */
export function convertTools(
  adapter: Adapter,
  tools: readonly ToolDefinition[],
  adjustments: ReadonlySet<RequestAdjustment>,
): readonly ToolDefinition[] {
  const adjusted = [...adjustments].sort().join(' ');
  const known = latest.get(tools);
  if (known?.adapter === adapter && known.adjusted === adjusted) return known.tools;
  const converted = tools.map((tool) => adapter.convertTool(tool, adjustments));
  latest.set(tools, { adapter, adjusted, tools: converted });
  return converted;
}
