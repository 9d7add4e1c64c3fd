/** The page's requests to the worker that turns OpenAPI documents and lists of MCP tools into Python files. */

/** A variable in the address of a server, such as the region. */
export interface ServerVariable {
  readonly name: string;
  readonly value: string;
  /** The allowed values; empty if any text is allowed. */
  readonly choices: readonly string[];
  readonly description: string;
}

export interface ImportServer {
  /** The address, with `{name}` in place of each variable. */
  readonly url: string;
  readonly description: string;
  readonly variables: readonly ServerVariable[];
}

/**
 * The address of a server with the values of its variables; where there is none, the document's default. Variables in
 * values are not replaced: values that contain each other's variables would make an address of any length.
 */
export function addressOf(
  { url, variables }: Pick<ImportServer, 'url' | 'variables'>,
  values: ReadonlyMap<string, string> = new Map(),
): string {
  const all = new Map(variables.map(({ name, value }) => [name, values.get(name) ?? value]));
  return url
    .replace(/\{([^{}]*)\}/g, (whole, name: string) => all.get(name) ?? whole)
    .slice(0, maxAddress);
}

/** Limit of an address with its values; characters. */
const maxAddress = 2_000;

/** An operation or a tool that can be chosen. */
export interface ImportItem {
  readonly id: number;
  /** Name of the function in Python. */
  readonly name: string;
  /** The name of the operation for users, such as `GET /pets/{id}`. */
  readonly label: string;
  readonly summary: string;
  readonly tags: readonly string[];
  /** Why it cannot be chosen; empty if it can. */
  readonly refusal: string;
}

/** The operations or tools of a document, and its servers. All texts are short. */
export interface ImportOutline {
  readonly kind: 'openapi' | 'mcp';
  readonly title: string;
  /** Name and version of the document's format. */
  readonly format: string;
  /** Proposed name of the file, without `.py`. */
  readonly module: string;
  /** Empty for MCP tools, which send no requests. */
  readonly servers: readonly ImportServer[];
  readonly items: readonly ImportItem[];
  readonly notes: readonly string[];
}

export interface ImportChoice {
  /** Ids of the chosen items. */
  readonly items: readonly number[];
  /** The address to which paths are appended; empty for MCP tools. */
  readonly base: string;
  /** Name of the file, without `.py`. */
  readonly module: string;
}

/** A header with a key that requests need; its value is in no document and no file. */
export interface NeededKey {
  readonly header: string;
  /** The form of its value, such as `Bearer TOKEN`. */
  readonly value: string;
}

export interface WrittenImport {
  readonly text: string;
  /** Features that the file cannot express, by the id of the item. */
  readonly notes: ReadonlyMap<number, readonly string[]>;
  /** The origins to which the tools send requests. */
  readonly origins: readonly string[];
  readonly keys: readonly NeededKey[];
}

/** Why a document cannot be read or written, and what to do next. */
export interface ImportFault {
  readonly fault: string;
  readonly hint: string;
}

/** An outline that has only its first items. */
export interface ImportHead extends ImportOutline {
  /** The number of all items. */
  readonly count: number;
}

export interface ImportWorker {
  /**
   * @param document a text, or a file, whose text then does not pass the page's thread
   * @param name of the file, or its address; relative servers are resolved against an address
   */
  read(document: string | Blob, name: string): Promise<ImportHead | ImportFault>;
  /** Further items of the document that was read last: the page would stall if it got all of them at once. */
  items(from: number): readonly ImportItem[];
  /** Writes the file for the document that was read last. */
  write(choice: ImportChoice): WrittenImport | ImportFault;
}

/** Longer documents are not read; UTF-16 code units of text, bytes of a file. */
export const maxImportChars = 10 * 1024 * 1024;
