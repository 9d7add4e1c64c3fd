"""Bytes, pictures and objects that show themselves become parts of a result with their media type."""

import base64
import json

from .host import HostCase


BYTES = {
    "image/png": b"\x89PNG\r\n\x1a\n rest",
    "image/jpeg": b"\xff\xd8\xff\xe0 rest",
    "image/gif": b"GIF89a rest",
    "image/webp": b"RIFF\x00\x00\x00\x00WEBPVP8 ",
    "audio/wav": b"RIFF\x00\x00\x00\x00WAVEfmt ",
    "audio/ogg": b"OggS\x00",
    "audio/flac": b"fLaC",
    "audio/mpeg": b"ID3\x04",
    "application/pdf": b"%PDF-1.7",
    "application/zip": b"PK\x03\x04rest",
    "application/octet-stream": b"\x00\x01",
}


class BytesTest(HostCase):
    def test_bytes_are_images_or_binary_by_their_first_bytes(self):
        host = self.open_tools("def f(data, kind): return eval(kind)(bytes(data))", "f")
        for media, data in BYTES.items():
            for kind in ("bytes", "bytearray", "memoryview"):
                with self.subTest(media=media, kind=kind):
                    (part,) = host.call("t:f", {"data": list(data), "kind": kind})["content"]
                    expected = {
                        "type": "image" if media.startswith("image/") else "binary",
                        "mediaType": media,
                        "data": base64.b64encode(data).decode(),
                    }
                    self.assertEqual(part, expected)

    def test_empty_bytes_are_binary(self):
        host = self.open_tools("def f(): return b''", "f")
        self.assertEqual(
            host.call("t:f")["content"],
            [{"type": "binary", "mediaType": "application/octet-stream", "data": ""}],
        )


PICTURES = """
PNG = b"\\x89PNG\\r\\n\\x1a\\n"
class Png:
    def _repr_png_(self): return PNG
class Jpeg:
    def _repr_png_(self): return None
    def _repr_jpeg_(self): return b"\\xff\\xd8\\xff"
class Svg:
    def _repr_svg_(self): return "<svg/>"
class WithMetadata:
    def _repr_png_(self): return PNG, {"width": 1}
class Base64:
    def _repr_png_(self): return "iVBORw0KGgo="
class Figure:
    def savefig(self, file, format): file.write(PNG + format.encode())
class PilImage:
    format = "WEBP"
    def save(self, file, format): file.write(format.encode())
class PilNew(PilImage):
    format = None
# Cloche recognizes figures and pictures by the module and the name of their class.
Figure.__module__, Figure.__name__ = "matplotlib.figure", "Figure"
PilImage.__module__, PilImage.__name__ = "PIL.Image", "Image"
class Saves:
    format = "PNG"
    def save(self, file, format): raise AssertionError("nobody asked for it")
class Broken:
    def _repr_png_(self): raise RuntimeError("no canvas")
class NotPicture:
    def _repr_png_(self): return 3
class Anything:
    def __getattr__(self, name): return lambda *rest, **more: b"x"
def f(kind): return globals()[kind]()
def type_itself(): return Png
"""


class PicturesTest(HostCase):
    def setUp(self):
        self.host = self.open_tools(PICTURES, "f", "type_itself")

    def test_objects_that_show_themselves_are_images(self):
        for kind, media, data in (
            ("Png", "image/png", BYTES["image/png"][:8]),
            ("Jpeg", "image/jpeg", b"\xff\xd8\xff"),
            ("Svg", "image/svg+xml", b"<svg/>"),
            ("WithMetadata", "image/png", BYTES["image/png"][:8]),
            ("Base64", "image/png", BYTES["image/png"][:8]),
            ("Figure", "image/png", BYTES["image/png"][:8] + b"png"),
            ("PilImage", "image/webp", b"WEBP"),
            ("PilNew", "image/png", b"PNG"),
        ):
            with self.subTest(kind=kind):
                (part,) = self.host.call("t:f", {"kind": kind})["content"]
                self.assertEqual(
                    part, {"type": "image", "mediaType": media, "data": base64.b64encode(data).decode()}
                )

    def test_what_cannot_be_shown_is_a_failure(self):
        for kind, error in (
            ("Broken", "RuntimeError: no canvas"),
            ("Saves", "TypeError: Object of type Saves is not JSON serializable (at $)"),
            ("NotPicture", "TypeError: an image must be bytes or str, not int"),
            ("Anything", "TypeError: Object of type Anything is not JSON serializable (at $)"),
        ):
            self.assertEqual(self.host.call("t:f", {"kind": kind})["error"], error)
        error = self.host.call("t:type_itself")["error"]
        self.assertEqual(error, "TypeError: Object of type type is not JSON serializable (at $)")


