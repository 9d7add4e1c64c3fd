"""Removes what an exported file no longer needs: unused imports and models, and declared packages of its framework. Adds
the imports that the export needs.

A step of the export, after TOOL_SPECS is written. Text goes in and comes out.
"""

from __future__ import annotations

import ast
import re

from ..package_names import package_of
from ..syntax import first_line, imported_names, is_text, last_line
from .source_lines import find_line_end, split_lines, without_byte_order_mark

# The block of metadata of a script, and one requirement in it.
_BLOCK = re.compile(r"^# /// script\r?\n((?:#(?:| [^\r\n]*)\r?\n)+?)# ///\r?\n(?:\r?\n)?", re.MULTILINE)
_REQUIREMENT = re.compile(r"""(["'])([A-Za-z0-9._-]+)[^"']*\1\s*,?\s*""")
_MODELS = ("BaseModel", "BaseSettings")


def tidy(before: str, after: str, modules: frozenset[str]) -> str:
    """The exported text, `after`, without what only the framework needed. `before`: the text of the author."""
    text = _remove_requirements(after, modules)
    while True:
        shorter = _remove_unused(before, text)
        if shorter == text:
            return text
        text = shorter


def insert_imports(text: str, modules: list[str]) -> str:
    """The text with imports of these modules behind its first `import` statements, or before its first statement."""
    if not modules:
        return text
    plain = without_byte_order_mark(text)
    lines, end = split_lines(plain), find_line_end(plain)
    at, has_others = _find_import_place(ast.parse(plain))
    added = [f"import {module}{end}" for module in modules]
    if not has_others:
        added = [end, *added] if at else [*added, end, end]
    return text[: len(text) - len(plain)] + "".join([*lines[:at], *added, *lines[at:]])


def _find_import_place(tree: ast.Module) -> tuple[int, bool]:
    """The number of lines before the place for imports, and whether `import` statements stand there already.

    Imports follow the docstring, `from __future__ import …` and `import …`, and precede the first other `from … import …`.
    """
    at, has_others = 0, False
    for node in tree.body:
        is_import = isinstance(node, (ast.Import, ast.ImportFrom))
        if not is_import and not is_text(node):
            break
        if isinstance(node, ast.Import) or not is_import or node.module == "__future__":
            at, has_others = node.end_lineno or at, isinstance(node, ast.Import)
        elif not has_others:
            at, has_others = node.lineno - 1, True
    return at, has_others


def _remove_requirements(text: str, modules: frozenset[str]) -> str:
    """The text without the framework's packages in its block of metadata."""
    packages = {_normalise(name) for module in modules for name in (module, package_of(module)) if name}
    block = _BLOCK.search(text)
    if block is None:
        return text
    kept = []
    for line in block[1].splitlines(keepends=True):
        shorter = _REQUIREMENT.sub(lambda found: "" if _normalise(found[2]) in packages else found[0], line)
        if shorter == line or shorter.strip("# \t\r\n"):
            kept.append(shorter)
    content = "".join(kept)
    if content == block[1]:
        return text
    is_empty = re.sub(r"[#\s]", "", content) == "dependencies=[]"
    whole = "" if is_empty else block[0].replace(block[1], content)
    return text[: block.start()] + whole + text[block.end() :]


def _remove_unused(before: str, after: str) -> str:
    """The text without the first import or model that was used before, and is not mentioned any more; the same text if
    there is none."""
    plain = without_byte_order_mark(after)
    lines = split_lines(plain)
    for node in ast.parse(plain).body:
        first, last = first_line(node) - 1, last_line(node)
        others = "".join([*lines[:first], *lines[last:]])
        unused = [name for name in _list_removable(node) if not _mentions(others, name) and _mentions(before, name, 2)]
        if not unused:
            continue
        kept = [alias for alias in getattr(node, "names", ()) if (alias.asname or alias.name) not in unused]
        if not kept:
            last = _find_end_of_gap(lines, first, last)
            rest = []
        elif last - first == 1 and isinstance(node, ast.ImportFrom):
            end = lines[first][len(lines[first].rstrip("\r\n")) :]
            rest = [ast.unparse(ast.ImportFrom(node.module, kept, node.level)) + end]
        else:
            continue
        return after[: len(after) - len(plain)] + "".join([*lines[:first], *rest, *lines[last:]])
    return after


def _list_removable(node: ast.stmt) -> list[str]:
    """The names that an import binds, or the name of a model."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return imported_names(node) if getattr(node, "module", "") != "__future__" else []
    if isinstance(node, ast.ClassDef) and any(ast.unparse(base).rpartition(".")[2] in _MODELS for base in node.bases):
        return [node.name]
    return []


def _mentions(text: str, name: str, times: int = 1) -> bool:
    """Whether a text contains a word at least this many times."""
    found = re.finditer(rf"\b{re.escape(name)}\b", text)
    return sum(1 for _, _ in zip(range(times), found)) == times


def _find_end_of_gap(lines: list[str], first: int, last: int) -> int:
    """The end of what is removed, so that at most two blank lines stay, and none at the start."""
    blank = 0
    while blank < first and not lines[first - blank - 1].strip():
        blank += 1
    after = 0
    while last + after < len(lines) and not lines[last + after].strip():
        after += 1
    return last + (after if blank == first else min(after, max(0, blank + after - 2)))


def _normalise(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
