"""The command: python3 cloche_mcp.py FOLDER"""

from __future__ import annotations

import argparse
import asyncio
import os
import secrets
import signal
import sys
import tempfile
from pathlib import Path

from ..raw_output import RawOutput
from .http import serve_http
from .server import Server
from .stdio import serve_stdio

UNUSABLE, INTERRUPTED = 2, 130
TOKEN_VARIABLE = "CLOCHE_MCP_TOKEN"


def main(arguments: list[str], version: str, beside: str) -> int:
    """Runs the command until its client has gone; returns its exit code. `beside` is the folder of cloche_mcp.py."""
    options = _parser().parse_args(arguments)
    folder = Path(options.folder or beside).resolve()
    if not folder.is_dir():
        print(f"{options.folder} is not a folder.", file=sys.stderr)
        return UNUSABLE
    if options.http is None and sys.stdin is None:
        print("The standard input is closed: MCP clients start this program themselves. To serve other clients, use --http.", file=sys.stderr)
        return UNUSABLE
    # A plain handler holds the main thread, so that nothing softer would end it.
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
    asyncio.run(_serve(folder, options, version))
    return 0


async def _serve(folder: Path, options: argparse.Namespace, version: str) -> None:
    """Serves the folder until the client has gone; over HTTP, until the program is ended."""
    # Shells of Windows begin a text with a byte order mark, and Python would end lines as Windows does.
    requests = os.fdopen(os.dup(0), encoding="utf-8-sig", errors="replace", newline="\n") if options.http is None else None
    # Half of a surrogate pair becomes a JSON escape, since UTF-8 cannot encode it.
    out = os.open(os.devnull, os.O_WRONLY) if sys.stdout is None else os.dup(1)
    answers = os.fdopen(out, "w", encoding="utf-8", errors="backslashreplace", newline="\n")
    err = os.open(os.devnull, os.O_WRONLY) if sys.stderr is None else os.dup(2)
    errors = os.fdopen(err, "w", encoding="utf-8", errors="backslashreplace")
    # Text that tools print, also in subprocesses or C code, must not look like an answer.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        raw = RawOutput(place)
    loop = asyncio.get_running_loop()
    info = {"name": options.name or folder.name, "version": version}
    server = Server(folder, loop, raw, errors, info, options.workspace, options.allow_approvals)
    ended = asyncio.Event()
    if requests is not None:
        serve_stdio(server, requests, answers, lambda: loop.call_soon_threadsafe(ended.set))
    else:
        token = os.environ.get(TOKEN_VARIABLE) or secrets.token_urlsafe(24)
        listening = serve_http(server, options.http, token, options.allow_origin)
        address = f"http://127.0.0.1:{listening.server_address[1]}"
        answers.write(f"{address}/mcp\nAuthorization: Bearer {token}\n")
        answers.write(f"Without that header: {address}/{token}/mcp\n")
        answers.flush()
    await ended.wait()


def _parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="cloche_mcp.py",
        description="Serves the tools of a folder to MCP clients over standard input and output. The tools run WITHOUT a"
        " sandbox, with your rights: serve only files that you trust.",
    )
    parser.add_argument("folder", nargs="?", help="the tools folder; by default the one that this file is in")
    parser.add_argument("--name", help="the name that clients show; by default that of the folder")
    parser.add_argument("--http", type=int, metavar="PORT", help="serve HTTP at 127.0.0.1 instead; 0 chooses a port")
    parser.add_argument("--allow-origin", action="append", default=[], metavar="ORIGIN", help="let pages of this origin call, such as http://localhost:4173; may be repeated")
    parser.add_argument("--workspace", metavar="DIR", help="the folder that tools get as context.workspace_path")
    parser.add_argument("--allow-approvals", action="store_true", help="run tools that require approval, and answer their questions with yes")
    return parser
