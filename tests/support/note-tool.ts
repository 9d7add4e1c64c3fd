/** The tool `mark:note`, which files of strangers call in tests of what must not start by itself. */
export const noteTool = `
def note(text: str) -> str:
    """Notes a text."""
    return text

TOOL_SPECS = [{"name": "mark:note", "description": "Notes a text.", "handler": note,
    "parameters": {"type": "object", "properties": {"text": {"type": "string"}}}}]
`;
