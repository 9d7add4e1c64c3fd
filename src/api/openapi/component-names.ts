/** Names that OpenAPI allows for components, and generators for functions. */

/**
 * A different name for each tool: its own, with `_` for what is not allowed, and a number where two would be alike.
 *
 * @param others names that are taken
 */
export function componentNames(
  tools: readonly string[],
  others: readonly string[],
): ReadonlyMap<string, string> {
  const taken = new Set(others);
  const names = new Map<string, string>();
  for (const tool of tools) {
    const plain = tool.replace(/[^A-Za-z0-9_]/g, '_');
    let name = plain;
    for (let n = 2; taken.has(name.toLowerCase()); n += 1) name = `${plain}_${n}`;
    taken.add(name.toLowerCase());
    names.set(tool, name);
  }
  return names;
}
