"""The time-zone database: the build stores this file as `tzdata/__init__.py` in the zip of the standard library (see
pack_stdlib.py). The zones are a zip in that zip, which is written to a file when they are first used.
"""

from pathlib import Path

_zones = Path(__spec__.loader.archive).with_name("zones.zip")
_zones.write_bytes(__spec__.loader.get_data(f"{__path__[0]}/zones.zip"))
__path__ = [f"{_zones}/tzdata"]
