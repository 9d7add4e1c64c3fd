"""Printed text goes to the call that prints it, up to a limit."""

import asyncio
import io
import os
import sys
import tempfile
import unittest.mock

from cloche import raw_output
from cloche.raw_output import RawOutput
from cloche.streams import Streams, sink

from .host import Host, HostCase, text_of, tools

CODE = r"""
import asyncio, contextlib, io, logging, os, sys, warnings
log = logging.Logger("tool")
log.addHandler(logging.StreamHandler())
kept = sys.stdout

def prints(text): print(text)
def both():
    print("to out")
    print("to err", file=sys.stderr)
def logs(): log.warning("careful")
def warns(): warnings.warn("old")
def keeps(): kept.write("through a kept stream\n")
def in_bytes(data):
    sys.stdout.buffer.write(bytes(data))
    sys.stdout.buffer.flush()
def reads():
    try: input("name? ")
    except EOFError as error: return [str(error), sys.stdin.read(), sys.stdin.readlines()]
def attributes():
    stream = sys.stdout
    try: stream.fileno()
    except io.UnsupportedOperation: fileno = "unsupported"
    stream.reconfigure(line_buffering=True)
    return [stream.isatty(), stream.encoding, fileno, stream.writable(), stream.readable(), stream.seekable(), stream.name]
def wrong(): sys.stdout.write(b"x")
def wrong_bytes(): sys.stdout.buffer.write("x")
def closes():
    sys.stdout.close()
    sys.stdin.close()
    print("still here")
def lines(n):
    for i in range(n): print("x" * 99)
def one_line(n): print("x" * n)
def redirects():
    with contextlib.redirect_stdout(io.StringIO()) as caught: print("caught")
    return caught.getvalue()
def runs(code): exec(code, globals())
async def redirects_slowly():
    with contextlib.redirect_stdout(io.StringIO()) as caught:
        await asyncio.sleep(0.01)
        print("still caught")
    return caught.getvalue()
def closes_own():
    sys.stdout = io.StringIO()
    sys.stdout.close()
def raises():
    print("before")
    raise ValueError("x")
def writelines(): sys.stdout.writelines(["a\n", "b\n"])
def surrogate(): print("\ud800")
async def slow(name):
    for i in range(3):
        print(name, i)
        await asyncio.sleep(0.002)
async def leaves_task():
    async def later():
        await asyncio.sleep(0.01)
        print("after the end")
    leaves_task.task = asyncio.create_task(later())
def generator():
    print("one")
    yield 1
    print("two")
"""
FUNCTIONS = (
    "prints both logs warns keeps in_bytes reads attributes wrong wrong_bytes closes lines one_line redirects runs redirects_slowly closes_own "
    "raises writelines surrogate slow leaves_task generator"
).split()


PAST = r"""
import asyncio, io, logging, os, sys
early = logging.Logger("early")
early.addHandler(logging.StreamHandler(sys.__stderr__))
def own(): print("own", file=sys.__stdout__)
def own_error(): sys.__stderr__.write("own\n")
def logs(): early.error("own")
def descriptor(): os.write(1, "ow\xe9n\n".encode())
def error_descriptor(): os.write(2, b"own\n")
def in_parts():
    for part in "é\n".encode(): os.write(1, bytes([part]))
def opened():
    with open(1, "w", closefd=False) as out: out.write("own\n")
def file_io(): io.FileIO(1, "w", closefd=False).write(b"own\n")
def copied():
    copy = os.dup(1)
    os.write(copy, b"own\n")
    os.close(copy)
def device():
    with open("/dev/fd/1" if sys.platform != "emscripten" else 1, "w", closefd=sys.platform != "emscripten") as out:
        out.write("own\n")
def fails():
    os.write(1, b"own\n")
    raise ValueError
async def later():
    await asyncio.sleep(0)
    os.write(1, b"own\n")
def nothing(): pass
def much(): os.write(1, b"x" * 1_500_000)
os.write(1, b"at import\n")
"""


class OsWithoutPread:
    """The functions of `os` that are used to read output, as on Windows."""

    ftruncate, lseek, read, dup2, close = os.ftruncate, os.lseek, os.read, os.dup2, os.close
    SEEK_SET, SEEK_END = os.SEEK_SET, os.SEEK_END


