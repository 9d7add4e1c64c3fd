/** The official clients in a page: bundled into one script, which defines `tourHere`. */
import { StreamableHTTPClientTransport as HttpOf2026 } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport as HttpOf2025 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { tour } from './client-tour.mjs';

/**
 * @param {{ url: URL, fetch?: typeof fetch }} access to `api/mcp`
 * @param {boolean} asksClient
 */
globalThis.tourHere = ({ url, ...access }, asksClient) =>
  tour({
    transportOf2025: () => new HttpOf2025(url, access),
    transportOf2026: () => new HttpOf2026(url, access),
    asksClient,
    // The program around the page defines it.
    addTool: (name) => globalThis.addTool(name),
  });
