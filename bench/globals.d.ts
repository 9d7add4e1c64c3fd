/** Globals that the measured pages set. */

import type { App } from '../src/app/app.ts';
import type { McpClient } from '../tests/support/mcp-client.ts';

declare global {
  // Declared as variables, since only those become properties of globalThis.
  var cloche: App;
  var plain: {
    ready: Promise<string>;
    ask(message: object): Promise<string>;
    /** Waits for a folder to be dropped, and imports its files. `tools` is their list as JSON; milliseconds from the drop. */
    open(): Promise<{ tools: string; ms: number }>;
    /** Waits for a folder to be dropped, and imports its changed files again. */
    watch(): Promise<void>;
    /** Called with the tools of a file that was imported again, as JSON. */
    listed(tools: string): void;
    /** One more worker beside the first. */
    another(): Promise<unknown>;
    /** Ends the worker, and starts another one. */
    restart(): Promise<string>;
  };
  /** The bare loop against which a model's turn is measured. */
  var plainLoop: { run(asked: object): Promise<string> };
  /** The official package of MCP, and a client that is connected. */
  var mcpClient: McpClient;
  var mcp: InstanceType<McpClient['Client']>;
  /** On the page with PyScript: runs an endless loop in its worker. */
  var spin: () => void;
  /** The ends of the ways between page and workers, by name. */
  var wire: Map<string, Worker | MessagePort>;
  /** Milliseconds from a drop to the end of the scan. */
  var opened: Promise<number>;
}
