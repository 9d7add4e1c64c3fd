/** Offers the operations of an OpenAPI document, and writes the chosen ones. */

import {
  addressOf,
  type ImportChoice,
  type ImportFault,
  type ImportItem,
  type ImportOutline,
  type NeededKey,
  type WrittenImport,
} from '../../../src/runtime/protocol/imports.ts';
import { asFields, stringsIn } from '../../../src/runtime/spec/guards.ts';
import { cut, FreeNames, functionName } from '../python-text.ts';
import {
  maxOperations,
  serverList,
  serversOf,
  type ApiDocument,
  type Operation,
} from './document.ts';
import { handlerOf, isWritable, type Handler } from './handler.ts';
import { keysOf } from './keys.ts';
import { apiFile, type ChosenOperation } from './python-file.ts';

/** Cloche reads specs of up to 8 MB from a file. */
const maxFileChars = 7_000_000;
const tooLarge: ImportFault = {
  fault: `The file would be larger than ${maxFileChars / 1_000_000} MB`,
  hint: 'Choose fewer operations.',
};
const noAddress =
  'Its own server has no complete address: its requests go to the server of the file.';

/** The import of one OpenAPI document: its outline for the page, and the file for the chosen operations. */
export class ApiImport {
  readonly outline: ImportOutline;
  readonly #document: ApiDocument;
  readonly #address: string;
  readonly #handlers = new Map<number, Handler>();

  /** @param address of the document; empty if it has none */
  constructor(document: ApiDocument, address: string) {
    this.#document = document;
    this.#address = address;
    const { root, operations, version, isSwagger, count, missingPaths } = document;
    const title = cut(asFields(root.info).title, 100);
    this.outline = {
      kind: 'openapi',
      title: title === '' ? 'An API without a title' : title,
      format: `${isSwagger ? 'Swagger' : 'OpenAPI'} ${version}`,
      module: moduleName(title, 'api'),
      servers: serversOf(document, address),
      items: itemsOf(operations),
      notes: [
        ...(count > operations.length
          ? [`The document has ${count} operations. The first ${maxOperations} are listed.`]
          : []),
        ...(missingPaths > 0
          ? [`Paths that refer to other documents are left out: ${missingPaths}.`]
          : []),
      ],
    };
  }

  write({ items, base, module }: ImportChoice): WrittenImport | ImportFault {
    const origin = originOf(base);
    if (origin === null)
      return {
        fault:
          base === '' ? 'The server has no address' : 'The address of the server is not complete',
        hint: 'Enter an address such as https://api.example.com/v1.',
      };
    const origins = new Set<string>();
    const keys = new Map<string, NeededKey>();
    const queryKeys = new Set<string>();
    const notes = new Map<number, readonly string[]>();
    const operations: ChosenOperation[] = [];
    let schemaChars = 0;
    for (const id of items) {
      const operation = this.#document.operations[id];
      const item = this.outline.items[id];
      if (operation === undefined || item?.refusal !== '') continue;
      const handler = this.#handlers.get(id) ?? handlerOf(this.#document, operation);
      this.#handlers.set(id, handler);
      schemaChars += handler.schemaChars;
      // Checked before the others are converted, which could take minutes and all memory.
      if (schemaChars > maxFileChars) return tooLarge;
      const needed = keysOf(this.#document, operation);
      for (const key of needed.headers)
        if (!keys.has(key.header.toLowerCase())) keys.set(key.header.toLowerCase(), key);
      for (const name of needed.query) queryKeys.add(name);
      const own = this.#serverOf(operation);
      origins.add(originOf(own) ?? origin);
      const isElsewhere = own === '' && Array.isArray(operation.servers);
      notes.set(id, [
        ...new Set([...handler.notes, ...needed.notes, ...(isElsewhere ? [noAddress] : [])]),
      ]);
      operations.push({ name: item.name, handler, base: own });
    }
    const text = apiFile({
      title: [this.outline.title, cut(asFields(this.#document.root.info).version, 50)]
        .join(' ')
        .trim(),
      module,
      base,
      operations,
      keys: [...keys.values()],
      queryKeys: [...queryKeys],
    });
    if (text.length > maxFileChars) return tooLarge;
    return { text, notes, origins: [...origins], keys: [...keys.values()] };
  }

  /** The address of the operation’s own server; empty if it has none that can be used. */
  #serverOf({ servers }: Operation): string {
    const [server] = serverList(servers, this.#address);
    const address = server === undefined ? '' : addressOf(server);
    return originOf(address) === null ? '' : address;
  }
}

function itemsOf(operations: readonly Operation[]): ImportItem[] {
  const names = new FreeNames();
  return operations.map((operation, id) => {
    const { method, path, fields: own } = operation;
    const given = typeof own.operationId === 'string' ? own.operationId : '';
    const hasLetters = /[A-Za-z\d]/.test(given.slice(0, 1_000).normalize('NFKD'));
    const name = names.take(functionName(hasLetters ? given : `${method}_${spoken(path)}`));
    return {
      id,
      name,
      label: `${method} ${path.slice(0, 300)}`,
      summary: cut(own.summary ?? own.description, 200),
      tags: stringsIn(own.tags)
        .slice(0, 10)
        .map((tag) => cut(tag, 60)),
      refusal: isWritable(operation) ? '' : `Browsers send no ${method} requests.`,
    };
  });
}

/** A path as words: `pets_by_id`. */
function spoken(path: string): string {
  return path.slice(0, 300).replace(/\{([^{}]*)\}/g, 'by_$1');
}

/** A name for the file that no module of the standard library has, and that is scanned for tools. */
export function moduleName(title: string, ending: string): string {
  const name = functionName(title === '' ? ending : title.slice(0, 60)).replace(/_+$/, '');
  return name === ending || name.endsWith(`_${ending}`) ? name : `${name.slice(0, 40)}_${ending}`;
}

function originOf(address: string): string | null {
  if (!/^https?:\/\//i.test(address) || /[{}\s"\\]/.test(address)) return null;
  try {
    const { origin, username, password, search, hash } = new URL(address);
    return username + password + search + hash === '' ? origin : null;
  } catch {
    return null;
  }
}
