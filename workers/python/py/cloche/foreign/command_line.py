"""Lets files that read the command line be imported, although a browser has none. Used while a file is imported."""

from __future__ import annotations

import sys
from typing import Any

from .loaded_file import Note
from .unavailable import Unavailable

HINT = "Give it a default, or read it from an environment variable, such as os.environ['NAME'], which you can set under Settings of files."
_WHY = "which is missing: a browser has no command line. Give it a default, or read it from an environment variable"


class NoArgument(IndexError):
    """Raised if a file reads a missing argument of the command line by its index. Files see it as an IndexError."""


NoArgument.__name__ = "IndexError"


class CommandLine:
    """While a file is imported, `sys.argv` has only its path, and arguments that a parser of argparse requires have
    values that raise an error on use."""

    def __init__(self, path: str, *, has_parser: bool) -> None:
        self._path, self._has_parser = path, has_parser
        self._asked: dict[str, int] = {}  # the arguments that a parser requires, with the lines that parse them

    def __enter__(self) -> None:
        self._argv, sys.argv = sys.argv, _Arguments([self._path])
        if self._has_parser:
            from argparse import ArgumentParser

            self._parser: Any = ArgumentParser
            self._methods = ArgumentParser.parse_known_args, ArgumentParser.exit
            ArgumentParser.parse_known_args, ArgumentParser.exit = self._wrap(self._methods[0]), _raise_exit  # type: ignore[method-assign]

    def __exit__(self, *ended: object) -> None:
        # A tool that reads sys.argv when it is called also gets the error that says what is missing.
        sys.argv = _Arguments(self._argv)
        if self._has_parser:
            self._parser.parse_known_args, self._parser.exit = self._methods

    def _wrap(self, parse: Any) -> Any:
        """The method of ArgumentParser, with values for the arguments that a parser requires."""

        def parse_known_args(parser: Any, args: Any = None, namespace: Any = None) -> Any:
            # Arguments that the file itself passes are parsed as usual.
            if not args:
                for action in parser._actions:
                    if action.required:
                        name = action.option_strings[0] if action.option_strings else action.dest
                        action.required, action.default = False, Unavailable(f"the command line argument {name}", _WHY)
                        self._asked.setdefault(name, _find_line(self._path))
                for group in parser._mutually_exclusive_groups:
                    group.required = False
            return parse(parser, args, namespace)

        return parse_known_args

    def list_notes(self) -> list[Note]:
        """Notes about the required arguments that the file asked for."""
        message = "the file needs the command line argument {}: a browser has no command line"
        return [Note("needs-argument", line, message.format(name), "a file without a command line", HINT) for name, line in self._asked.items()]


class _Arguments(list[str]):
    """`sys.argv`, with an error that says why an argument is missing."""

    def __getitem__(self, key: Any) -> Any:
        try:
            return super().__getitem__(key)
        except IndexError:
            raise NoArgument(f"there is no sys.argv[{key}]: a browser has no command line") from None


def _raise_exit(parser: Any, status: Any = 0, message: Any = None) -> None:
    raise SystemExit(str(message).strip() if message else status)


def _find_line(path: str) -> int:
    """The line of the file that is running."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename != path:
        frame = frame.f_back  # type: ignore[assignment]
    return frame.f_lineno if frame is not None else 1