DISPLAYED = """
import datetime
class Html:
    def _repr_html_(self): return "<b>bold</b>"
class Markdown:
    def _repr_markdown_(self): return "# Title", {}
    def _repr_html_(self): raise AssertionError("Markdown is shorter")
class NoHtml:
    def _repr_html_(self): return None
    def _repr_json_(self): return {"a": 1.0}
class Bundle:
    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/plain": "x", "text/html": "<i>x</i>", "image/png": b"\\x89PNG\\r\\n\\x1a\\n"}, {}
class OtherBundle:
    def _repr_mimebundle_(self, include=None, exclude=None): return {"application/x-other": "x"}
class Audio:
    data, mimetype = b"OggS", "audio/ogg"
    def _repr_html_(self): return "<audio>"
class NotText:
    def _repr_html_(self): return 3
class NaTType:
    def isoformat(self): return "NaT"
class Scalar:
    def __init__(self, value): self.value = value
    def item(self): return self.value
class RangeIndex: pass
class NamedIndex: pass
class Frame:
    columns = ["a", "b"]
    index = RangeIndex()
    rows = [
        {"a": 1, "b": float("nan")}, {"a": Scalar(2), "b": NaTType()}, {"a": datetime.date(2026, 1, 2), "b": {1, 1}},
        {"a": float("inf"), "b": [1]}, {"a": Scalar(float("nan")), 3: None},
    ]
    def __len__(self): return len(self.rows)
    def _repr_html_(self): raise AssertionError("its rows are better")
    def to_dict(self, orient): return self.rows if orient == "records" else None
class Indexed(Frame):
    index = NamedIndex()
    def reset_index(self):
        frame = Frame()
        frame.rows = [{"index": "x"}]
        return frame
class Polars:
    columns = ["a"]
    def __len__(self): return 1
    def _repr_html_(self): return ""
    def to_dicts(self): return [{"a": 1}]
class Huge(Polars):
    def __len__(self): return 2_000_001
    def to_dicts(self): raise AssertionError("it is too large")
class HasColumns:
    columns = []
    def to_dict(self): return {}
def f(kind): return globals()[kind]()
"""


class DisplayTest(HostCase):
    def setUp(self):
        self.host = self.open_tools(DISPLAYED, "f")

    def shown(self, kind):
        (part,) = self.host.call("t:f", {"kind": kind})["content"]
        return part

    def test_html_and_markdown_are_texts_of_their_type(self):
        for kind, media, text in (
            ("Html", "text/html", "<b>bold</b>"),
            ("Markdown", "text/markdown", "# Title"),
        ):
            self.assertEqual(self.shown(kind), {"type": "text", "text": text, "mediaType": media})

    def test_json_bundles_and_audio(self):
        self.assertEqual(self.shown("NoHtml"), {"type": "json", "text": '{"a": 1.0}'})
        self.assertEqual(self.shown("Bundle")["mediaType"], "image/png")
        self.assertEqual(self.shown("Audio"), {"type": "binary", "mediaType": "audio/ogg", "data": "T2dnUw=="})

    def test_a_data_frame_is_a_list_of_its_rows(self):
        rows = [
            {"a": 1, "b": None},
            {"a": 2, "b": None},
            {"a": "2026-01-02", "b": "{1}"},
            {"a": None, "b": [1]},
            {"a": None, "3": None},
        ]
        self.assertEqual(json.loads(self.shown("Frame")["text"]), rows)
        self.assertEqual(json.loads(self.shown("Indexed")["text"]), [{"index": "x"}])
        self.assertEqual(self.shown("Polars"), {"type": "json", "text": '[{"a": 1}]'})

    def test_what_shows_nothing_or_too_much_is_a_failure(self):
        for kind, error in (
            ("OtherBundle", "TypeError: Object of type OtherBundle is not JSON serializable (at $)"),
            ("NotText", "TypeError: text/html must be str, not int"),
            ("HasColumns", "TypeError: Object of type HasColumns is not JSON serializable (at $)"),
            (
                "Huge",
                "ValueError: the data frame has 2,000,001 cells, more than the limit of 2,000,000; return a part of it",
            ),
        ):
            self.assertEqual(self.host.call("t:f", {"kind": kind})["error"], error)
