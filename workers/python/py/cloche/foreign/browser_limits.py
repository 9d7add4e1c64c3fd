"""Lists the functions of the standard library that fail in a browser tab, and finds calls of them.

`source_uses` asks for each call of a file. `unusable_tools` makes notes of the obstacles.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

# Functions and classes by their full names, with what they do and a hint. An entry that ends with a dot is a whole module.
_CALLS = {
    "input": ("waits for input from a keyboard", "Take the text as a parameter."),
    "subprocess.": ("starts a program", "A browser tab cannot start programs: use Python functions instead."),
    "os.system": ("starts a program", "A browser tab cannot start programs: use Python functions instead."),
    "os.popen": ("starts a program", "A browser tab cannot start programs: use Python functions instead."),
    "os.fork": ("starts a process", "A browser tab cannot start processes."),
    "asyncio.create_subprocess_exec": ("starts a program", "A browser tab cannot start programs."),
    "asyncio.create_subprocess_shell": ("starts a program", "A browser tab cannot start programs."),
    "multiprocessing.": ("starts processes", "A browser tab cannot start processes: do the work in one function."),
    "concurrent.futures.ProcessPoolExecutor": ("starts processes", "Use ThreadPoolExecutor, which works here."),
    "threading.Thread": ("starts a thread", "Use asyncio, or ThreadPoolExecutor, which runs one function after another."),
    "threading.Timer": ("starts a thread", "Use asyncio."),
    "socket.create_server": ("opens a server", "A browser tab cannot be a server."),
    "socketserver.": ("opens a server", "A browser tab cannot be a server."),
    "http.server.": ("opens a server", "A browser tab cannot be a server."),
    "smtplib.": ("connects to a mail server", "A browser tab can only send HTTP requests: use a mail service with an HTTP API."),
    "imaplib.": ("connects to a mail server", "A browser tab can only send HTTP requests: use a mail service with an HTTP API."),
    "poplib.": ("connects to a mail server", "A browser tab can only send HTTP requests: use a mail service with an HTTP API."),
    "ftplib.": ("connects to an FTP server", "A browser tab can only send HTTP requests."),
    "webbrowser.open": ("opens a browser window", "Return the address instead."),
}
_CONSTANTS = frozenset(("subprocess.PIPE", "subprocess.DEVNULL", "subprocess.STDOUT"))
_ERRORS = ("Error", "Exception", "Expired")


class Obstacle(NamedTuple):
    """A call that fails in a browser."""

    line: int
    function: str  # the outermost function or method that makes the call, or a tool inside it; empty at the top level
    name: str  # such as subprocess.run
    what: str  # what the call does, as a verb with its object: "starts a program"
    hint: str


def find_obstacle(line: int, function: str, name: str, makers: Collection[str]) -> Obstacle | None:
    """The obstacle that a call of this name is; None if the name can be called in a browser.

    `function`: the function that makes the call, as "outer.inner" inside a nested function; a class is no part of it.
    `makers`: functions whose inner functions are tools.
    """
    found = _CALLS.get(name) or _CALLS.get(f"{name.rpartition('.')[0]}.")
    if found is None or name in _CONSTANTS or name.endswith(_ERRORS):
        return None
    outer, _, inside = function.partition(".")
    tool = inside.partition(".")[0] if outer in makers else ""
    what, hint = found
    return Obstacle(line, tool or outer, name, what, hint)
