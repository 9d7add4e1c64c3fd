"""An MCP server for the tools of a folder. Supports the revisions of 2025, and 2026-07-28, which is called modern here.

Follows https://modelcontextprotocol.io/specification. Messages come from other threads; tools run on the main thread.

A call that needs the user's approval asks through the client. A client of an earlier revision gets a request, and answers it
with a message: `_receive_answer`. A modern client gets the question as the result of its own request, and repeats the request
with the answer: `_resume_call`.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any, TextIO

from .. import interpreter as loader
from ..approval import approval_question
from ..asking import connect, current_call
from ..raw_output import RawOutput
from ..testing.folder_calls import FolderCalls, file_of
from .catalog import Catalog, output_schema
from .results import LEVELS, Progress, call_result, failed, log_messages

MODERN = "2026-07-28"
LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
MAX_CALLS = 200
ANSWER_SECONDS = 300.0  # for the user's answer to a question
META = "io.modelcontextprotocol/"
_CAPABILITIES = {"tools": {}, "logging": {}}
_UNCACHED = {"ttlMs": 0, "cacheScope": "private"}
# Error codes of JSON-RPC and MCP
PARSE_ERROR = -32700
INVALID_REQUEST = -32600
NO_METHOD = -32601
BAD_PARAMS = -32602
INTERNAL = -32603
BAD_VERSION = -32022

Message = dict[str, Any]
Send = Callable[[Message], None]


class Fault(Exception):
    """A request that is answered with an error of the protocol."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.error = {"code": code, "message": message} | ({} if data is None else {"data": data})


class Connection:
    """One client of a revision of 2025. Clients of 2026-07-28, which say in each request what they can do, may share one."""

    def __init__(self) -> None:
        self.capabilities: dict[str, Any] = {}
        self.revision = ""
        self.log_level = "info"
        self.calls: dict[object, _Call] = {}  # running calls, by the ids of their requests


class _Call:
    """A running call. `number` is its id in the interpreter, `id` that of the client's request. `id` and `send` change when the
    client answers a question by repeating its request."""

    def __init__(self, number: int, id: object, tool: dict[str, Any], send: Send, can_ask: bool, is_modern: bool) -> None:
        self.number = number
        self.id = id
        self.tool = tool
        self.send = send
        self.can_ask = can_ask
        self.is_modern = is_modern
        self.is_cancelled = False  # by the client, which then gets no answer
        self.is_late = False
        self.approval: Future[bool] | None = None  # the answer to the last question that was asked


