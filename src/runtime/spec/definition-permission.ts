/** Names of the user's permissions for tools of servers, which end when the definition of the tool changes. */

/** Hexadecimal digits of a definition's hash that are part of the name. */
const digits = 16;

/** @param hash of the definition, hexadecimal */
export function definitionPermission(tool: string, hash: string): string {
  return `${tool} (${hash.slice(0, digits)})`;
}

/** Returns the parts of such a name; null if it is that of a tool of a folder. */
export function parseDefinitionPermission(
  permission: string,
): { readonly tool: string; readonly definition: string } | null {
  const [, tool, definition] = /^(\S+) \(([0-9a-f]{16})\)$/.exec(permission) ?? [];
  return tool === undefined || definition === undefined ? null : { tool, definition };
}
