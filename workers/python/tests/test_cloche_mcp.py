"""cloche_mcp.py as people get it: one file, run by CPython."""

import ast
import base64
import itertools
import json
import queue
import shlex
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

from cloche.serving.catalog import mcp_name, output_schema
from cloche.serving.results import Progress, call_result

ROOT = Path(__file__).resolve().parents[3]
TOOLS = """
import asyncio
async def count(context, n=2):
    for i in range(n):
        context.update({"progress": (i + 1) / n, "message": f"step {i + 1}"})
        context.log(f"at {i}")
        await asyncio.sleep(0.03)
    return {"n": n, "big": 12345678901234567891}
def ask(context): return "yes" if context.approve("May I?", {"a": 1}) else "no"
async def ask_later(context): return "yes" if await context.approve("May I?") else "no"
def echo(value):
    print("printed")
    return value
def danger(): return "boom"
def fails(): raise ValueError("no way")
def picture(): return b"\\x89PNG\\r\\n\\x1a\\n" + bytes(20)
async def hangs(): await asyncio.sleep(60)
def spec(handler, **more):
    parameters = {"type": "object", "properties": {"n": {"type": "integer"}, "value": {}}}
    return {"name": f"t:{handler.__name__}", "description": "d", "parameters": parameters, "handler": handler, **more}
TOOL_SPECS = [spec(count, returns={"type": "object"}), spec(ask), spec(ask_later), spec(echo),
    spec(danger, requires_approval=True), spec(fails), spec(picture), spec(hangs, timeout_s=0.2)]
"""
MODERN = "2026-07-28"
LEGACY = "2025-11-25"
# The samples that use `math.cbrt` or `datetime.UTC`.
TOO_NEW = ("calculator", "dates", "encoding") if sys.version_info < (3, 11) else ()


class Client:
    """Speaks with cloche_mcp.py over its standard streams, in one of the two eras, and answers questions with `answer`."""

    def __init__(self, file: Path, folder: Path, era: str, *options: str, elicits: bool = True) -> None:
        self.era = era
        self.elicits = elicits
        self.answer = "accept"
        self.asked: list[str] = []
        self.noted: list[dict] = []
        self._id = 0
        self.process = subprocess.Popen(
            [sys.executable, "-B", file, folder, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self._lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=lambda: [self._lines.put(line) for line in self.process.stdout], daemon=True).start()
        if era == LEGACY:
            capabilities = {"elicitation": {}} if elicits else {}
            self.begun = self.request("initialize", protocolVersion=era, capabilities=capabilities, clientInfo={"name": "t", "version": "1"})
            self.send({"method": "notifications/initialized"})

    def send(self, message: dict) -> None:
        self.raw(json.dumps({"jsonrpc": "2.0", **message}))

    def raw(self, line: str) -> None:
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read(self) -> dict:
        return json.loads(self._lines.get(timeout=20))

    def begin(self, method: str, **params: object) -> int:
        self._id += 1
        if self.era == MODERN:
            meta = {
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}} if self.elicits else {},
                "io.modelcontextprotocol/logLevel": "info",
            }
            params["_meta"] = {**meta, **params.get("_meta", {})}
        self.send({"id": self._id, "method": method, "params": params})
        return self._id

    def request(self, method: str, **params: object) -> dict:
        id = self.begin(method, **params)
        while True:
            message = self.read()
            if message.get("method") == "elicitation/create":
                self.asked.append(message["params"]["message"])
                self.send({"id": message["id"], "result": {"action": self.answer, "content": {}}})
            elif "method" in message:
                self.noted.append(message)
            elif message["id"] == id:
                result = message.get("result", {})
                if result.get("resultType") == "input_required":
                    self.asked.append(result["inputRequests"]["approval"]["params"]["message"])
                    given = {"approval": {"action": self.answer, "content": {}}}
                    return self.request(method, **params, requestState=result["requestState"], inputResponses=given)
                return message

    def call(self, name: str, **arguments: object) -> dict:
        return self.request("tools/call", name=name, arguments=arguments)["result"]

    def text(self, name: str, **arguments: object) -> str:
        return self.call(name, **arguments)["content"][0]["text"]

    def close(self) -> int:
        self.process.stdin.close()
        code = self.process.wait(timeout=20)
        self.process.stdout.close()
        return code


class NamesTools(unittest.TestCase):
    def test_as_the_page_does(self) -> None:
        expected = json.loads((Path(__file__).parent / "mcp-names.json").read_text())
        functions = [id.rpartition(":")[2] for id in expected]
        self.assertEqual({id: mcp_name(id, functions) for id in expected}, expected)


