"""Creates workers/python/tzdata.zip from this machine's time-zone database (Debian: package tzdata), for `zoneinfo`.

Pyodide has no time zones. The archive has the layout of the `tzdata` package, so `zoneinfo` finds it on sys.path. Run
it when the database changes: python3 scripts/make-time-zones.py
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

SOURCE = Path("/usr/share/zoneinfo")
TARGET = Path(__file__).parent.parent / "workers" / "python" / "tzdata.zip"
LEFT_OUT = {"posix", "right", "localtime", "posixrules", "Factory"}
STAMP = (2026, 1, 1, 0, 0, 0)


def zone_files() -> dict[str, bytes]:
    """Every compiled zone by its key, such as ``Europe/Oslo``."""
    found = {}
    for path in sorted(SOURCE.rglob("*")):
        key = path.relative_to(SOURCE).as_posix()
        if key.split("/")[0] in LEFT_OUT or not path.is_file():
            continue
        content = path.read_bytes()
        if content.startswith(b"TZif"):
            found[key] = content
    return found


def main() -> None:
    zones = zone_files()
    if not zones:
        sys.exit(f"There are no time zones in {SOURCE}: install the package tzdata.")
    packages = {f"tzdata/zoneinfo/{key}".rsplit("/", 1)[0] for key in zones}
    packages |= {"tzdata", "tzdata/zoneinfo"}
    with zipfile.ZipFile(TARGET, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        def write(name: str, content: bytes) -> None:
            archive.writestr(zipfile.ZipInfo(name, STAMP), content, zipfile.ZIP_DEFLATED, 9)

        for package in sorted(packages):
            write(f"{package}/__init__.py", b"")
        write("tzdata/zones", "\n".join(zones).encode() + b"\n")
        for key, content in zones.items():
            write(f"tzdata/zoneinfo/{key}", content)
    print(f"{TARGET.name}: {len(zones)} zones, {TARGET.stat().st_size} bytes")


main()