class Server:
    """The server. `loop` runs on the main thread; errors of tool files are written to `errors`; `info` is the name and version
    of the server; `allows` lets tools run that require approval, and answers their questions with yes."""

    def __init__(
        self,
        folder: Path,
        loop: asyncio.AbstractEventLoop,
        raw: RawOutput,
        errors: TextIO,
        info: dict[str, str],
        workspace: str | None,
        allows: bool,
    ) -> None:
        self._folder_calls = FolderCalls(str(folder), raw)
        self._catalog = Catalog(folder, self._folder_calls, errors)
        self._loop = loop
        self._info = info
        self._context: dict[str, object] = {"session_id": "mcp", "session_key": "mcp", "workspace_path": workspace}
        self._allows = allows
        self._lock = threading.Lock()
        self._running: dict[int, _Call] = {}  # by the numbers of the calls
        self._asking: dict[str, _Call] = {}  # calls with an unanswered question, by the id of the question
        self._last_number = 0
        connect(self._answer_question)
        loader.approve_and_wait = self._approve_and_wait

    def receive(self, message: object, connection: Connection, send: Send) -> None:
        """Handles a message from any thread. Answers go to `send`, also later and from other threads."""
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            send(error_message(None, Fault(INVALID_REQUEST, "The message is not a JSON-RPC 2.0 object.")))
            return
        method = message.get("method")
        # Some clients send null for members that they could leave out.
        params = {} if message.get("params") is None else message["params"]
        if method is None:
            self._receive_answer(message)
            return
        if "id" not in message:
            self._receive_notification(method, params, connection)
            return
        id = message["id"]
        try:
            if type(id) not in (str, int) or not isinstance(method, str) or not isinstance(params, dict):
                raise Fault(INVALID_REQUEST, "The request has no valid id, method or params.")
            result = self._answer_request(id, method, params, connection, send)
        except Fault as fault:
            send(error_message(id, fault))
        else:
            if result is not None:
                send(self._make_answer(id, result, is_modern=is_modern_request(params)))

    def cancel_all(self, connection: Connection) -> None:
        """Cancels the running calls of a client that has gone."""
        for call in list(connection.calls.values()):
            self._cancel_for_client(call)

    def _answer_request(self, id: object, method: str, params: Message, connection: Connection, send: Send) -> Message | None:
        """Returns the result of a request; None if it comes later. Raises Fault."""
        is_modern = is_modern_request(params)
        if is_modern:
            check_modern(params["_meta"])
        if method == "tools/list":
            return {"tools": self._catalog.definitions(is_modern), **(_UNCACHED if is_modern else {})}
        if method == "tools/call":
            self._begin_call(id, params, connection, send)
            return None
        if is_modern and method == "server/discover":
            return {"supportedVersions": [MODERN], "capabilities": _CAPABILITIES, **_UNCACHED}
        if not is_modern and method == "initialize":
            return self._initialize(params, connection)
        if not is_modern and method == "ping":
            return {}
        if not is_modern and method == "logging/setLevel":
            if params.get("level") not in LEVELS:
                raise Fault(BAD_PARAMS, f"level must be one of {', '.join(LEVELS)}.")
            connection.log_level = params["level"]
            return {}
        raise Fault(NO_METHOD, "Method not found")

    def _initialize(self, params: Message, connection: Connection) -> Message:
        wanted, capabilities = params.get("protocolVersion"), params.get("capabilities")
        if not isinstance(wanted, str):
            raise Fault(BAD_PARAMS, "initialize needs a protocolVersion.")
        connection.capabilities = capabilities if isinstance(capabilities, dict) else {}
        connection.revision = wanted if wanted in LEGACY else LEGACY[0]
        return {
            "protocolVersion": connection.revision,
            "capabilities": _CAPABILITIES,
            "serverInfo": self._info,
        }

    # Calls

    def _begin_call(self, id: object, params: Message, connection: Connection, send: Send) -> None:
        """Starts a call on the main thread, or continues a call that was waiting for the answer in this request. Raises Fault."""
        tool = self._catalog.tool(params.get("name"))
        arguments = {} if params.get("arguments") is None else params["arguments"]
        if tool is None:
            raise Fault(BAD_PARAMS, f"Unknown tool: {params.get('name')}")
        if not isinstance(arguments, dict):
            raise Fault(BAD_PARAMS, "arguments must be an object.")
        if "requestState" in params:
            self._resume_call(id, params, tool, connection, send)
            return
        meta = params.get("_meta") if isinstance(params.get("_meta"), dict) else {}
        is_modern = is_modern_request(params)
        can_ask = _shows_forms(meta[f"{META}clientCapabilities"] if is_modern else connection.capabilities)
        with self._lock:
            if len(self._running) >= MAX_CALLS:
                raise Fault(INTERNAL, f"More than {MAX_CALLS} calls at once: wait until some have ended.")
            if id in connection.calls:
                raise Fault(INVALID_REQUEST, "A request with this id is running.")
            self._last_number += 1
            call = _Call(self._last_number, id, tool, send, can_ask, is_modern)
            self._running[call.number] = connection.calls[id] = call
        level = meta.get(f"{META}logLevel") if is_modern else connection.log_level
        stream = self._make_stream(call, meta.get("progressToken"), level if level in LEVELS else None)
        asyncio.run_coroutine_threadsafe(self._run_call(call, connection, arguments, stream), self._loop)

    async def _run_call(self, call: _Call, connection: Connection, arguments: Message, stream: Send) -> None:
        """Runs a call, after the user's approval if the tool requires it, and sends the result."""
        name, text = call.tool["name"], json.dumps(arguments, ensure_ascii=False)
        try:
            if call.is_cancelled:
                return
            result = await self._refuse_unapproved(call, text)
            if result is None:
                seconds = self._folder_calls.timeout_of(name)
                timer = self._loop.call_later(seconds, self._time_out, call)
                outcome = await self._folder_calls.run(call.number, name, text, self._context | {"call_id": str(call.number)}, stream)
                timer.cancel()
                is_structured = output_schema(call.tool, call.is_modern) is not None
                result = call_result(outcome, is_structured, call.is_modern)
                if call.is_late:
                    result = failed(f"TimeoutError: {name} took longer than {seconds:g} s.")
        except BaseException as error:  # a defect of this server must not leave a client waiting
            result = failed(f"{type(error).__name__}: {error}")
        finally:
            with self._lock:
                self._running.pop(call.number, None)
                connection.calls.pop(call.id, None)
        if not call.is_cancelled:
            call.send(self._make_answer(call.id, result, is_modern=call.is_modern))

    async def _refuse_unapproved(self, call: _Call, arguments: str) -> Message | None:
        """The failed result of a tool that requires approval and does not get it; None if the tool may run."""
        name = call.tool["name"]
        if self._allows or not self._folder_calls.interpreter.decide(name, file_of(name), "requires_approval", arguments):
            return None
        if not call.can_ask:
            return failed(f"{name} requires approval, and this client cannot ask. Start cloche_mcp.py with --allow-approvals.")
        if await self._ask_and_wait(call, f"Run {name}?", arguments):
            return None
        return failed(f"The user did not approve {name}.")

    def _make_stream(self, call: _Call, token: object, level: str | None) -> Send:
        """The function that sends what a running call streams. `token`: the client's progress token; None if it wants
        no progress. `level`: the lowest level of the log lines that it wants; None if it wants none."""
        progress = Progress()

        def stream(batch: dict[str, Any]) -> None:
            if call.is_cancelled:
                return
            if token is not None:
                for update in batch["updates"]:
                    found = progress.of(update["n"], update["json"])
                    if found is not None:
                        call.send(_notification("notifications/progress", {"progressToken": token, **found}))
            if level is not None:
                for params in log_messages(batch, call.tool["name"], level):
                    call.send(_notification("notifications/message", params))

        return stream

    def _receive_notification(self, method: object, params: object, connection: Connection) -> None:
        """Cancels a call; other notifications say nothing that matters here."""
        if method != "notifications/cancelled" or not isinstance(params, dict):
            return
        id = params.get("requestId")
        call = connection.calls.get(id) if type(id) in (str, int) else None
        if call is not None:
            self._cancel_for_client(call)

    def _cancel_for_client(self, call: _Call) -> None:
        if call.number in self._running:
            call.is_cancelled = True
            self._cancel(call)

    def _time_out(self, call: _Call) -> None:
        call.is_late = True
        self._cancel(call)

    def _cancel(self, call: _Call) -> None:
        """Stops a call. If it has asked a question, the answer is no."""
        _settle(call, is_approved=False)
        self._loop.call_soon_threadsafe(self._folder_calls.interpreter.cancel, call.number)

    # Questions

    async def _answer_question(self, number: int, text: str) -> str:
        """Answers a question of an asynchronous handler with JSON text, as the page does."""
        question = json.loads(text)
        if question["ask"] != "approve":
            return json.dumps({"answer": "refused", "error": "ConnectionError", "message": "there is no page to answer this"})
        call = self._running.get(number)
        approved = self._allows
        if not approved and call is not None and call.can_ask:
            approved = await self._ask_and_wait(call, question["question"], question["details"])
        return json.dumps({"answer": "approved", "approved": approved})

    def _approve_and_wait(self, question: str, details: object = None) -> bool:
        """`context.approve` of a plain handler, which holds the main thread."""
        asked: dict[str, Any] = approval_question(question, details)
        call = self._running.get(current_call())
        if self._allows or call is None or not call.can_ask:
            return self._allows
        approval = self._ask(call, asked["question"], asked["details"])
        wait([approval], ANSWER_SECONDS)
        return approval.done() and approval.result()

    async def _ask_and_wait(self, call: _Call, question: str, details: str | None) -> bool:
        """Asks the user, and returns whether they approve in time. A client may disconnect without an answer."""
        approval = asyncio.wrap_future(self._ask(call, question, details))
        await asyncio.wait([approval], timeout=ANSWER_SECONDS)
        return approval.done() and approval.result()

    def _ask(self, call: _Call, question: str, details: str | None) -> Future[bool]:
        """Asks the user through the client, and returns a future for the answer."""
        approval: Future[bool] = Future()
        call.approval = approval
        message = question if details in (None, "{}") else f"{question}\n\n{details}"
        params = {"message": message, "requestedSchema": {"type": "object", "properties": {}}}
        question_id = secrets.token_urlsafe(16)
        self._asking[question_id] = call
        if call.is_modern:
            request = {"method": "elicitation/create", "params": {"mode": "form", **params}}
            result = {"inputRequests": {"approval": request}, "requestState": question_id}
            call.send(self._make_answer(call.id, result, is_modern=True, type="input_required"))
        else:
            call.send({"jsonrpc": "2.0", "id": question_id, "method": "elicitation/create", "params": params})
        return approval

    def _receive_answer(self, message: Message) -> None:
        """Takes an answer from a client of an earlier revision, which got the question as a request."""
        question_id = message.get("id")
        call = self._asking.get(question_id) if isinstance(question_id, str) else None
        if call is not None and not call.is_modern and self._asking.pop(question_id, None) is not None:
            _settle(call, _accepts(message.get("result")))

    def _resume_call(self, id: object, params: Message, tool: Message, connection: Connection, send: Send) -> None:
        """Continues a call whose modern client repeats the request together with the answer to the call's question."""
        question_id, responses = params["requestState"], params.get("inputResponses")
        call = self._asking.get(question_id) if isinstance(question_id, str) else None
        no_call = Fault(BAD_PARAMS, "No call is waiting for this answer: it has ended, or was already answered.")
        if call is None or not call.is_modern or call.tool is not tool:
            raise no_call
        if self._asking.pop(question_id, None) is None:  # another thread has taken an answer in the meantime
            raise no_call
        with self._lock:
            connection.calls.pop(call.id, None)
            connection.calls[id] = call
        call.id, call.send = id, send
        _settle(call, isinstance(responses, dict) and _accepts(responses.get("approval")))

    def _make_answer(self, id: object, result: Message, *, is_modern: bool, type: str = "complete") -> Message:
        if is_modern:
            result = {**result, "resultType": type, "_meta": {f"{META}serverInfo": self._info}}
        return {"jsonrpc": "2.0", "id": id, "result": result}