class ReportsProgress(unittest.TestCase):
    """As src/app/api/mcp/progress.test.ts."""

    def test_as_the_page_does(self) -> None:
        cases = (
            (({"progress": 0.5}, {"progress": 1}), [(0.5, 1), (1, 1)]),
            (({"progress": 1, "total": 3}, {"progress": 1, "total": 3}, "other", {"progress": 2}), [(1, 3), None, None, (2, None)]),
            (({"progress": 0, "total": 2}, {"progress": 0, "total": 2}), [(0, 2), None]),
            (("a", {"rows": 2, "progress": 1}, {"progress": 0.5}), [(1, None), (2, None), (3, None)]),
        )
        for values, expected in cases:
            progress = Progress()
            found = [progress.of(number, json.dumps(value)) for number, value in enumerate(values)]
            self.assertEqual([one and (one["progress"], one.get("total")) for one in found], expected)


class WritesResults(unittest.TestCase):
    """As src/app/api/mcp/results.test.ts."""

    def structured(self, *parts: tuple[str, str], any_value: bool) -> object:
        said = {"ok": True, "content": [{"type": type, "text": text} for type, text in parts]}
        result = call_result(said, True, any_value)
        return result["content"][0]["text"] if result.get("isError") else result["structuredContent"]

    def test_with_exact_numbers_and_none_that_json_lacks(self) -> None:
        value = self.structured(("json", '{"n": 12345678901234567891, "x": NaN, "y": -Infinity}'), any_value=False)
        self.assertEqual(value, {"n": 12345678901234567891, "x": None, "y": None})

    def test_of_any_value_since_2026(self) -> None:
        for part, expected in ((("json", "12345678901234567891"), 12345678901234567891), (("json", "null"), None), (("text", "a"), "a")):
            self.assertEqual(self.structured(part, any_value=True), expected)

    def test_whose_schema_the_revision_knows(self) -> None:
        for returns, known in (({"type": "object"}, (True, True)), ({"type": "number"}, (False, True)), (None, (False, False))):
            given = [output_schema({"returns": returns}, is_modern) for is_modern in (False, True)]
            self.assertEqual(given, [returns if one else None for one in known])

    def test_another_value_than_the_revision_wants_is_an_error(self) -> None:
        for any_value, wanted, results in (
            (False, "an object", [(("json", "[1]"),), (("text", "a"),), (("json", "{}"), ("json", "{}")), ()]),
            (True, "one JSON value", [(("json", "{}"), ("json", "{}")), (("image", "a"),), ()]),
        ):
            for parts in results:
                self.assertIn(f"is not {wanted}", self.structured(*parts, any_value=any_value))


class ServerCase(unittest.TestCase):
    """Makes the file, and a folder with TOOLS."""

    @classmethod
    def setUpClass(cls) -> None:
        cls.place = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.place.name) / "tools"
        cls.folder.mkdir()
        (cls.folder / "t.py").write_text(TOOLS)
        (cls.folder / "broken.py").write_text("TOOL_SPECS = [")
        (cls.folder / "test_t.py").write_text("raise SystemExit('a test file was imported')")
        cls.file = Path(cls.place.name) / "cloche_mcp.py"
        subprocess.run(["node", ROOT / "scripts/python-programs.mjs", "cloche_mcp", cls.file], check=True)

    @classmethod
    def tearDownClass(cls) -> None:
        cls.place.cleanup()


