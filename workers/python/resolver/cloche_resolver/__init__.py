"""Works out which wheels the tool files of a folder need, from what is known of the packages that there are."""

from __future__ import annotations

from .resolving import resolve

__all__ = ["resolve"]
