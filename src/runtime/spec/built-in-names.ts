/** Names of the built-in tools, which are only for models. */

// Wire names of other tools contain `__` or end with a hash, so the built-in names cannot clash with them.
export const searchTool = 'tool_search';
export const readTool = 'read_result';
export const finish = 'finish';
export const runPython = 'run_python';

export const builtInNames: readonly string[] = [searchTool, readTool, finish, runPython];

export function isBuiltIn(wire: string): boolean {
  return builtInNames.includes(wire);
}
