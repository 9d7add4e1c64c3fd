"""Sends what one call streams while it runs: updates, printed text and log lines, in timed batches."""

from __future__ import annotations

from asyncio import AbstractEventLoop, TimerHandle
from collections.abc import Callable, Sized

from .json_text import encode, quote
from .limits import (
    BATCH_SECONDS,
    LOG_LINE_CHARACTERS,
    LOG_LINES,
    MEGABYTE,
    PRINTED_CHARACTERS,
    STREAM_CHARACTERS_PER_SECOND,
    UPDATE_CHARACTERS,
    UPDATES_KEPT,
    WAITING_PRINTED_CHARACTERS,
    WAITING_UPDATE_CHARACTERS,
)

LEVELS = ("debug", "info", "warning", "error")


def check_level(level: str) -> None:
    """Raises ValueError where `level` is not one of LEVELS."""
    if level not in LEVELS:
        raise ValueError(f"level must be one of {', '.join(LEVELS)}, not {level!r}")


class CallOutput:
    """Collects the output of one call. After the result has been sent, further output is ignored.

    `running` holds all running calls: they share the limit of what an interpreter may send per second.
    """

    # Defaults of the class, since most calls stream nothing.
    closed = False
    dropped_characters = 0
    _held: str | None = None  # a result from before `release`, which returns it instead of sending it
    _holding = True
    _timer: TimerHandle | None = None
    _next_batch = 0.0
    _printed = 0  # characters
    _logged = 0  # lines
    _count = 0  # of updates
    _has_batch = False

    def __init__(
        self,
        call_id: int,
        emit: Callable[[str, str], None],
        now: Callable[[], float],
        loop: AbstractEventLoop | None,
        running: Sized,
    ) -> None:
        self.call_id = call_id
        self._emit = emit
        self._now = now
        self._loop = loop
        self._running = running

    def write(self, stream: str, text: str) -> None:
        """Adds printed text. Text beyond the limit is only counted."""
        kept = self._keep(text)
        if kept:
            self._begin_batch()
            (self._out if stream == "out" else self._err).append(kept)
            self._waiting += len(kept)
            if kept[-1] == "\n" or self._waiting > WAITING_PRINTED_CHARACTERS:
                self._send_by_clock()

    def flush(self) -> None:
        """Sends printed text as soon as the next batch is due."""
        if self._has_batch and self._waiting and not self.closed:
            self._send_by_clock()

    def log(self, message: object, level: str = "info") -> None:
        """Writes a line to the call's log. Raises ValueError if the level is not one of LEVELS."""
        check_level(level)
        text = str.__str__(message) if isinstance(message, str) else str(message)
        self._logged += 1
        if self._logged > LOG_LINES:
            self.dropped_characters += len(text)
            return
        kept = self._keep(text)[:LOG_LINE_CHARACTERS]
        if kept:
            self._begin_batch()
            self._log.append(f'{{"level":"{level}","message":{quote(kept)}}}')
            self._send_by_clock()

    def update(self, value: object) -> None:
        """Adds an update: see `take_update`."""
        self.take_update(value)

    def take_update(self, value: object) -> float:
        """Adds an update. Returns the current time, which the caller then need not read again.

        Raises TypeError with type and path if the value is not JSON, and ValueError if it exceeds the limit.
        """
        text = encode(value)
        if len(text) > UPDATE_CHARACTERS:
            size, limit = len(text) / MEGABYTE, UPDATE_CHARACTERS // MEGABYTE
            raise ValueError(f"the update is {size:.1f} MB, more than the limit of {limit} MB for one update")
        now = self._now()
        if self.closed:
            return now
        number = self._count
        self._count = number + 1
        quoted = quote(text)
        self._begin_batch()
        room = WAITING_UPDATE_CHARACTERS - self._update_characters
        if number < UPDATES_KEPT and len(quoted) < room and not self._latest:
            self._updates.append((number, quoted))
            self._update_characters += len(quoted)
        else:
            if self._latest:
                self._dropped += 1
            self._latest = (number, quoted)
        if now >= self._next_batch:
            self._send(now)
        else:
            self._arrange_sending(now)
        return now

    def finish(self, payload: str) -> None:
        """Sends waiting output and then the result, once. A second result is ignored."""
        if self.closed:
            return
        self._send(0.0)
        self.closed = True
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._holding:
            self._held = payload
        else:
            self._emit(f'{{"t":"result","id":{self.call_id}}}', payload)

    def release(self) -> str:
        """The payload of a result that is available at once, or "" if there is none yet; a later result is emitted."""
        self._holding = False
        return self._held or ""

    def _keep(self, text: str) -> str:
        """The beginning of a printed text, up to the limit of the call. The rest is only counted."""
        if self.closed:
            return ""
        room = PRINTED_CHARACTERS - self._printed
        if len(text) > room:
            self.dropped_characters += len(text) - room
            text = text[:room]
        self._printed += len(text)
        return text

    def _send_by_clock(self) -> None:
        """Sends the batch now if the time of the next one has come, else at that time."""
        now = self._now()
        if now >= self._next_batch:
            self._send(now)
        else:
            self._arrange_sending(now)

    def _arrange_sending(self, now: float) -> None:
        """Sends the batch when its time has come, unless that is arranged already."""
        if self._timer is None and self._loop is not None:
            self._timer = self._loop.call_later(self._next_batch - now, self._send_on_timer)

    def _send_on_timer(self) -> None:
        self._timer = None
        if not self.closed:
            self._send(self._now())

    def _begin_batch(self) -> None:
        """Begins a batch, unless one waits."""
        if self._has_batch:
            return
        self._has_batch = True
        self._updates: list[tuple[int, str]] = []  # each with its number in the call
        self._latest: tuple[int, str] | None = None  # the last update, once the batch is full
        self._dropped = 0  # updates between those of the full batch and the last one
        self._update_characters = 0
        self._out: list[str] = []
        self._err: list[str] = []
        self._log: list[str] = []
        self._waiting = 0  # characters of printed text

    def _send(self, now: float) -> None:
        """Sends the batch that waits, if there is one."""
        if not self._has_batch:
            return
        self._has_batch = False
        updates = self._updates
        if self._latest:
            updates.append(self._latest)
        listed = ",".join([f'{{"n":{number},"json":{quoted}}}' for number, quoted in updates])
        payload = (
            f'{{"updates":[{listed}],"dropped":{self._dropped},"out":{quote("".join(self._out))},'
            f'"err":{quote("".join(self._err))},"log":[{",".join(self._log)}]}}'
        )
        # Running calls share the rate of batches. Large ones are sent less often, to limit the amount of data per second.
        rest = BATCH_SECONDS * max(1, len(self._running))
        self._next_batch = now + max(rest, len(payload) / STREAM_CHARACTERS_PER_SECOND)
        self._emit(f'{{"t":"stream","id":{self.call_id}}}', payload)
