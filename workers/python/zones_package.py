"""The time-zone database, with the layout of the package `tzdata`. It is unpacked when it is first used.

The build adds this to the standard library as the package itself (see pack_stdlib.py).
"""

from pathlib import Path

_zones = Path(__spec__.loader.archive).with_name("zones.zip")
_zones.write_bytes(__spec__.loader.get_data(f"{__path__[0]}/zones.zip"))
__path__ = [f"{_zones}/tzdata"]
