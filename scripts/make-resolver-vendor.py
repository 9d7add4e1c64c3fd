"""Creates workers/python/resolver/vendor.zip: resolvelib and packaging, which resolve tools' packages.

They come from Debian's packages python3-resolvelib and python3-packaging, installed or unpacked elsewhere:

    apt-get download python3-resolvelib python3-packaging
    for package in *.deb; do dpkg-deb -x "$package" unpacked; done
    python3 scripts/make-resolver-vendor.py unpacked

They are inside a package of Cloche's, so that a tool that declares packaging gets its own version.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

PROJECT = Path(__file__).parent.parent
TARGET = PROJECT / "workers" / "python" / "resolver" / "vendor.zip"
PACKAGES = "usr/lib/python3/dist-packages"
WANTED = {"resolvelib": "0.9.0", "packaging": "23.0"}
LICENCES = {"resolvelib": "resolvelib.txt", "packaging": "Apache-2.0.txt"}
STAMP = (2026, 1, 1, 0, 0, 0)


def modules(folder: Path, name: str) -> dict[str, bytes]:
    """Every module of one package by its path in the archive."""
    if not (folder / f"{name}-{WANTED[name]}.dist-info").is_dir():
        sys.exit(f"There is no {name} {WANTED[name]} in {folder}: unpack Debian's package python3-{name}.")
    paths = sorted((folder / name).rglob("*.py"))
    return {f"cloche_vendor/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in paths}


def main() -> None:
    folder = Path(*sys.argv[1:2] or ["/"]) / PACKAGES
    files = {"cloche_vendor/__init__.py": b""}
    for name, licence in LICENCES.items():
        files |= modules(folder, name)
        files[f"cloche_vendor/{name}/LICENSE"] = (PROJECT / "docs" / "licences" / licence).read_bytes()
    with zipfile.ZipFile(TARGET, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(path, STAMP), content, zipfile.ZIP_DEFLATED, 9)
    print(f"{TARGET.name}: {len(files)} files, {TARGET.stat().st_size} bytes")


main()