def _settle(call: _Call, is_approved: bool) -> None:
    """Answers the question of a call, if it has an unanswered one."""
    if call.approval is not None and not call.approval.done():
        call.approval.set_result(is_approved)


def _accepts(response: object) -> bool:
    """Whether the client's response to a question says yes."""
    return isinstance(response, dict) and response.get("action") == "accept"


def read_message(text: str | bytes) -> object:
    """The message in a JSON text. Raises Fault."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Fault(PARSE_ERROR, f"The message is not JSON: {error}") from None


def is_modern_request(params: Message) -> bool:
    """Whether a request belongs to the revision 2026-07-28, which each of its requests names."""
    meta = params.get("_meta")
    return isinstance(meta, dict) and f"{META}protocolVersion" in meta


def check_modern(meta: Message) -> None:
    """Raises Fault if the request names another revision, or does not say what the client can do."""
    version = meta[f"{META}protocolVersion"]
    if version != MODERN:
        data = {"supported": [MODERN], "requested": version}
        raise Fault(BAD_VERSION, f"Unsupported protocol version: {version}", data)
    if not isinstance(meta.get(f"{META}clientCapabilities"), dict):
        raise Fault(BAD_PARAMS, f"_meta needs {META}clientCapabilities.")


def _shows_forms(capabilities: Message) -> bool:
    """Whether the client can ask its user with a form: an empty object for elicitation means forms, too."""
    offered = capabilities.get("elicitation")
    return isinstance(offered, dict) and (not offered or "form" in offered)


def error_message(id: object, fault: Fault) -> Message:
    """The answer that reports a fault; `id` is None where the request has none that could be read."""
    return {"jsonrpc": "2.0", "id": id, "error": fault.error}


def _notification(method: str, params: Message) -> Message:
    return {"jsonrpc": "2.0", "method": method, "params": params}
