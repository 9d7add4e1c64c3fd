/** Creates the tools folders that the rows need, once per run. */

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const echoTool = 'echo:echo';

const echoFile = `
def echo(text: str) -> dict:
    """Returns its argument."""
    return {"text": text}

TOOL_SPECS = [
    {
        "name": "echo:echo",
        "description": "Returns its argument.",
        "parameters": {
            "type": "object",
            "properties": {"text": {"type": "string", "description": "Any text"}},
            "required": ["text"],
        },
        "handler": echo,
    },
]
`;

/** @returns {[name: string, text: string][]} */
export function echoFiles() {
  return [['echo.py', echoFile]];
}

export const spinTool = 'spin:spin';
export const workTool = 'work:work';
export const pourTool = 'pour:pour';

/** @returns {[name: string, text: string][]} */
export function spinFiles() {
  return [['spin.py', toolFile('spin', '', 'while True:\n        pass')]];
}

/** @returns {[name: string, text: string][]} */
export function workFiles() {
  const body = 'return sum(number * number % 7 for number in range(rounds))';
  return [['work.py', toolFile('work', 'rounds', body, '"stateless": True')]];
}

/** @returns {[name: string, text: string][]} */
export function pourFiles() {
  return [['pour.py', toolFile('pour', 'count', 'yield from range(count)')]];
}

/**
 * A file with one tool of the same name, which takes an integer or nothing.
 * @param {string} name
 * @param {string} argument
 * @param {string} body
 * @param {string} [option]
 */
function toolFile(name, argument, body, option = '') {
  const typed = argument === '' ? '' : `${argument}: int`;
  const properties = argument === '' ? '' : `"${argument}": {"type": "integer"}`;
  return `
def ${name}(${typed}):
    """Is measured."""
    ${body}

TOOL_SPECS = [
    {
        "name": "${name}:${name}",
        "description": "Is measured.",
        "parameters": {"type": "object", "properties": {${properties}}},
        "handler": ${name},
        ${option}
    },
]
`;
}

/**
 * 200 files with five tools each, of a usual size.
 * @returns {[name: string, text: string][]}
 */
export function manyFiles(files = 200, tools = 5) {
  return Array.from({ length: files }, (_, file) => {
    const module = `tools_${String(file).padStart(3, '0')}`;
    const functions = Array.from({ length: tools }, (_, tool) => handlerText(tool)).join('\n');
    const specs = Array.from({ length: tools }, (_, tool) => specText(module, tool)).join('\n');
    const head = `"""Tools of file ${file}."""\n\nimport json\nimport math\nfrom datetime import date\n\n`;
    return [`${module}.py`, `${head}${functions}\nTOOL_SPECS = [\n${specs}\n]\n`];
  });
}

/**
 * The same tools as in `manyFiles`, in the styles of four frameworks.
 * @returns {[name: string, text: string][]}
 */
export function foreignFiles(files = 100, tools = 5) {
  const styles = [
    ['from langchain_core.tools import tool', '@tool'],
    ['from mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP("bench")', '@mcp.tool()'],
    ['from agents import function_tool', '@function_tool'],
    ['from smolagents import tool', '@tool'],
  ];
  return Array.from({ length: files }, (_, file) => {
    const [head, mark] = styles[file % styles.length] ?? [];
    const functions = Array.from({ length: tools }, (_, tool) => `${mark}${handlerText(tool)}`);
    const name = `tools_${String(file).padStart(3, '0')}.py`;
    return [name, `import json\nimport math\n${head}\n\n${functions.join('\n')}\n`];
  });
}

/**
 * One tool whose parameters are texts, integers, choices and flags in turn, and a list of objects.
 * @param {number} fields
 * @returns {[name: string, text: string][]}
 */
export function formFiles(fields) {
  const shapes = [
    '{"type": "string", "description": "Any text"}',
    '{"type": "integer", "minimum": 0}',
    '{"enum": ["a", "b", "c"]}',
    '{"type": "boolean"}',
  ];
  const properties = Array.from(
    { length: fields },
    (_, field) => `"field_${field}": ${shapes[field % 4]},`,
  ).join(' ');
  const list = `"list": {"type": "array", "items": {"type": "object", "required": ["name"], "properties": {"name": ${shapes[0]}}}}`;
  return [
    [
      'form.py',
      `
import json

def fill(**values):
    """Is measured."""
    return len(values)

TOOL_SPECS = [
    {
        "name": "form:fill",
        "description": "Is measured.",
        "parameters": json.loads(r"""{"type": "object", "required": ["list", "field_100", "field_101"], "properties": {${properties} ${list}}}"""),
        "handler": fill,
    },
]
`,
    ],
  ];
}

/** @param {number} tool */
function handlerText(tool) {
  return `
def compute_${tool}(value: float, label: str = "none", tags: list | None = None) -> dict:
    """Computes something small from a value."""
    root = math.sqrt(abs(value) + ${tool})
    return {"label": label, "root": root, "tags": tags or [], "text": json.dumps({"n": ${tool}})}
`;
}

/**
 * @param {string} module
 * @param {number} tool
 */
function specText(module, tool) {
  return `    {
        "name": "${module}:compute_${tool}",
        "description": "Computes something small from a value, number ${tool} of its file.",
        "parameters": {
            "type": "object",
            "properties": {
                "value": {"type": "number", "description": "Where to start"},
                "label": {"type": "string", "description": "A name for the result"},
                "tags": {"type": "array", "items": {"type": "string"}, "description": "Words to keep"},
            },
            "required": ["value"],
        },
        "handler": compute_${tool},
    },`;
}

/**
 * @param {string} folder absolute
 * @param {readonly (readonly [string, string])[]} files
 */
export async function writeFolder(folder, files) {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of files) await writeFile(join(folder, name), text);
  return folder;
}