class PastTheStreamsTest(HostCase):
    def setUp(self):
        with tempfile.TemporaryDirectory() as place:
            raw = RawOutput(place)
        self.addCleanup(raw.close)
        names = (
            "own own_error logs descriptor error_descriptor in_parts opened file_io copied device fails later nothing much"
        ).split()
        self.host = Host({"t.py": tools(PAST, *names)}, None, raw)
        self.addCleanup(self.host.close)

    async def test_is_the_output_of_the_call(self):
        for name, stream, text in (
            ("own", "out", "own\n"),
            ("own_error", "err", "own\n"),
            ("logs", "err", "own\n"),
            ("descriptor", "out", "owén\n"),
            ("error_descriptor", "err", "own\n"),
            ("in_parts", "out", "é\n"),
            ("opened", "out", "own\n"),
            ("file_io", "out", "own\n"),
            ("copied", "out", "own\n"),
            ("device", "out", "own\n"),
            ("fails", "out", "own\n"),
            ("later", "out", "own\n"),
            ("nothing", "out", ""),
        ):
            with self.subTest(name=name):
                call = self.host.begin(f"t:{name}")
                await self.host.wait(call)
                other = "err" if stream == "out" else "out"
                self.assertEqual((self.host.printed(call, stream), self.host.printed(call, other)), (text, ""))

    async def test_is_read_where_there_is_no_pread(self):
        # Windows has none.
        with unittest.mock.patch.object(raw_output, "os", OsWithoutPread):
            for _ in range(2):
                call = self.host.begin("t:descriptor")
                await self.host.wait(call)
                self.assertEqual(self.host.printed(call, "out"), "owén\n")

    def test_is_limited_like_other_output(self):
        result = self.host.call("t:much")
        self.assertEqual((len(self.host.printed()), result["outputDropped"]), (1_000_000, 500_000))

    def test_of_an_import_is_in_the_report_on_the_file(self):
        self.assertEqual(self.host.inspect("t.py")["output"], "at import\n")


class OutputTest(HostCase):
    def setUp(self):
        self.host = self.open_tools(CODE, *FUNCTIONS)

    def test_stdout_and_stderr_are_apart(self):
        self.host.call("t:both")
        self.assertEqual((self.host.printed(), self.host.printed(stream="err")), ("to out\n", "to err\n"))

    def test_comes_before_the_result(self):
        self.host.call("t:raises")
        self.assertEqual([header["t"] for header, _ in self.host.messages], ["stream", "result"])

    def test_streams_kept_at_import_print_for_the_call(self):
        for tool, stream, text in (
            ("t:logs", "err", "careful\n"),
            ("t:keeps", "out", "through a kept stream\n"),
        ):
            self.host.call(tool)
            self.assertEqual(self.host.printed(stream=stream), text)
        self.host.call("t:warns")
        self.assertIn("UserWarning: old", self.host.printed(stream="err"))

    def test_bytes_are_utf8(self):
        for data, text in (("é😀".encode(), "é😀"), (b"a\xffb", "a\\xffb")):
            self.host.call("t:in_bytes", {"data": list(data)})
            self.assertEqual(self.host.printed(), text)

    def test_there_is_nothing_to_read(self):
        result = self.host.call("t:reads")
        self.assertEqual(text_of(result), '["EOF when reading a line", "", []]')
        self.assertEqual(self.host.printed(), "name? ")

    def test_the_streams_are_what_scripts_expect(self):
        self.assertEqual(
            text_of(self.host.call("t:attributes")),
            '[false, "utf-8", "unsupported", true, false, false, "<stdout>"]',
        )
        self.assertEqual(
            self.host.call("t:wrong")["error"], "TypeError: write() argument must be str, not bytes"
        )
        self.assertEqual(
            self.host.call("t:wrong_bytes")["error"], "TypeError: a bytes-like object is required, not 'str'"
        )

    def test_closing_a_stream_hurts_nobody(self):
        self.assertTrue(self.host.call("t:closes")["ok"])
        self.assertEqual(self.host.printed(), "still here\n")
        self.host.call("t:closes_own")
        self.host.call("t:prints", {"text": "next"})
        self.assertEqual(self.host.printed(), "next\n")
        self.assertTrue(self.host.call("t:reads")["ok"])

    def log(self):
        return [line["message"] for batch in self.host.streams() for line in batch["log"]]

    def test_what_a_tool_leaves_replaced_is_restored_and_said(self):
        for code, name in (
            ("sys.stdout = io.StringIO()", "sys.stdout"),
            ("sys.stderr = None", "sys.stderr"),
            ("sys.stdin = io.StringIO()", "sys.stdin"),
            ("del sys.stdout", "sys.stdout"),
            ("sys.stdout.write = len", "sys.stdout"),
            ("sys.stderr.flush = None", "sys.stderr"),
            ("sys.stdout.buffer = None", "sys.stdout"),
            ("del sys.stdout.buffer", "sys.stdout"),
            ("sys.stderr.buffer.write = len", "sys.stderr"),
            ("sys.__stdout__ = None", "sys.__stdout__"),
            ("import builtins; builtins.print = len", "print"),
            ("import builtins; del builtins.print", "print"),
            ("contextlib.redirect_stdout(io.StringIO()).__enter__()", "sys.stdout"),
        ):
            with self.subTest(code=code):
                self.host.call("t:runs", {"code": code})
                self.assertEqual(self.log(), [f"The tool left {name} replaced. It is restored for later calls."])
                self.host.call("t:both")
                printed = (self.host.printed(), self.host.printed(stream="err"))
                self.assertEqual((*printed, self.log()), ("to out\n", "to err\n", []))
        self.host.call("t:redirects")
        self.assertEqual(self.log(), [])

    async def test_a_stream_that_a_call_redirects_stays_while_others_end(self):
        first = self.host.begin("t:redirects_slowly")
        self.host.call("t:redirects")
        self.assertEqual(text_of(await self.host.wait(first)), "still caught\n")

    def test_redirecting_works(self):
        self.assertEqual(text_of(self.host.call("t:redirects")), "caught\n")
        self.assertEqual(self.host.printed(), "")

    def test_lines_and_lone_surrogates_pass(self):
        self.host.call("t:writelines")
        self.assertEqual(self.host.printed(), "a\nb\n")
        self.host.call("t:surrogate")
        self.assertEqual(self.host.printed(), "\ud800\n")

    def test_one_megabyte_is_kept_and_the_rest_counted(self):
        result = self.host.call("t:lines", {"n": 10_500})
        self.assertEqual(
            (len(self.host.printed()), result["outputDropped"], result["ok"]), (1_000_000, 50_000, True)
        )
        result = self.host.call("t:one_line", {"n": 1_500_000})
        self.assertEqual((len(self.host.printed()), result["outputDropped"]), (1_000_000, 500_001))

    async def test_overlapping_calls_keep_their_output_apart(self):
        first = self.host.begin("t:slow", {"name": "a"})
        second = self.host.begin("t:slow", {"name": "b"})
        await self.host.wait(first)
        await self.host.wait(second)
        # Without a loop, as under CPython here outside asyncio.run, they would not overlap at all.
        self.assertEqual(self.host.printed(first), "a 0\na 1\na 2\n")
        self.assertEqual(self.host.printed(second), "b 0\nb 1\nb 2\n")

    async def test_what_comes_after_the_end_is_dropped(self):
        await self.host.run("t:leaves_task")
        await asyncio.sleep(0.03)
        self.assertEqual([header["t"] for header, _ in self.host.messages], ["result"])

    async def test_generators_print_for_their_call(self):
        await self.host.run("t:generator")
        self.assertEqual(self.host.printed(), "one\ntwo\n")


