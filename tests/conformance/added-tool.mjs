/** Changes the tools of a folder. */
import { writeFile } from 'node:fs/promises';

/**
 * Writes a file with one tool, of this name.
 * @param {string} file
 * @param {string} name
 */
export function addTool(file, name) {
  const spec = `{"name": "more:${name}", "description": "Added.", "parameters": {"type": "object"}, "handler": ${name}}`;
  return writeFile(file, `def ${name}():\n    return 1\n\nTOOL_SPECS = [${spec}]\n`);
}
