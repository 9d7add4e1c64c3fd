/** Programs that attack what runs them, and what the model sees of each. */

interface HostileProgram {
  readonly title: string;
  readonly code: string;
  readonly shows: RegExp;
}

const hostile = (title: string, shows: RegExp, code: string): HostileProgram => ({
  title,
  shows,
  code,
});

export const hostilePrograms: readonly HostileProgram[] = [
  hostile(
    'trace and profile functions that raise',
    /traced/,
    `
import sys
def spy(frame, event, arg):
    raise SystemExit("traced")
sys.settrace(spy)
await my_shop.get_order(1)
sys.setprofile(spy)`,
  ),
  hostile(
    'questions to the page as other calls',
    /done True$/,
    `
import gc
from cloche import asking
asks = [one for one in gc.get_objects() if getattr(one, "__name__", "") == "ask"]
call = {"ask": "call", "tool": "my-shop:get-order", "arguments": '{"order_id": 2}'}
forged = json.dumps({**call, "parent": "another", "caller": "user", "id": "mine"})
for call_id in (0, 1, 2, 99_999, -1):
    try:
        await asyncio.wait_for(asking._ask(call_id, forged), 0.5)
    except BaseException as error:
        print(type(error).__name__)
print("done", len(asks) > 0)`,
  ),
  hostile(
    'an event loop without its methods',
    /^closed$/,
    `
loop = asyncio.get_running_loop()
loop.stop()
loop.close()
loop.call_soon = loop.call_later = loop.create_task = None
"closed"`,
  ),
  hostile(
    'built-in names that are gone',
    /Error/,
    `
import builtins
names = vars(builtins)
for name in list(names):
    names[name] = None
print("x")`,
  ),
  hostile(
    'tasks of a class of its own',
    /mine$/,
    `
class Mine(asyncio.Task):
    def cancel(self, *given):
        return False
    def __del__(self, make=asyncio.ensure_future, call=my_shop.get_order):
        make(call(9))
asyncio.get_running_loop().set_task_factory(lambda loop, work, **more: Mine(work, loop=loop))
kept = asyncio.create_task(my_shop.get_order(1))
await kept
left = asyncio.create_task(asyncio.sleep(0.2))
"mine"`,
  ),
  hostile(
    'an object that calls when it is deleted',
    /^kept$/,
    `
class Late:
    def __del__(self, make=asyncio.ensure_future, call=my_shop.get_order):
        make(call(7))
late = Late()
"kept"`,
  ),
  hostile(
    'an exception with an endless message',
    /^Bad: x+…/,
    `
class Bad(Exception):
    def __str__(self):
        return "x" * 50_000_000
raise Bad()`,
  ),
  hostile(
    'halves of characters',
    /returned/,
    String.raw`
print("\ud800 printed")
try:
    await my_shop.search(**{"from": "\udfff"})
except Exception as error:
    print(type(error).__name__)
"\ud83d returned"`,
  ),
  hostile(
    'a result of 100,000 levels',
    /RecursionError/,
    `
deep = []
for _ in range(100_000):
    deep = [deep]
deep`,
  ),
  hostile(
    'a json module without functions',
    /takes values that JSON has|total/,
    `
import json.decoder, json.encoder
json.dumps = json.loads = json.JSONEncoder = json.JSONDecoder = None
json.encoder.encode_basestring = json.encoder.c_make_encoder = json.decoder.scanner = None
order = await my_shop.get_order(1)
{"total": order["total"]}`,
  ),
  hostile(
    'generators that call when they are closed',
    /^half$/,
    `
def endless():
    try:
        while True:
            yield 1
    finally:
        asyncio.ensure_future(my_shop.get_order(8))
half = endless()
next(half)
async def pages():
    try:
        yield await my_shop.get_order(1)
        yield 2
    finally:
        await my_shop.get_order(2)
rest = pages()
await anext(rest)
"half"`,
  ),
  hostile(
    'a context of another call',
    /forged$/,
    `
import contextvars
from cloche.streams import sink
class Forged:
    closed = False
    def write(self, *_): pass
    def flush(self): pass
for call_id in (1, 2, 3, 10**9):
    forged = Forged()
    forged.call_id = call_id
    context = contextvars.copy_context()
    context.run(sink.set, forged)
    task = asyncio.get_running_loop().create_task(my_shop.get_order(4), context=context)
    try:
        await asyncio.wait_for(task, 0.5)
    except BaseException as error:
        print(type(error).__name__)
"forged"`,
  ),
  hostile(
    'signals',
    /./,
    `
import signal
signal.signal(signal.SIGINT, lambda *_: None)
signal.raise_signal(signal.SIGINT)
signal.raise_signal(signal.SIGTERM)
"signals"`,
  ),
  hostile('an exit of the process', /./, 'import os\nos._exit(3)'),
  hostile('an abort of the process', /./, 'import os\nos.abort()'),
  hostile(
    'a thousand tasks that are cancelled at once',
    /^900 CancelledError$/,
    `
tasks = [asyncio.create_task(long_jobs.wait(seconds=50)) for _ in range(900)]
await asyncio.sleep(0.2)
for task in tasks:
    task.cancel()
ends = await asyncio.gather(*tasks, return_exceptions=True)
print(len(ends), *{type(end).__name__ for end in ends})`,
  ),
  hostile(
    '100,000 calls at once',
    /went on after 1,000 calls/,
    'await asyncio.gather(*[my_shop.get_order(1) for _ in range(100_000)], return_exceptions=True)',
  ),
  hostile(
    'functions of tools that are replaced, in all their places',
    /^30 \['mine', 'mine'\]$/,
    `
import sys
async def mine(*_, **__):
    return "mine"
asking = sys.modules["cloche.asking"]
own = asking.ask
shop = my_shop.get_order
my_shop.get_order = tools._functions["my-shop:get-order"] = my_shop__get_order = mine
said = [await my_shop.get_order(3), await tools["my-shop:get-order"](3)]
asking.ask = None
sys.modules["cloche.program_tools"]._called = sys.modules["cloche.program_tools"].ToolError = None
try:
    await shop(3)
except BaseException as error:
    pass
asking.ask = own
print(30, said)`,
  ),
  hostile(
    'a result that changes while it is read',
    /text/,
    `
class Changing(dict):
    def items(self):
        self.clear()
        self["n"] = self
        return [("a", self), ("b", 1)]
class Text(str):
    def __len__(self):
        return -1
[Changing(x=1), Text("text")]`,
  ),
  hostile(
    'a stack without a limit',
    /./,
    `
import sys
sys.setrecursionlimit(2**31 - 1)
def deep(n):
    return deep(n + 1)
deep(0)`,
  ),
  hostile(
    'modules that are gone',
    /gone/,
    `
import sys
for name in list(sys.modules):
    if name != "sys":
        sys.modules.pop(name)
sys.meta_path.clear()
sys.path.clear()
"gone"`,
  ),
  hostile(
    'an exit in a task',
    /task/,
    `
async def ends():
    raise SystemExit("sub")
try:
    await asyncio.gather(ends(), my_shop.get_order(1))
except BaseException as error:
    print(type(error).__name__)
"task"`,
  ),
  hostile(
    'a call that is awaited twice',
    /dict/,
    `
call = my_shop.get_order(1)
both = [asyncio.ensure_future(call), asyncio.ensure_future(call)]
ends = await asyncio.gather(*both, return_exceptions=True)
call.close()
sorted(type(end).__name__ for end in ends)`,
  ),
];

/** Programs that make a call, and then do not end by themselves. */
export const stuckPrograms: readonly Omit<HostileProgram, 'shows'>[] = [
  {
    title: 'an exception whose message never ends',
    code: `
class Endless(Exception):
    def __str__(self):
        while True:
            pass
await my_shop.get_order(1)
raise Endless()`,
  },
  {
    title: 'an object that is awaited forever',
    code: `
class Spin:
    def __await__(self):
        while True:
            yield
await my_shop.get_order(1)
await Spin()`,
  },
  {
    title: 'a task that refuses to end',
    code: `
async def stays():
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            pass
asyncio.create_task(stays())
await my_shop.get_order(1)
await asyncio.sleep(3600)`,
  },
  {
    title: 'an event loop whose class is broken',
    code: `
await my_shop.get_order(1)
type(asyncio.get_running_loop()).call_soon = None
await asyncio.sleep(1)`,
  },
];
