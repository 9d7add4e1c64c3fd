/** Imports texts as the worker does, for tests. */

import type {
  ImportFault,
  ImportOutline,
  WrittenImport,
} from '../../src/runtime/protocol/imports.ts';
import { createImporter } from './import-document.ts';

export interface Imported {
  readonly outline: ImportOutline;
  readonly written: WrittenImport;
}

/** Imports all items of a document. @param document text, or a value that is written as JSON */
export async function imported(document: unknown, base?: string): Promise<Imported> {
  const importer = createImporter();
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const outline = await importer.read(text, 'document.json');
  if ('fault' in outline) throw new Error(`${outline.fault}. ${outline.hint}`);
  const items = outline.items.filter(({ refusal }) => refusal === '').map(({ id }) => id);
  const written = importer.write({
    items,
    base: base ?? outline.servers[0]?.url ?? '',
    module: outline.module,
  });
  if ('fault' in written) throw new Error(`${written.fault}. ${written.hint}`);
  return { outline, written };
}

/** A document of OpenAPI 3.1 with these paths. */
export function api(paths: object, more: object = {}): object {
  const servers = [{ url: 'https://api.example.com/v1' }];
  return { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, servers, paths, ...more };
}

export interface HostileRead {
  readonly count: number;
  readonly notes: readonly string[];
  readonly written: WrittenImport | ImportFault;
}

/** Imports the first 50 items of a document, which may be refused. */
export async function readHostile(document: unknown): Promise<HostileRead | ImportFault> {
  const importer = createImporter();
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  const outline = await importer.read(text, 'document.json');
  if ('fault' in outline) return outline;
  const ready = outline.items.filter(({ refusal }) => refusal === '').map(({ id }) => id);
  const written = importer.write({
    items: ready.slice(0, 50),
    base: outline.kind === 'mcp' ? '' : 'https://api.example.com',
    module: outline.module,
  });
  return { count: outline.items.length, notes: outline.notes, written };
}
