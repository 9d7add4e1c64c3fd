"""Event loops that tools start themselves, and state that a plain program keeps between calls."""

import asyncio
import contextvars
import decimal
import io
import os
from concurrent.futures import ThreadPoolExecutor

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
user = contextvars.ContextVar("user", default="nobody")
finished = []


async def double(number):
    await asyncio.sleep(0)
    return number * 2


async def slow(name):
    try:
        await asyncio.sleep(30)
        finished.append(name)
    except asyncio.CancelledError:
        finished.append(f"{name} cancelled")
        raise


def either(number: int) -> int:
    """Runs its coroutine whether or not a loop is running, as libraries do."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(double(number))
    raise RuntimeError("a loop is running in a plain function")


def twice(number: int) -> list:
    return [asyncio.run(double(number)), asyncio.run(double(number + 1))]


def runner(number: int) -> list:
    with asyncio.Runner() as running:
        return [running.run(double(number)), running.run(double(number + 1))]


def own_loop(number: int) -> list:
    loop = asyncio.new_event_loop()
    try:
        result = loop.run_until_complete(double(number))
    finally:
        loop.close()
    return [result, loop.is_closed(), loop.is_running()]


def gathered(numbers: list) -> list:
    async def all_of_them():
        return await asyncio.gather(*(double(number) for number in numbers))

    return asyncio.run(all_of_them())


def raises() -> None:
    async def fails():
        await asyncio.sleep(0)
        raise LookupError("inside")

    asyncio.run(fails())


def timed_out() -> str:
    async def waits():
        async with asyncio.timeout(0.01):
            await asyncio.sleep(30)

    try:
        asyncio.run(waits())
    except TimeoutError:
        return "timed out"
    return "not timed out"


def leaves_a_task() -> str:
    async def begins():
        asyncio.create_task(slow("plain"))
        await asyncio.sleep(0)
        return "left"

    return asyncio.run(begins())


async def leaves_a_task_async() -> str:
    asyncio.create_task(slow("async"))
    await asyncio.sleep(0)
    return "left"


async def nested() -> str:
    coroutine = double(1)
    try:
        asyncio.run(coroutine)
    except RuntimeError as error:
        return str(error)
    finally:
        coroutine.close()
    return "nested"


def ended() -> list:
    return finished


def generator(numbers: list):
    for number in numbers:
        yield asyncio.run(double(number))


def set_precision(digits: int) -> None:
    decimal.getcontext().prec = digits


def third() -> str:
    return str(decimal.Decimal(1) / 3)


def login(name: str) -> None:
    user.set(name)


def who() -> str:
    return user.get()


async def login_async(name: str) -> str:
    user.set(name)
    await asyncio.sleep(0)
    return user.get()


def go() -> None:
    os.chdir(DATA)


def where() -> str:
    return os.path.basename(os.getcwd())


def go_back() -> None:
    os.chdir(os.path.dirname(DATA))


class Static:
    @staticmethod
    def __call__(x: int) -> int:
        return x + 1


class Document:
    format = "text"
    saved = []

    def save(self, target, format=None):
        self.saved.append(format)


def document() -> Document:
    return Document()


def saved() -> list:
    return Document.saved


def until_stopped() -> list:
    """A loop that runs until it is told to stop."""
    loop, seen = asyncio.new_event_loop(), []
    loop.call_later(0.01, loop.stop)
    loop.call_soon(seen.append, "ran")
    loop.run_forever()
    loop.stop()
    loop.run_forever()
    loop.close()
    return seen


async def named_by_a_factory() -> str:
    """A task made by a factory of the tool's own."""
    loop = asyncio.get_running_loop()
    loop.set_task_factory(lambda loop, coroutine, **options: asyncio.Task(coroutine, loop=loop, **options))
    try:
        task = asyncio.create_task(double(1), name="doubling")
        return f"{task.get_name()} {await task}"
    finally:
        loop.set_task_factory(None)


async def awaited_late() -> str:
    """A task that fails before it is awaited."""

    async def fails():
        raise ValueError("early")

    task = asyncio.create_task(fails())
    await asyncio.sleep(0.01)
    try:
        return await task
    except ValueError as error:
        return f"caught {error}"


async def in_the_past() -> str:
    """A callback for a time that is over."""
    loop = asyncio.get_running_loop()
    done = loop.create_future()
    loop.call_at(loop.time() - 1, done.set_result, "at once")
    return await done


def in_threads(numbers):
    """Squares in a pool of threads, whose order is that of the arguments."""
    with ThreadPoolExecutor(max_workers=4) as pool:
        later = pool.submit(sum, numbers)
        return {"squares": list(pool.map(lambda number: number * number, numbers)), "sum": later.result()}


def _spec(name, handler, /, **properties):
    return {
        "name": f"loops:{name}",
        "description": f"Shows {name}.",
        "parameters": {
            "type": "object",
            "properties": {key: {"type": kind} for key, kind in properties.items()},
            "required": list(properties),
        },
        "handler": handler,
    }


TOOL_SPECS = [
    _spec("either", either, number="integer"),
    _spec("twice", twice, number="integer"),
    _spec("runner", runner, number="integer"),
    _spec("own_loop", own_loop, number="integer"),
    _spec("gathered", gathered, numbers="array"),
    _spec("raises", raises),
    _spec("timed_out", timed_out),
    _spec("leaves_a_task", leaves_a_task),
    _spec("leaves_a_task_async", leaves_a_task_async),
    _spec("nested", nested),
    _spec("ended", ended),
    _spec("in_threads", in_threads, numbers="array"),
    _spec("generator", generator, numbers="array"),
    _spec("set_precision", set_precision, digits="integer"),
    _spec("third", third),
    _spec("login", login, name="string"),
    _spec("who", who),
    _spec("login_async", login_async, name="string"),
    _spec("go", go),
    _spec("where", where),
    _spec("go_back", go_back),
    _spec("static", Static(), x="integer"),
    _spec("document", document),
    _spec("saved", saved),
    _spec("until_stopped", until_stopped),
    _spec("named_by_a_factory", named_by_a_factory),
    _spec("awaited_late", awaited_late),
    _spec("in_the_past", in_the_past),
]
