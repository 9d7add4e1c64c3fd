"""Removes what an exported file no longer needs: unused imports and models, and declared packages of its framework."""

from __future__ import annotations

import ast
import re

from .package_names import package_of
from .spec_text import lines_of

_BLOCK = re.compile(r"^# /// script\r?\n((?:#(?:| [^\r\n]*)\r?\n)+?)# ///\r?\n(?:\r?\n)?", re.MULTILINE)
_REQUIREMENT = re.compile(r"""(["'])([A-Za-z0-9._-]+)[^"']*\1\s*,?\s*""")


def tidied(before: str, after: str, modules: frozenset[str]) -> str:
    """The exported text without what only the framework needed. `before`: the text of the author."""
    found = _without_requirements(after, modules)
    while True:
        made = _without_unused(before, found)
        if made == found:
            return made
        found = made


def with_imports(text: str, names: list[str]) -> str:
    """The text with imports of these modules behind its first `import` statements, or before its first statement."""
    if not names:
        return text
    plain = text.removeprefix("\ufeff")
    lines = lines_of(plain)
    # The line before which the imports are put, and whether `import` statements stand there already.
    at, has_others = 0, False
    for one in ast.parse(plain).body:
        is_import = isinstance(one, (ast.Import, ast.ImportFrom))
        if not is_import and not _is_docstring(one):
            break
        # The imports follow a docstring, `from __future__ import …` or `import …`, and precede the first other `from … import …`.
        if isinstance(one, ast.Import) or not is_import or one.module == "__future__":
            at, has_others = one.end_lineno or at, isinstance(one, ast.Import)
        elif not has_others:
            at, has_others = one.lineno - 1, True
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    added = [f"import {one}{end}" for one in names]
    if not has_others:
        added = [end, *added] if at else [*added, end, end]
    return text[: len(text) - len(plain)] + "".join([*lines[:at], *added, *lines[at:]])


def _without_requirements(text: str, modules: frozenset[str]) -> str:
    """The text without the framework's packages in its block of metadata."""
    packages = {_normal(name) for one in modules for name in (one, package_of(one)) if name}
    block = _BLOCK.search(text)
    if block is None:
        return text
    kept = []
    for line in block[1].splitlines(keepends=True):
        made = _REQUIREMENT.sub(lambda one: "" if _normal(one[2]) in packages else one[0], line)
        if made == line or made.strip("# \t\r\n"):
            kept.append(made)
    content = "".join(kept)
    if content == block[1]:
        return text
    is_empty = re.sub(r"[#\s]", "", content) == "dependencies=[]"
    whole = "" if is_empty else block[0].replace(block[1], content)
    return text[: block.start()] + whole + text[block.end() :]


def _without_unused(before: str, after: str) -> str:
    """The text without imports and models that were used before, and are not mentioned any more."""
    plain = after.removeprefix("\ufeff")
    lines = lines_of(plain)
    for node in ast.parse(plain).body:
        first, last = _lines_of(node)
        others = "".join([*lines[:first], *lines[last:]])
        unused = [name for name in _bound(node) if not _mentions(others, name) and _mentions(before, name, 2)]
        if not unused:
            continue
        kept = [one for one in getattr(node, "names", ()) if (one.asname or one.name) not in unused]
        if not kept:
            last = _behind_gap(lines, first, last)
            rest = []
        elif last - first == 1 and isinstance(node, ast.ImportFrom):
            end = lines[first][len(lines[first].rstrip("\r\n")) :]
            rest = [ast.unparse(ast.ImportFrom(node.module, kept, node.level)) + end]
        else:
            continue
        return after[: len(after) - len(plain)] + "".join([*lines[:first], *rest, *lines[last:]])
    return after


def _behind_gap(lines: list[str], first: int, last: int) -> int:
    """The end of what is removed, so that at most two blank lines stay, and none at the start."""
    blank = 0
    while blank < first and not lines[first - blank - 1].strip():
        blank += 1
    after = 0
    while last + after < len(lines) and not lines[last + after].strip():
        after += 1
    return last + (after if blank == first else min(after, max(0, blank + after - 2)))


def imports_of(node: ast.stmt) -> list[str]:
    """The names that an import binds."""
    if isinstance(node, (ast.Import, ast.ImportFrom)) and getattr(node, "module", "") != "__future__":
        return [one.asname or one.name.partition(".")[0] for one in node.names]
    return []


def _bound(node: ast.stmt) -> list[str]:
    """The names that an import binds, or the name of a model."""
    if found := imports_of(node):
        return found
    if isinstance(node, ast.ClassDef) and any(ast.unparse(one).rpartition(".")[2] in ("BaseModel", "BaseSettings") for one in node.bases):
        return [node.name]
    return []


def _lines_of(node: ast.stmt) -> tuple[int, int]:
    decorators = getattr(node, "decorator_list", ())
    return (decorators[0].lineno if decorators else node.lineno) - 1, node.end_lineno or node.lineno


def _mentions(text: str, name: str, times: int = 1) -> bool:
    found = re.finditer(rf"\b{re.escape(name)}\b", text)
    return sum(1 for _, _ in zip(range(times), found)) == times


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
