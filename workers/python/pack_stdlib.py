"""Adds byte code and time zones to Python's standard library. The build runs this in Pyodide, whose byte code the archive
then contains."""

from __future__ import annotations

import importlib.util
import io
import marshal
import sys
import zipfile

STAMP = (2026, 1, 1, 0, 0, 0)

# Small modules that many tools import, or that Python imports inside functions.
OFTEN_IMPORTED = (
    "_strptime", "calendar", "copy", "csv", "datetime", "decimal", "hashlib", "hmac", "html", "secrets", "string",
    "urllib.parse", "encodings.ascii", "encodings.latin_1", "encodings.utf_8_sig",
)

# A pyc file with a hash of its source that is not compared when it is loaded: PEP 552.
UNCHECKED_HASH = (1).to_bytes(4, "little")


def pack(
    archive_path: str,
    loader_path: str,
    zones_path: str,
    zones_package: str,
    zones_folder: str,
    late_path: str,
    late_folder: str,
) -> tuple[bytes, int, int, int]:
    """The archive at `archive_path` with all its files, byte code for the modules that Python and the loader import when
    they start and that tools often import, and, below `zones_folder`, the package `tzdata`: the text `zones_package`,
    which unpacks the zones of the archive `zones_path`. The modules of the archive `late_path` are below `late_folder`.

    Python prefers `x.pyc` to `x.py` in an archive. Tracebacks and `inspect` still read the source, because the byte code
    names it. The byte code comes first, then its sources, then everything else. Also returns three offsets: the end of
    the byte code, the end of its sources, and the start of the archive's directory.
    """
    modules = _imported_at_start(archive_path, loader_path)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        with zipfile.ZipFile(archive_path) as source:
            files = {name: source.read(name) for name in sorted(source.namelist())}
        compiled = {name: files.pop(name) for name in list(files) if name.endswith(".py") and _module(name) in modules}
        for name, content in compiled.items():
            _write(target, f"{name}c", _byte_code(f"{archive_path}/{name}", content))
        code_ends = packed.tell()
        for name, content in compiled.items():
            _write(target, name, content)
        sources_end = packed.tell()
        for name, content in files.items():
            _write(target, name, content)
        with zipfile.ZipFile(zones_path) as source:
            zones = {name: source.read(name) for name in source.namelist()}
        _write(target, f"{zones_folder}/tzdata/__init__.py", zones_package.encode())
        _write(target, f"{zones_folder}/tzdata/zones", zones.pop("tzdata/zones"))
        _write(target, f"{zones_folder}/tzdata/zones.zip", _uncompressed(zones))
        with zipfile.ZipFile(late_path) as source:
            for name in source.namelist():
                _write(target, f"{late_folder}/{name}", source.read(name))
        directory_begins = packed.tell()
    return packed.getvalue(), code_ends, sources_end, directory_begins


def _imported_at_start(archive_path: str, loader_path: str) -> set[str]:
    """Names of the archive's modules that this Python has imported by now, of those that the loader imports, and of those
    that tools often import."""
    sys.path.insert(0, loader_path)
    for name in ("cloche.main", *OFTEN_IMPORTED):
        importlib.import_module(name)
    return {
        name
        for name, module in sys.modules.items()
        if getattr(getattr(module, "__loader__", None), "archive", None) == archive_path
    }


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _byte_code(path: str, source: bytes) -> bytes:
    code = compile(source, path, "exec", dont_inherit=True)
    header = importlib.util.MAGIC_NUMBER + UNCHECKED_HASH + importlib.util.source_hash(source)
    return header + marshal.dumps(code)


def _uncompressed(files: dict[str, bytes]) -> bytes:
    """An uncompressed archive of small files, which takes least when it is compressed as a whole (two fifths).
    Similar zones are beside each other, since they end with the same rule.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        for name in sorted(files, key=lambda name: files[name][::-1]):
            target.writestr(zipfile.ZipInfo(name, STAMP), files[name])
    return packed.getvalue()


def _write(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name, STAMP)
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, content, compresslevel=9)
