"""Reads requirements.txt in pip's format, as far as it is supported."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .limits import PROBLEMS_OF_FILE, REQUIREMENTS_OF_FILE
from .problems import Problem, Refusal
from .requirement import Asked, read_requirement
from .wording import shown

_COMMENT = re.compile(r"(?:^|(?<=\s))#")
_HASH = re.compile(r"^--hash[=\s]+(?:sha256:(?P<digest>[0-9a-fA-F]{64})|(?P<other>sha\d+|md5):[0-9a-fA-F]+)$")
_HINTS = {
    "-r": "Put the lines of that file into requirements.txt.",
    "-c": "Put those versions into the requirements themselves.",
    "-e": "Put the package's own folder or file beside your tools, where it can be imported, or its wheel into wheels/.",
    "-i": "Choose the package index on the Policy page.",
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
    """The requirements of requirements.txt, and a problem for each invalid line.

    Args:
        file: The file's name.
        text: The whole file.
    """
    asked: list[Asked] = []
    problems: list[Problem] = []
    for line, written in _join_lines(text):
        if len(problems) >= PROBLEMS_OF_FILE:
            break
        if written.startswith("-"):
            problems.append(_warn_of_option(file, line, written))
            continue
        try:
            one = _read_line(file, line, written)
            _check_hashes(one, asked)
            if len(asked) >= REQUIREMENTS_OF_FILE:
                raise _refuse_more()
        except Refusal as refusal:
            problems.append(refusal.problem(file, line))
            if refusal.code == "package-limit":
                break
        else:
            asked.append(one)
    return asked, problems


def _join_lines(text: str) -> Iterator[tuple[int, str]]:
    """Each line with its number; continued lines are joined, and a comment ends a continuation, as in pip."""
    parts: list[str] = []
    first = 1
    for number, line in enumerate([*text.removeprefix("\ufeff").splitlines(), ""], start=1):
        if not parts:
            first = number
        bare = _remove_comment(line)
        if bare == line and line.endswith("\\"):
            parts.append(line[:-1])
            continue
        joined = "".join([*parts, bare]).strip()
        parts = []
        if joined:
            yield first, joined


def _remove_comment(line: str) -> str:
    comment = _COMMENT.search(line)
    return line if comment is None else line[: comment.start()]


def _read_line(file: str, line: int, written: str) -> Asked:
    text, *options = (part.strip() for part in re.split(r"\s(?=-)", written))
    hashes = set()
    for option in options:
        found = _HASH.match(option)
        if found is None:
            name = re.split(r"[=\s]", option, maxsplit=1)[0]
            fault = "gives no SHA-256" if name == "--hash" else "is not supported"
            hint = "Remove the option; only --hash=sha256:… is supported."
            raise Refusal("bad-requirement", f"the option {shown(name)} {fault}", "a requirement", hint)
        if found["digest"]:
            hashes.add(found["digest"].lower())
    if options and not hashes:
        message = "the line has no SHA-256 hash, and other hashes are not checked"
        raise Refusal("bad-requirement", message, "--hash=sha256:…", "Add the wheel's SHA-256.")
    return Asked(file, line, text, read_requirement(text), frozenset(hashes))


def _check_hashes(one: Asked, others: list[Asked]) -> None:
    left = one.hashes
    for other in others:
        if other.name != one.name or not left or not other.hashes:
            continue
        # A wheel must match the hashes of every line: each pair of lines may share some, but all lines none.
        left &= other.hashes
        if not left:
            message = f"line {other.line} has other hashes for {other.requirement.name}"
            raise Refusal("bad-requirement", message, "one list of hashes", "Keep one of the two lines.")


def _warn_of_option(file: str, line: int, written: str) -> Problem:
    option = re.match(r"-[a-zA-Z]|--[a-z-]*|-", written)
    name = option[0] if option else "-"
    hint = _HINTS.get(_LONG.get(name, name), "Remove the line: it has no effect here.")
    message = f"the option {name} is not supported"
    return Problem("warning", "option-ignored", file, line, message, "requirements, one per line", hint)


def _refuse_more() -> Refusal:
    message = f"the file has more than {REQUIREMENTS_OF_FILE} requirements; the rest is not read"
    hint = "List only what your tools import: dependencies are installed automatically."
    return Refusal("package-limit", message, f"at most {REQUIREMENTS_OF_FILE} requirements", hint)
