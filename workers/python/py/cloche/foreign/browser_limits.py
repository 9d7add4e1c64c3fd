"""Says what a file does that a browser tab cannot do, and which of its tools can be used in spite of that."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

# Functions and classes, by the names under which the standard library has them. An entry may end with a dot.
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
    function: str  # the outermost function or method that makes the call, or one that is registered; empty at the top level
    name: str  # such as subprocess.run
    what: str
    hint: str


def obstacle(line: int, function: str, name: str, outside: Collection[str]) -> Obstacle | None:
    """The obstacle that calling this name is; None if it can be called. `outside`: functions whose inner functions
    are tools."""
    found = _CALLS.get(name) or _CALLS.get(f"{name.rpartition('.')[0]}.")
    if found is None or name in _CONSTANTS or name.endswith(_ERRORS):
        return None
    outer, _, inner = function.partition(".")
    return Obstacle(line, inner.partition(".")[0] if inner and outer in outside else outer, name, *found)


def users_of(names: Iterable[str], reads: Mapping[str, set[str]]) -> set[str]:
    """The functions that read one of these names, also through other functions. `reads`: the names by function."""
    found: set[str] = set()
    wanted = set(names)
    while True:
        more = {function for function, read in reads.items() if function not in found and read & wanted}
        if not more:
            return found
        found |= more
        wanted = more


def usable(tools: Iterable[tuple[str, str]], failing: set[str]) -> str:
    """The sentence on which tools work. `tools`: each tool's name and the name of its function."""
    listed = list(tools)
    works = [name for name, function in listed if function not in failing]
    if len(works) == len(listed):
        return "No tool uses it."
    if not works:
        return "No tool of this file works without it." if len(listed) > 1 else ""
    more = f" and {len(works) - 5} more" if len(works) > 5 else ""
    return f"These tools work: {', '.join(works[:5])}{more}."
