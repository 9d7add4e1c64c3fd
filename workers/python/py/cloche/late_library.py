"""Lets Python run before the archive of its standard library is complete: an import of a missing file waits."""

from __future__ import annotations

import zipimport
from collections.abc import Awaitable, Callable
from typing import Any

from . import browser

_read = zipimport._get_data


def expect(archive: str, arrival: Callable[[], Awaitable[None]]) -> None:
    """Makes reads of missing files wait. The archive has its directory, and zeros in place of these files; `arrival()`
    waits until they are there."""

    def read(path: str, entry: tuple[Any, ...]) -> bytes:
        try:
            return _read(path, entry)
        except zipimport.ZipImportError:
            if path != archive:
                raise
        if not browser.can_wait():
            raise ImportError("the standard library is still being downloaded, and this code cannot wait for it")
        browser.wait(arrival())
        return _read(path, entry)

    zipimport._get_data = read


def arrived() -> None:
    """Reads without waiting again: the archive is complete."""
    zipimport._get_data = _read
