"""Writes zip files as other programs write them into the folder that is given. Every one is expected to open: the tool
`weather:hello`, or that of `JAPANESE` and `GERMAN`, runs and returns the text of its data file."""

import io
import pathlib
import struct
import sys
import zipfile
import zlib

out = pathlib.Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)


def tool(module: str, data: str) -> str:
    return (
        f'def hello() -> dict:\n    return {{"rates": open("{data}", encoding="utf-8").read()}}\n\n'
        f'TOOL_SPECS = [{{"name": "{module}:hello", "description": "d", '
        '"parameters": {"type": "object", "properties": {}}, "handler": hello}]\n'
    )


WEATHER = tool("weather", "data/rates.txt")
JAPANESE = tool("天気", "資料/表.txt")
GERMAN = tool("größe", "straße.txt")
RATES = "1.5"


def write(name: str, entries: list[tuple[str, str | bytes]], system: int = 3) -> None:
    with zipfile.ZipFile(out / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in entries:
            entry = zipfile.ZipInfo("x")
            entry.filename = path
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = system
            archive.writestr(entry, data)


write("plain.zip", [("tools/weather.py", WEATHER), ("tools/data/rates.txt", RATES)])
write("backslash.zip", [("tools\\weather.py", WEATHER), ("tools\\data\\rates.txt", RATES)], system=0)
write("dotslash.zip", [("./", ""), ("./weather.py", WEATHER), ("./data/", ""), ("./data/rates.txt", RATES)])
write("absolute.zip", [("/tools/weather.py", WEATHER), ("/tools/data/rates.txt", RATES)])
write("doubleslash.zip", [("tools//weather.py", WEATHER), ("tools//data/rates.txt", RATES)])
write("inside.zip", [("tools/x/../weather.py", WEATHER), ("tools/./data/rates.txt", RATES)])
write("macos.zip", [
    ("tools/", ""), ("tools/weather.py", WEATHER), ("__MACOSX/", ""), ("__MACOSX/tools/", ""),
    ("__MACOSX/tools/._weather.py", b"\0\5\x16\7"), ("tools/.DS_Store", b"x"), ("__MACOSX/._tools", b"\0"),
    ("tools/data/rates.txt", RATES),
])
# A folder that was zipped again on another system, and folders that are not marked as such.
write("macos_again.zip", [
    ("tools/._weather.py", b"\0\5\x16\7"), ("tools/weather.py", WEATHER), ("tools/Icon\r", ""),
    ("tools/data/._rates.txt", b"\0\5\x16\7"), ("tools/data/rates.txt", RATES),
])
write("unmarked.zip", [
    ("tools", ""), ("tools/weather.py", WEATHER), ("tools/data", ""), ("tools/data/rates.txt", RATES),
])
write("duplicate.zip", [("weather.py", "syntax error here("), ("data/rates.txt", RATES), ("weather.py", WEATHER)])
# The tools are in a subfolder, which the user opens.
write("twotop.zip", [("README.md", "hi"), ("tools/weather.py", WEATHER), ("tools/data/rates.txt", RATES)])
write("deeptop.zip", [
    ("repo-main/README.md", "x"), ("repo-main/tools/weather.py", WEATHER),
    ("repo-main/tools/data/rates.txt", RATES),
])

with zipfile.ZipFile(out / "zip64small.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for path, data in (("weather.py", WEATHER), ("data/rates.txt", RATES)):
        with archive.open(zipfile.ZipInfo(path), "w", force_zip64=True) as entry:
            entry.write(data.encode())


class Stream(io.RawIOBase):
    """A file that cannot seek, so that sizes follow the data."""

    def __init__(self) -> None:
        self.data = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:
        self.data += data
        return len(data)


stream = Stream()
with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("weather.py", WEATHER)
    archive.writestr("data/rates.txt", RATES)
(out / "streamed.zip").write_bytes(bytes(stream.data))


def unicode_path(stored: bytes, path: str) -> bytes:
    name = path.encode()
    return struct.pack("<HHBI", 0x7075, 5 + len(name), 1, zlib.crc32(stored)) + name


def write_raw(name: str, page: str, entries: list[tuple[str, str]], extra: bool = False) -> None:
    """Stores the names in a code page, without saying so."""
    files, table = io.BytesIO(), io.BytesIO()
    for path, text in entries:
        stored = path.encode(page, "replace")
        data = text.encode()
        field = unicode_path(stored, path) if extra else b""
        offset = files.tell()
        sizes = struct.pack("<IIIHH", zlib.crc32(data), len(data), len(data), len(stored), len(field))
        files.write(struct.pack("<IHHHHH", 0x04034B50, 20, 0, 0, 0, 0x5CE0) + sizes + stored + field + data)
        table.write(struct.pack("<IHHHHHH", 0x02014B50, 20, 20, 0, 0, 0, 0x5CE0) + sizes)
        table.write(struct.pack("<HHHII", 0, 0, 0, 0, offset) + stored + field)
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, len(entries), len(entries), table.tell(), files.tell(), 0)
    (out / name).write_bytes(files.getvalue() + table.getvalue() + end)


write_raw("shiftjis.zip", "cp932", [("天気.py", JAPANESE), ("資料/表.txt", RATES)])
write_raw("cp1252.zip", "cp1252", [("größe.py", GERMAN), ("straße.txt", RATES)])
write_raw("cp437.zip", "cp437", [("größe.py", GERMAN), ("straße.txt", RATES)])
write_raw("unicodepath.zip", "ascii", [("天気.py", JAPANESE), ("資料/表.txt", RATES)], extra=True)

plain = (out / "plain.zip").read_bytes()
(out / "trailing.zip").write_bytes(plain + b"\n" * 100_000)
(out / "prefixed.zip").write_bytes(b"MZ stub" * 100 + plain)