class ClockTest(HostCase):
    def setUp(self):
        self.time = 100.0
        self.host = self.open_tools(
            """
import sys
clock = None
def ticks(context, steps):
    import t
    for text, seconds in steps:
        print(text, end="")
        t.clock(seconds)
def flushes():
    import t
    print("a", end="", flush=True)
    t.clock(1)
    print("b", end="")
    sys.stdout.flush()
    t.clock(1)
""",
            "ticks",
            "flushes",
            now=lambda: self.time,
        )
        self.host.inspect("t.py")
        sys.modules["t"].clock = self.advance

    def advance(self, seconds):
        self.time += seconds

    def batches(self):
        return [batch["out"] for batch in self.host.streams()]

    def test_the_first_line_goes_at_once_and_later_ones_every_50_ms(self):
        self.host.call(
            "t:ticks", {"steps": [["a\n", 0.01], ["b\n", 0.01], ["c\n", 0.04], ["d\n", 0.01], ["e\n", 0]]}
        )
        self.assertEqual(self.batches(), ["a\n", "b\nc\nd\n", "e\n"])

    def test_a_part_of_a_line_waits(self):
        self.host.call("t:ticks", {"steps": [["a", 1], ["b", 1], ["\n", 1], ["c", 1]]})
        self.assertEqual(self.batches(), ["ab\n", "c"])

    def test_a_long_part_of_a_line_does_not(self):
        self.host.call("t:ticks", {"steps": [["x" * 9_000, 1], ["y", 1]]})
        self.assertEqual([len(batch) for batch in self.batches()], [9_000, 1])

    def test_flushing_sends_a_part_of_a_line(self):
        self.host.call("t:flushes")
        self.assertEqual(self.batches(), ["a", "b"])

    async def test_what_waits_is_sent_while_an_async_handler_waits(self):
        host = self.open_tools(
            """
import asyncio
async def f():
    print("first")
    print("second")
    await asyncio.sleep(60)
""",
            "f",
        )
        call = host.begin("t:f")
        await host.until(lambda: host.printed(call) == "first\nsecond\n")
        self.assertFalse(host.has_result(call))
        self.assertEqual([batch["out"] for batch in host.streams(call)], ["first\n", "second\n"])
        host.interpreter.cancel(call)
        await host.wait(call)


class StreamsTest(HostCase):
    def test_without_a_call_what_is_printed_is_dropped(self):
        before = sys.stdout, sys.stderr, sys.stdin
        try:
            Streams().install()
            print("to nobody")
            token = sink.set(self)
            print("to us")
            sink.reset(token)
            print("to nobody again")
        finally:
            sys.stdout, sys.stderr, sys.stdin = before
        self.assertEqual(self.written, [("out", "to us"), ("out", "\n")])

    def setUp(self):
        self.written = []

    def write(self, stream, text):
        self.written.append((stream, text))

    def flush(self):
        self.written.append(("flush", ""))

    def test_a_text_wrapper_around_the_buffer_works(self):
        token = sink.set(self)
        try:
            wrapper = io.TextIOWrapper(Streams().out.buffer, encoding="utf-8", write_through=True)
            wrapper.write("wrapped")
        finally:
            sink.reset(token)
        self.assertIn(("out", "wrapped"), self.written)
