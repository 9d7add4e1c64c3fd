/** The tool file for a new folder or a new file: a tool that runs unchanged. */

/** @param path such as `my_tools.py` */
export function toolTemplate(path: string): string {
  const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.py$/, '');
  return `def greet(name: str) -> str:
    """Greets someone by name."""
    return f"Hello, {name}!"


TOOL_SPECS = [
    {
        "name": "${stem}:greet",
        "description": "Greets someone by name.",
        "parameters": {
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "Who to greet"},
            },
            "required": ["name"],
        },
        "examples": [{"name": "Ada"}],
        "handler": greet,
    },
]
`;
}

/** The initial text of a new file: a tool for a tool file, otherwise empty. */
export function newFileText(path: string): string {
  return /^[^._/][^/]*\.py$/.test(path) ? toolTemplate(path) : '';
}

/** The name of the first file in a new folder, derived from the folder's name. */
export function firstFileOf(folderName: string): string {
  const stem = folderName
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_\d]+|_+$/g, '');
  return `${stem === '' ? 'my_tools' : stem}.py`;
}
