/** Reads a document, and writes Python for what was chosen of it. */

import type {
  ImportFault,
  ImportOutline,
  ImportWorker,
} from '../../src/runtime/protocol/imports.ts';
import { fields } from '../../src/runtime/spec/guards.ts';
import { findTools, McpImport } from './mcp-list.ts';
import { ApiImport } from './openapi/api-import.ts';
import { apiDocument } from './openapi/document.ts';
import { readDocument, wanted } from './read-document.ts';

/** An importer keeps the document that it read last. */
export function createImporter(): ImportWorker {
  let last: ApiImport | McpImport | null = null;
  return {
    async read(document, name): Promise<ImportOutline | ImportFault> {
      last = null;
      const text = typeof document === 'string' ? document : await document.text();
      const read = readDocument(text);
      if (!('value' in read)) return read;
      const made = importOf(read.value, name);
      if ('fault' in made) return made;
      last = made;
      return made.outline;
    },
    write(choice) {
      return last?.write(choice) ?? { fault: 'No document has been read', hint: wanted };
    },
  };
}

function importOf(value: unknown, name: string): ApiImport | McpImport | ImportFault {
  const address = /^https?:\/\//i.test(name) ? name : '';
  const document = apiDocument(value);
  if (document !== null) {
    if (document.operations.length > 0) return new ApiImport(document, address);
    return { fault: 'The OpenAPI document has no operations', hint: wanted };
  }
  const found = findTools(value);
  if (found.tools.size > 0) return new McpImport(found, name.split(/[/\\]/).at(-1) ?? '');
  if ('mcpServers' in fields(value))
    return {
      fault: 'This is a client’s list of MCP servers, without their tools',
      hint: 'Import the answer of a server to tools/list, which MCP Inspector shows and exports.',
    };
  const { openapi, swagger, paths, webhooks } = fields(value);
  if (openapi !== undefined && paths === undefined && webhooks !== undefined)
    return {
      fault: 'The OpenAPI document has only webhooks, which are requests that its server sends',
      hint: wanted,
    };
  if (openapi !== undefined || swagger !== undefined)
    return {
      fault: 'The OpenAPI document has no paths, or another version than 2.0 and 3.x',
      hint: wanted,
    };
  return { fault: 'This is neither an OpenAPI document nor a list of MCP tools', hint: wanted };
}
