/** Reads a document, and writes Python for what was chosen of it. */

import type {
  ImportFault,
  ImportItem,
  ImportOutline,
  ImportWorker,
} from '../../src/runtime/protocol/imports.ts';
import { errorText } from '../../src/runtime/spec/error.ts';
import { asFields } from '../../src/runtime/spec/guards.ts';
import { findTools, McpImport } from './mcp-list.ts';
import { ApiImport } from './openapi/api-import.ts';
import { apiDocument } from './openapi/document.ts';
import { readDocument, wanted } from './read-document.ts';

/** Reads documents, and keeps the one that it read last. */
export interface Importer extends Pick<ImportWorker, 'write'> {
  read(document: string | Blob, name: string): Promise<ImportOutline | ImportFault>;
}

/** Items that the page gets at once. */
const maxItems = 500;

/** Gives the page the items of an outline in parts. */
export function importWorker(importer = createImporter()): ImportWorker {
  let items: readonly ImportItem[] = [];
  return {
    async read(document, name) {
      const outline = await importer.read(document, name);
      if ('fault' in outline) return outline;
      ({ items } = outline);
      return { ...outline, items: items.slice(0, maxItems), count: items.length };
    },
    items: (from) => items.slice(from, from + maxItems),
    write: (choice) => importer.write(choice),
  };
}

/** Makes the importer. Its functions return faults, and never reject. */
export function createImporter(): Importer {
  let last: ApiImport | McpImport | null = null;
  return {
    async read(document, name): Promise<ImportOutline | ImportFault> {
      last = null;
      const text = typeof document === 'string' ? document : await document.text();
      const read = readDocument(text);
      if (!('value' in read)) return read;
      try {
        const made = importOf(read.value, name);
        if ('fault' in made) return made;
        last = made;
        return made.outline;
      } catch (thrown) {
        return unexpected(thrown, 'Remove the parts of the document that you do not need.');
      }
    },
    write(choice) {
      try {
        return last?.write(choice) ?? { fault: 'No document has been read', hint: wanted };
      } catch (thrown) {
        return unexpected(thrown, 'Choose other operations.');
      }
    },
  };
}

/** Reports an unexpected error as a fault of the document: it must not look like a failure of the page. */
function unexpected(thrown: unknown, hint: string): ImportFault {
  return { fault: `The document cannot be imported: ${errorText(thrown).slice(0, 500)}`, hint };
}

/** Decides what a document is. */
function importOf(value: unknown, name: string): ApiImport | McpImport | ImportFault {
  const address = /^https?:\/\//i.test(name) ? name : '';
  const document = apiDocument(value);
  if (document !== null) {
    if (document.operations.length > 0) return new ApiImport(document, address);
    return { fault: 'The OpenAPI document has no operations', hint: wanted };
  }
  const found = findTools(value);
  if (found.tools.size > 0) return new McpImport(found, name.split(/[/\\]/).at(-1) ?? '');
  if ('mcpServers' in asFields(value))
    return {
      fault: 'This is a client’s list of MCP servers, without their tools',
      hint: 'Drop it on the page Servers, which adds servers. To import tools as placeholders, use a server’s answer to tools/list.',
    };
  const { openapi, swagger, paths, webhooks } = asFields(value);
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
