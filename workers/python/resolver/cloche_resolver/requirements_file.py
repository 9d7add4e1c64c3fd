"""Reads requirements.txt, in the form that pip takes, so far as it can be honoured here."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .limits import PROBLEMS_OF_FILE, REQUIREMENTS_OF_FILE
from .problems import Problem, Refusal
from .requirement import Asked, read_requirement
from .wording import shown

_COMMENT = re.compile(r"(^|\s+)#.*$")
_HASH = re.compile(r"^--hash[=\s](?P<kind>[a-z0-9]+):(?P<digest>[0-9a-fA-F]+)$")
_HINTS = {
    "-r": "Put the lines of that file into requirements.txt.",
    "-c": "Put those versions into the requirements themselves.",
    "-e": "Put the package's own folder or file beside your tools, where it can be imported, or its wheel into wheels/.",
    "-i": "The index that is asked is chosen on the page Policy.",
}
_LONG = {
    "--requirement": "-r",
    "--constraint": "-c",
    "--editable": "-e",
    "--index-url": "-i",
    "--extra-index-url": "-i",
    "--find-links": "-i",
    "--no-index": "-i",
    "-f": "-i",
}


def read_requirements_file(file: str, text: str) -> tuple[list[Asked], list[Problem]]:
    """The requirements of requirements.txt, and a problem for each line that is none.

    Args:
        file: The file's name.
        text: The whole file.
    """
    asked: list[Asked] = []
    problems: list[Problem] = []
    for line, written in _lines(text):
        if len(problems) >= PROBLEMS_OF_FILE:
            break
        if written.startswith("-"):
            problems.append(_ignored(file, line, written))
            continue
        try:
            one = _read(file, line, written)
            _agree(one, asked)
            if len(asked) >= REQUIREMENTS_OF_FILE:
                raise _too_many()
        except Refusal as refusal:
            problems.append(refusal.problem(file, line))
            if refusal.code == "package-limit":
                break
        else:
            asked.append(one)
    return asked, problems


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Each line with its number; continued lines are one, as in pip."""
    parts: list[str] = []
    first = 1
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        if not parts:
            first = number
        # A comment ends what is continued.
        if line.endswith("\\") and not _COMMENT.match(line):
            parts.append(line[:-1])
            continue
        parts.append(f" {line}" if parts and _COMMENT.match(line) else line)
        joined = _COMMENT.sub("", "".join(parts)).strip()
        parts = []
        if joined:
            yield first, joined
    rest = _COMMENT.sub("", "".join(parts)).strip()
    if rest:
        yield first, rest


def _read(file: str, line: int, written: str) -> Asked:
    words = re.split(r"\s+(?=-)", written)
    options = words[1:]
    hashes = set()
    for option in options:
        found = _HASH.match(option)
        if found is None:
            name = re.split(r"[=\s]", option, maxsplit=1)[0]
            hint = "Leave the option out; only --hash=sha256:… is honoured."
            raise Refusal("bad-requirement", f"the option {shown(name)} is not honoured", "a requirement", hint)
        if found["kind"] == "sha256":
            hashes.add(found["digest"].lower())
    if options and not hashes:
        message = "the line has no SHA-256 hash, and other hashes are not compared"
        raise Refusal("bad-requirement", message, "--hash=sha256:…", "Add the wheel's SHA-256.")
    return Asked(file, line, words[0], read_requirement(words[0]), frozenset(hashes))


def _agree(one: Asked, others: list[Asked]) -> None:
    for other in others:
        if other.name == one.name and one.hashes and other.hashes and not one.hashes & other.hashes:
            message = f"line {other.line} gives other hashes for {other.requirement.name}"
            raise Refusal("bad-requirement", message, "one list of hashes", "Keep one of the two lines.")


def _ignored(file: str, line: int, written: str) -> Problem:
    option = re.match(r"-[a-zA-Z]|--[a-z-]*|-", written)
    name = option[0] if option else "-"
    hint = _HINTS.get(_LONG.get(name, name), "Take the line out: it makes no difference here.")
    message = f"the option {name} is not honoured"
    return Problem("warning", "option-ignored", file, line, message, "requirements, one a line", hint)


def _too_many() -> Refusal:
    message = f"the file has more than {REQUIREMENTS_OF_FILE} requirements; the rest is not read"
    hint = "List only what your tools import: what those packages need comes by itself."
    return Refusal("package-limit", message, f"at most {REQUIREMENTS_OF_FILE} requirements", hint)
