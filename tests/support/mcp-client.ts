/** Bundled into a page of a test: the official client of MCP. */

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const mcpClient = { Client, StreamableHTTPClientTransport };
export type McpClient = typeof mcpClient;
Object.assign(globalThis, { mcpClient });