class ServesTools(ServerCase):
    def each_era(self, *options: str, elicits: bool = True):
        for era in (LEGACY, MODERN):
            with self.subTest(era=era):
                client = Client(self.file, self.folder, era, *options, elicits=elicits)
                try:
                    yield client
                    self.assertEqual(client.close(), 0)
                finally:
                    client.process.kill()

    def test_lists_and_calls(self) -> None:
        for client in self.each_era():
            tools = client.request("tools/list")["result"]["tools"]
            names = ["count", "ask", "ask_later", "echo", "danger", "fails", "picture", "hangs"]
            self.assertEqual([tool["name"] for tool in tools], names)
            self.assertEqual(tools[0]["outputSchema"], {"type": "object"})
            result = client.request("tools/call", name="count", arguments={}, _meta={"progressToken": "p"})["result"]
            self.assertEqual(result["structuredContent"], {"n": 2, "big": 12345678901234567891})
            progress = [one["params"] for one in client.noted if one["method"] == "notifications/progress"]
            shares = [(one["progressToken"], one["progress"], one["total"]) for one in progress]
            self.assertEqual(shares, [("p", 0.5, 1), ("p", 1, 1)])
            logs = [one["params"]["data"] for one in client.noted if one["method"] == "notifications/message"]
            self.assertEqual(logs, ["at 0", "at 1"])
            self.assertEqual(client.text("echo", value=12345678901234567891), "12345678901234567891")
            self.assertEqual(client.call("picture")["content"][0]["mimeType"], "image/png")
            failed = client.call("fails")
            self.assertTrue(failed["isError"])
            self.assertIn("ValueError: no way\nRaised in t.py", failed["content"][0]["text"])
            self.assertIn("ValidationError", client.text("count", n="two"))
            self.assertIn("took longer than 0.2 s", client.text("hangs"))

    def test_every_sample_gives_what_was_recorded(self) -> None:
        samples = ROOT / "tools-samples"
        recorded = [json.loads(file.read_text("utf-8")) for file in sorted((samples / "calls").glob("*.json")) if file.stem not in TOO_NEW]
        tools = {call["tool"] for calls in recorded for call in calls}
        functions = [tool.rpartition(":")[2] for tool in tools]
        for era, calls in zip(itertools.cycle((LEGACY, MODERN)), recorded):
            # The calls of each file were recorded in a fresh Python.
            client = Client(self.file, samples, era, "--allow-approvals")
            listed = {one["name"] for one in client.request("tools/list")["result"]["tools"]}
            self.assertEqual(listed, {mcp_name(tool, functions) for tool in tools})
            for call in calls:
                with self.subTest(tool=call["tool"], call=call["name"]):
                    name = mcp_name(call["tool"], functions)
                    result = client.request("tools/call", name=name, arguments=call["arguments"])["result"]
                    self.assertEqual(result.get("isError", False), call["expect"]["resultType"] == "failure")
                    # The expectation of some failures is another part of the result.
                    self.assertEqual(self._said(result), call["expect"].get("textResultForLlm", self._said(result)))
            client.close()

    def _said(self, result: dict) -> str:
        """The text for the model, as the page makes it of the parts of a result."""
        return "\n".join(
            one["text"] if one["type"] == "text" else f"[{one['mimeType']}, {len(base64.b64decode(one['data']))} bytes]"
            for one in result["content"]
        )

    def test_asks_the_user(self) -> None:
        for client in self.each_era():
            for tool in ("ask", "ask_later"):
                client.answer = "accept"
                self.assertEqual(client.text(tool), "yes")
                client.answer = "decline"
                self.assertEqual(client.text(tool), "no")
            self.assertEqual(client.text("danger"), "The user did not approve t:danger.")
            client.answer = "accept"
            self.assertEqual(client.text("danger"), "boom")
            self.assertEqual(client.asked[0], 'May I?\n\n{"a": 1}')
            self.assertEqual(client.asked[-1], "Run t:danger?")

    def test_a_wrong_answer_leaves_the_question_open(self) -> None:
        accept = {"action": "accept", "content": {}}
        client = Client(self.file, self.folder, MODERN)
        client.begin("tools/call", name="ask", arguments={})
        state = client.read()["result"]["requestState"]
        given = {"arguments": {}, "requestState": state, "inputResponses": {"approval": accept}}
        self.assertEqual(client.request("tools/call", name="echo", **given)["error"]["code"], -32602)
        client.send({"id": state, "result": accept})
        self.assertEqual(client.request("tools/call", name="ask", **given)["result"]["content"][0]["text"], "yes")
        self.assertEqual(client.request("tools/call", name="ask", **given)["error"]["code"], -32602)
        client.close()
        client = Client(self.file, self.folder, LEGACY)
        client.begin("tools/call", name="ask", arguments={})
        state = client.read()["id"]
        client.era = MODERN
        self.assertEqual(client.request("tools/call", name="ask", **{**given, "requestState": state})["error"]["code"], -32602)
        client.send({"id": state, "result": accept})
        self.assertEqual(client.read()["result"]["content"][0]["text"], "yes")
        client.close()

    def test_does_not_run_what_nobody_approves(self) -> None:
        for client in self.each_era(elicits=False):
            self.assertEqual(client.text("ask"), "no")
            self.assertIn("--allow-approvals", client.text("danger"))
        for client in self.each_era("--allow-approvals", elicits=False):
            self.assertEqual([client.text("ask"), client.text("ask_later"), client.text("danger")], ["yes", "yes", "boom"])

    def test_cancels_and_goes_on(self) -> None:
        for client in self.each_era():
            id = client.begin("tools/call", name="count", arguments={"n": 10_000})
            while client.read().get("params", {}).get("data") != "at 1":
                pass
            client.send({"method": "notifications/cancelled", "params": {"requestId": id}})
            self.assertEqual(client.text("echo", value="after"), "after")
            self.assertLess(len([one for one in client.noted if one["params"].get("data", "").startswith("at")]), 50)

    def test_answers_what_is_wrong_with_its_error(self) -> None:
        for client in self.each_era():
            unknown = client.request("tools/call", name="nope", arguments={})
            self.assertEqual((unknown["error"]["code"], unknown["error"]["message"]), (-32602, "Unknown tool: nope"))
            self.assertEqual(client.request("tools/call", name="echo", arguments=[])["error"]["code"], -32602)
            self.assertEqual(client.request("resources/list")["error"]["code"], -32601)
            self.assertEqual(client.request("tools/call", name="ask", arguments={}, requestState="guessed")["error"]["code"], -32602)
            for line, code in (("{", -32700), ("[]", -32600), ("[" * 100_000, -32700)):
                client.raw(line)
                self.assertEqual(client.read()["error"]["code"], code)

    def test_reads_what_clients_and_shells_write(self) -> None:
        client = Client(self.file, self.folder, LEGACY)
        for line in (
            '{"jsonrpc":"2.0","id":"a","method":"ping","params":null}\r',
            '  {"jsonrpc":"2.0",\r"id":"a","method":"ping"}',
            "\r",
            '{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"fails","arguments":null}}',
        ):
            client.raw(line)
            if line.strip():
                self.assertIn("result", client.read())
        # Half of a character cannot be written as UTF-8.
        client.raw('{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{"name":"echo","arguments":{"value":"\\ud800"}}}')
        self.assertEqual(json.loads(json.dumps(client.read()))["result"]["content"][0]["text"], "\ud800")
        client.raw(json.dumps({"jsonrpc": "2.0", "id": "c", "method": "tools/call", "params": {"name": "echo", "arguments": {"value": "x" * 5_000_000}}}))
        while "result" not in (answer := client.read()):
            pass
        self.assertEqual(len(answer["result"]["content"][0]["text"]), 5_000_000)
        client.close()
        # The first line after a byte order mark, in bytes that are not UTF-8, and without an end.
        lines = b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}\n{"jsonrpc":"2.0","id":2,"method":"\xff"}\n{"jsonrpc":"2.0","id":3,"method":"ping"}'
        run = subprocess.run([sys.executable, "-B", self.file, self.folder], input=lines, capture_output=True, timeout=20)
        answers = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual([(one["id"], one.get("result"), one.get("error", {}).get("code")) for one in answers], [(1, {}, None), (2, None, -32601), (3, {}, None)])

    def test_takes_batches_of_the_revision_that_has_them(self) -> None:
        client = Client(self.file, self.folder, LEGACY)
        ping = {"jsonrpc": "2.0", "id": "p", "method": "ping"}
        for revision, taken in (("2025-06-18", False), ("2025-03-26", True)):
            client.request("initialize", protocolVersion=revision, capabilities={})
            client.raw(json.dumps([ping, {"jsonrpc": "2.0", "method": "notifications/x"}, {**ping, "id": "q"}]))
            if taken:
                self.assertEqual([client.read()["id"], client.read()["id"]], ["p", "q"])
            else:
                self.assertEqual(client.read()["error"]["code"], -32600)
        client.close()

    def test_is_written_in_the_oldest_python_that_it_runs_on(self) -> None:
        ast.parse(self.file.read_text(), feature_version=(3, 10))

    def test_says_which_files_have_no_tools(self) -> None:
        run = subprocess.run([sys.executable, "-B", self.file, self.folder], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=20)
        self.assertEqual((run.returncode, run.stdout), (0, ""))
        self.assertRegex(run.stderr, r"^cloche_mcp\.py: broken\.py:1: .+\n$")

    def test_says_that_its_input_is_closed(self) -> None:
        command = f"{shlex.quote(sys.executable)} -B {shlex.quote(str(self.file))} {shlex.quote(str(self.folder))} <&-"
        run = subprocess.run(["sh", "-c", command], capture_output=True, text=True, timeout=20)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("standard input is closed", run.stderr)

    def test_negotiates_each_era(self) -> None:
        client = Client(self.file, self.folder, LEGACY)
        self.assertEqual(client.begun["result"]["protocolVersion"], LEGACY)
        self.assertEqual(client.request("initialize", protocolVersion="1999-01-01", capabilities={})["result"]["protocolVersion"], LEGACY)
        client.close()
        client = Client(self.file, self.folder, MODERN)
        found = client.request("server/discover")["result"]
        self.assertEqual((found["supportedVersions"], found["resultType"]), ([MODERN], "complete"))
        refused = client.request("tools/list", _meta={"io.modelcontextprotocol/protocolVersion": "2027-01-01"})["error"]
        self.assertEqual((refused["code"], refused["data"]["supported"]), (-32022, [MODERN]))
        client.close()

    def test_ends_with_its_client(self) -> None:
        client = Client(self.file, self.folder, LEGACY)
        client.begin("tools/call", name="count", arguments={"n": 100_000})
        client.read()
        self.assertEqual(client.close(), 0)


if sys.platform == "emscripten":
    del ServesTools  # it starts processes
