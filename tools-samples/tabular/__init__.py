"""A helper package: files in subfolders are imported, but never scanned for tools. Tables are lists of dicts."""

from .reading import read_csv
from .writing import to_csv, to_markdown

__all__ = ["read_csv", "to_csv", "to_markdown"]
