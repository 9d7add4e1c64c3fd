"""Gives system errors the text that they have on Linux: Pyodide uses WASI's numbers and another library's texts.

No other Python would print `[Errno 44] No such file or directory`. Only the text is changed: `errno` and an error's
attributes keep the numbers of this Python.
"""

from __future__ import annotations

import errno
import gc
import os
import sys
from collections.abc import Callable, Iterator

# Number and text on Linux, without errors that need a network, a process or a device.
_ON_LINUX = {
    "EPERM": (1, "Operation not permitted"),
    "ENOENT": (2, "No such file or directory"),
    "ESRCH": (3, "No such process"),
    "EINTR": (4, "Interrupted system call"),
    "EIO": (5, "Input/output error"),
    "ENXIO": (6, "No such device or address"),
    "E2BIG": (7, "Argument list too long"),
    "ENOEXEC": (8, "Exec format error"),
    "EBADF": (9, "Bad file descriptor"),
    "ECHILD": (10, "No child processes"),
    "EAGAIN": (11, "Resource temporarily unavailable"),
    "ENOMEM": (12, "Cannot allocate memory"),
    "EACCES": (13, "Permission denied"),
    "EFAULT": (14, "Bad address"),
    "EBUSY": (16, "Device or resource busy"),
    "EEXIST": (17, "File exists"),
    "EXDEV": (18, "Invalid cross-device link"),
    "ENODEV": (19, "No such device"),
    "ENOTDIR": (20, "Not a directory"),
    "EISDIR": (21, "Is a directory"),
    "EINVAL": (22, "Invalid argument"),
    "EMFILE": (24, "Too many open files"),
    "ENOTTY": (25, "Inappropriate ioctl for device"),
    "EFBIG": (27, "File too large"),
    "ENOSPC": (28, "No space left on device"),
    "ESPIPE": (29, "Illegal seek"),
    "EROFS": (30, "Read-only file system"),
    "EMLINK": (31, "Too many links"),
    "EPIPE": (32, "Broken pipe"),
    "EDOM": (33, "Numerical argument out of domain"),
    "ERANGE": (34, "Numerical result out of range"),
    "EDEADLK": (35, "Resource deadlock avoided"),
    "ENAMETOOLONG": (36, "File name too long"),
    "ENOSYS": (38, "Function not implemented"),
    "ENOTEMPTY": (39, "Directory not empty"),
    "ELOOP": (40, "Too many levels of symbolic links"),
    "EOVERFLOW": (75, "Value too large for defined data type"),
    "EILSEQ": (84, "Invalid or incomplete multibyte or wide character"),
    "ENOTSOCK": (88, "Socket operation on non-socket"),
    "EOPNOTSUPP": (95, "Operation not supported"),
    "ECONNABORTED": (103, "Software caused connection abort"),
    "ECONNRESET": (104, "Connection reset by peer"),
    "ETIMEDOUT": (110, "Connection timed out"),
    "ECONNREFUSED": (111, "Connection refused"),
    "EHOSTUNREACH": (113, "No route to host"),
}

Words = tuple[int, str]
_Method = Callable[[BaseException], str]

# A type is a structure in C (PyTypeObject). Its slots point to the C functions that `repr` and `str` call.
# These are offsets in bytes from its start, where a pointer has 32 bits: of tp_repr and tp_str, and of tp_flags.
_SLOTS = {"__repr__": 44, "__str__": 68}
_FLAGS = 84


def words_on_linux(number: object, text: object) -> Words | None:
    """Linux's text for error `number`; None if `text` is not the system's own text for that number."""
    if type(number) is not int or type(text) is not str or text != os.strerror(number):
        return None
    return _ON_LINUX.get(errno.errorcode.get(number, ""))


def install() -> None:
    """Makes `str` and `repr` of these errors return Linux's text. Does nothing outside the browser."""
    if sys.platform != "emscripten" or OSError.__str__ is _os_error_text:
        return
    _replace(OSError, "__str__", _os_error_text)
    _replace(OSError, "__repr__", _repr)
    _replace(OverflowError, "__str__", _overflow_text)
    _replace(OverflowError, "__repr__", _repr)


_plain_text: _Method = OSError.__str__
_plain_overflow: _Method = OverflowError.__str__
_plain_repr: _Method = BaseException.__repr__


def _os_error_text(self: OSError) -> str:
    text = _plain_text(self)
    words = words_on_linux(self.errno, self.strerror)
    here = f"[Errno {self.errno}] {self.strerror}"
    if words is None or not text.startswith(here):
        return text
    return f"[Errno {words[0]}] {words[1]}{text[len(here) :]}"


def _overflow_text(self: OverflowError) -> str:
    words = words_on_linux(*self.args) if len(self.args) == 2 else None
    # The text of an exception with several arguments is that of the tuple.
    return _plain_overflow(self) if words is None else str(words)


def _repr(self: BaseException) -> str:
    words = words_on_linux(*self.args[:2]) if len(self.args) >= 2 else None
    return _plain_repr(self) if words is None else f"{type(self).__name__}{(*words, *self.args[2:])!r}"


def _replace(kind: type, name: str, method: Callable[..., str]) -> None:
    """Replaces a method of a built-in class and its subclasses, which Python itself does not allow."""
    # `Word` is like ctypes.c_uint, for which all of ctypes would have to be imported.
    from _ctypes import _SimpleCData

    class Word(_SimpleCData):
        _type_ = "I"

    def word(one: type, offset: int) -> Word:
        return Word.from_address(id(one) + offset)

    # The slot of a class with a method in Python points to the C function that looks the method up and calls it.
    calls_python = type("Calls", (Exception,), {name: method})
    if word(kind, _FLAGS).value != kind.__flags__:  # types look different in this Python: leave them unchanged
        return
    slot = _SLOTS[name]
    before = word(kind, slot).value
    # `__dict__` is a read-only view, and refers only to the dict itself.
    gc.get_referents(kind.__dict__)[0][name] = method
    # Each subclass has a copy of the pointer, unless it has a method of its own.
    for one in _with_subclasses(kind):
        if word(one, slot).value == before:
            word(one, slot).value = word(calls_python, slot).value
    # Python remembers which method it has found for a type and a name.
    forget = getattr(sys, "_clear_internal_caches", None) or sys._clear_type_cache
    forget()


def _with_subclasses(kind: type) -> Iterator[type]:
    yield kind
    for one in kind.__subclasses__():
        yield from _with_subclasses(one)
