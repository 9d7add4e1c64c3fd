"""cloche_mcp.py over HTTP: which requests it refuses, and what it does under load."""

import contextlib
import http.client
import json
import queue
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest import mock

from cloche.serving.http import MAX_UNREAD, Unread, _Handler, serve_http

from .test_cloche_mcp import LEGACY, MODERN, ServerCase

WAITS = """
import asyncio
async def waits(seconds=0, size=1):
    await asyncio.sleep(seconds)
    return "x" * size
TOOL_SPECS = [{"name": "t:waits", "description": "d", "handler": waits, "parameters": {"type": "object"}}]
"""


class KeepsUnreadMessages(unittest.TestCase):
    def test_but_no_endless_notifications(self) -> None:
        unread = Unread()
        note = {"method": "notifications/message", "params": "x" * 950_000}
        for message in ({"id": 1, "result": "y" * 950_000}, *[note] * 100, {"id": 2, "result": "last"}):
            unread.put(message)
        given: list[object] = []
        while 2 not in given:
            given.append(unread.get(1)[0].get("id"))
        # Of the notifications, as many as MAX_UNREAD has room for.
        self.assertEqual(given, [1, *[None] * (MAX_UNREAD // 950_000 - 1), 2])
        # A client that reads again gets what comes then.
        unread.put(note)
        self.assertEqual(unread.get(1)[0], note)
        self.assertRaises(queue.Empty, unread.get, 0.01)


class ServesToolsOverHttp(ServerCase):
    def test_checks_requests_over_http(self) -> None:
        process = subprocess.Popen(
            [sys.executable, "-B", self.file, self.folder, "--http", "0", "--allow-origin", "http://localhost:4173"],
            stdout=subprocess.PIPE, text=True,
        )
        try:
            url = process.stdout.readline().strip()
            token = process.stdout.readline().strip().removeprefix("Authorization: ")
            port = url.split(":")[2].split("/")[0]

            def post(body: object, **headers: str) -> tuple[int, dict, str]:
                given = {"Authorization": token, "Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
                request = urllib.request.Request(url, json.dumps(body).encode(), given | {name.replace("_", "-"): value for name, value in headers.items()})
                try:
                    with urllib.request.urlopen(request, timeout=20) as response:
                        return response.status, dict(response.headers), response.read().decode()
                except urllib.error.HTTPError as error:
                    return error.code, dict(error.headers), error.read().decode()

            def legacy(method: str, **params: object) -> dict:
                return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}

            status, headers, body = post(legacy("initialize", protocolVersion=LEGACY, capabilities={}))
            self.assertEqual((status, json.loads(body)["result"]["protocolVersion"]), (200, LEGACY))
            session = {"Mcp_Session_Id": headers["Mcp-Session-Id"]}
            self.assertEqual(len(json.loads(post(legacy("tools/list"), **session)[2])["result"]["tools"]), 8)
            status, headers, body = post(legacy("tools/call", name="count", arguments={}), **session)
            self.assertEqual((status, headers["Content-Type"]), (200, "text/event-stream"))
            self.assertIn("12345678901234567891", body)
            # Each refused request differs from the answered one above in one respect only.
            self.assertEqual(post(legacy("tools/list"), Authorization="Bearer guessed")[0], 401)
            for path, status in ((token.removeprefix("Bearer "), 200), ("guessed", 401)):
                headless = urllib.request.Request(url.replace("/mcp", f"/{path}/mcp"), json.dumps(legacy("tools/list")).encode())
                try:
                    self.assertEqual(urllib.request.urlopen(headless, timeout=20).status, status)
                except urllib.error.HTTPError as error:
                    self.assertEqual(error.code, status)
            self.assertEqual(post(legacy("tools/list"), Origin="https://evil.example")[0], 403)
            self.assertEqual(post(legacy("tools/list"), Host=f"evil.example:{port}")[0], 403)
            self.assertEqual(post(legacy("tools/list"), Mcp_Session_Id="guessed")[0], 404)
            allowed = post(legacy("tools/list"), Origin="http://localhost:4173")
            self.assertEqual((allowed[0], allowed[1]["Access-Control-Allow-Origin"]), (200, "http://localhost:4173"))
            meta = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}
            echo = legacy("tools/call", name="echo", arguments={"value": 10**30}, _meta=meta)
            fitting = {"MCP_Protocol_Version": MODERN, "Mcp_Method": "tools/call", "Mcp_Name": "=?base64?ZWNobw==?="}
            modern = post(echo, **fitting)
            for wrong, code in (({"Mcp_Method": "tools/list"}, -32020), ({"Mcp_Name": "=?base64?!?="}, -32020), ({"MCP_Protocol_Version": LEGACY}, -32020)):
                refused = post(echo, **{**fitting, **wrong})
                self.assertEqual((refused[0], json.loads(refused[2])["error"]["code"]), (400, code))
            self.assertEqual(post(legacy("ping", _meta=meta), MCP_Protocol_Version=MODERN, Mcp_Method="ping")[0], 404)
            self.assertEqual(json.loads(modern[2])["result"]["content"][0]["text"], str(10**30))
            connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=20)
            connection.putrequest("POST", "/mcp")
            for name, value in (("Authorization", token), ("Content-Length", "33000000")):
                connection.putheader(name, value)
            connection.endheaders()
            self.assertEqual(connection.getresponse().status, 413)
            connection.close()
        finally:
            process.kill()
            process.wait()
            process.stdout.close()

    def test_ends_the_connection_of_a_client_that_does_not_read_its_answer(self) -> None:
        ended = threading.Event()

        class Answers:
            def receive(self, message: dict, connection: object, send: Callable[[dict], None]) -> None:
                send({"id": message["id"], "result": "x" * 20_000_000})

            def cancel_all(self, connection: object) -> None:
                ended.set()

        with mock.patch.object(_Handler, "timeout", 0.3):
            listening = serve_http(Answers(), 0, "token", [])
            try:
                with socket.create_connection(listening.server_address) as connection:
                    body = '{"id": 1, "method": "tools/call"}'
                    head = f"POST /token/mcp HTTP/1.1\r\nHost: localhost:1\r\nContent-Length: {len(body)}\r\n\r\n"
                    connection.sendall((head + body).encode())
                    self.assertTrue(ended.wait(20))
            finally:
                listening.shutdown()
                listening.server_close()

    @contextlib.contextmanager
    def served(self, text: str) -> Iterator["Served"]:
        """Serves the tools of one file over HTTP."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "t.py").write_text(text)
            process = subprocess.Popen(
                [sys.executable, "-B", self.file, folder, "--http", "0"], stdout=subprocess.PIPE, text=True
            )
            try:
                yield Served(process)
            finally:
                process.kill()
                process.communicate()

    def test_a_thousand_calls_at_once_all_end(self) -> None:
        calls, at_once = 1_100, 200
        _allow_files(2 * calls)
        with self.served(WAITS) as served, contextlib.ExitStack() as stack:
            connections = [stack.enter_context(served.connect()) for _ in range(calls)]
            # The calls that run have the connections with the highest numbers, which `select` cannot take.
            for connection in reversed(connections):
                served.begin(connection, seconds=1.5)
            answers = [served.answer(connection) for connection in connections]
            done = [one["result"]["content"][0]["text"] for one in answers if "result" in one]
            refused = [one["error"]["message"] for one in answers if "error" in one]
            self.assertEqual(len(done) + len(refused), calls)
            self.assertGreaterEqual(len(done), at_once)
            self.assertEqual((set(done), set(refused)), ({"x"}, {"More than 200 calls at once: wait until some have ended."}))
            with served.connect() as connection:
                served.begin(connection)
                self.assertEqual(served.answer(connection)["result"]["content"][0]["text"], "x")

    def test_a_client_that_never_reads_hurts_only_itself(self) -> None:
        size = 5_000_000
        with self.served(WAITS) as served, contextlib.ExitStack() as stack:
            deaf = [stack.enter_context(served.connect(receives=4_096)) for _ in range(10)]
            for connection in deaf:
                served.begin(connection, size=size)
            for _ in range(20):
                with served.connect() as connection:
                    served.begin(connection, seconds=0.05)
                    self.assertEqual(served.answer(connection)["result"]["content"][0]["text"], "x")
            # Control: the answer waited for its client.
            self.assertEqual(len(served.answer(deaf[0])["result"]["content"][0]["text"]), size)


class Served:
    """Calls the tool `waits` of cloche_mcp.py over connections of its own."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._port = int(process.stdout.readline().split(":")[2].split("/")[0])
        self._token = process.stdout.readline().strip()

    def connect(self, receives: int | None = None) -> socket.socket:
        connection = socket.socket()
        if receives is not None:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
        connection.settimeout(60)
        connection.connect(("127.0.0.1", self._port))
        return connection

    def begin(self, connection: socket.socket, **arguments: object) -> None:
        params = {"name": "waits", "arguments": arguments}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
        head = f"POST /mcp HTTP/1.1\r\nHost: localhost:{self._port}\r\n{self._token}\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall((head + body).encode())

    def answer(self, connection: socket.socket) -> dict:
        response = http.client.HTTPResponse(connection)
        response.begin()
        return json.loads(response.read())


def _allow_files(count: int) -> None:
    """Lets this program and those that it starts open so many files, where the system has such a limit."""
    with contextlib.suppress(ImportError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = count + 200
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


if sys.platform == "emscripten":
    del ServesToolsOverHttp  # it starts processes
