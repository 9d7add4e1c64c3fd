"""Finds the wheels that the tool files of a folder need, from what is known about the available packages."""

from __future__ import annotations

from .resolving import resolve

__all__ = ["resolve"]
