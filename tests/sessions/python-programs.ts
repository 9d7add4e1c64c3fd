/** Programs that use much of Python: classes, closures, comprehensions, context managers, its library. */

import { written, type WrittenProgram } from './written-program.ts';

export const pythonPrograms: readonly WrittenProgram[] = [
  written(
    'main() with arguments and a returned tuple',
    ['Oslo', 2],
    `
from typing import Any, Optional

async def main(city: str, rows: Optional[list[dict[str, Any]]] = None) -> tuple[str, int]:
    rows = rows or await csv_tools.query_csv(f"city\\n{city}\\n{city}")
    return rows[0]["city"], len(rows)

await main("Oslo")`,
  ),
  written(
    'asyncio.run with a result that is printed',
    'Total: 60',
    `
import asyncio, json, re, math, datetime

async def main():
    tasks = [asyncio.create_task(my_shop.get_order(order_id=i)) for i in (1, 2, 3)]
    total = 0
    for t in asyncio.as_completed(tasks):
        total += (await t)["total"]
    return total

print("Total:", asyncio.run(main()))`,
  ),
  written(
    'an agent class with a history',
    ['get_order(1)', 'get_order(2)'],
    `
class Agent:
    def __init__(self, tools):
        self.tools, self.history = tools, []

    async def act(self, name, **arguments):
        self.history.append(f"{name}({', '.join(map(str, arguments.values()))})")
        return await getattr(self.tools, name)(**arguments)

agent = Agent(my_shop)
for n in (1, 2):
    await agent.act("get_order", order_id=n)
agent.history`,
  ),
  written(
    'a plan as data, carried out by name',
    [7, 'a-b', 10],
    `
plan = [
    ("calculator:calculate", {"expression": "3 + 4"}),
    ("text_tools:slugify", {"text": "A b"}),
    ("my-shop:get-order", {"order_id": 1}),
]
results = []
for name, arguments in plan:
    value = await tools[name](**arguments)
    results.append(value if not isinstance(value, dict) else value["total"])
results`,
  ),
  written(
    'calls in batches',
    { batches: 3, sum: 3250 },
    `
from itertools import islice

def batched(values, size):
    iterator = iter(values)
    while batch := list(islice(iterator, size)):
        yield batch

batches = 0
total = 0
for batch in batched(range(1, 26), 10):
    batches += 1
    total += sum(o["total"] for o in await asyncio.gather(*[my_shop.get_order(n) for n in batch]))
{"batches": batches, "sum": total}`,
  ),
  written(
    'a cache in a dictionary, and a global variable',
    [10, 20, 10, 2],
    `
cache = {}
calls = 0

async def order(n):
    global calls
    if n not in cache:
        calls += 1
        cache[n] = await my_shop.get_order(n)
    return cache[n]["total"]

[await order(1), await order(2), await order(1), calls]`,
  ),
  written(
    'nonlocal in a closure',
    3,
    `
def counter():
    count = 0

    async def call(expression):
        nonlocal count
        count += 1
        return await calculator.calculate(expression)

    return call, lambda: count

call, count = counter()
for n in range(3):
    await call(f"{n} + 1")
count()`,
  ),
  written(
    'set, dict and nested comprehensions with await',
    { even: [2, 4], squares: { '1': 1, '2': 4 } },
    `
even = {n for n in range(1, 5) if (await calculator.calculate(f"{n} % 2")) == 0}
squares = {str(n): await calculator.calculate(f"{n} ** 2") for n in (1, 2)}
{"even": sorted(even), "squares": squares}`,
  ),
  written(
    'a conditional expression and chained comparisons',
    'medium',
    `
total = (await my_shop.get_order(order_id=12))["total"]
size = "small" if total < 100 else "medium" if 100 <= total < 200 else "large"
size`,
  ),
  written(
    'numbers that are formatted',
    '1,234.50 EUR / 33.3 % / 0x2a',
    `
import math
amount = await calculator.calculate("1234.5")
share = await calculator.calculate("1 / 3")
f"{amount:,.2f} EUR / {share:.1%} / {math.floor(42.9):#x}".replace("%", " %")`,
  ),
  written(
    'exact integers',
    '2 ** 100 = 1267650600228229401496703205376',
    'print("2 ** 100 =", await calculator.calculate(expression="2 ** 100"))',
  ),
  written(
    'Decimal and Fraction',
    { exact: '0.30', third: '1/3' },
    `
from decimal import Decimal
from fractions import Fraction
each = (await basics.split_bill(total=0.9, people=3))["each"]
{"exact": str(Decimal(str(each)).quantize(Decimal("0.01"))), "third": str(Fraction(1, 3))}`,
  ),
  written(
    'a document that is searched and compared',
    { names: ['Ada', 'Alan'], changes: ['added'] },
    `
document = {"users": [{"name": "Ada"}, {"name": "Alan"}]}
matches = await json_tools.query_json(document=document, path="$.users[*].name")
changes = await json_tools.compare_json(before=document, after={**document, "more": True})
{"names": [m["value"] for m in matches], "changes": [c["change"] for c in changes]}`,
  ),
  written(
    'JSON text that the program parses and writes itself',
    { a: [1, 2] },
    `
text = await csv_tools.convert_table(text="a\\n1\\n2", to="json")
rows = json.loads(text) if isinstance(text, str) else text
print(json.dumps({"a": [row["a"] for row in rows]}, indent=2, ensure_ascii=False))`,
  ),
  written(
    'hashes in parallel, checked by hashlib',
    true,
    `
import hashlib
texts = ["a", "b", "ü"]
hashed = await asyncio.gather(*[encoding__hash_text(text=t) for t in texts])
hashed == [hashlib.sha256(t.encode()).hexdigest() for t in texts]`,
  ),
  written(
    'a context manager and a generator',
    ['begin', 1, 2, 'end'],
    `
from contextlib import asynccontextmanager

steps = []

@asynccontextmanager
async def session():
    steps.append("begin")
    try:
        yield calculator
    finally:
        steps.append("end")

async with session() as calc:
    for n in (1, 2):
        steps.append(await calc.calculate(str(n)))
steps`,
  ),
  written(
    'an enum, a named tuple and sorting by two keys',
    [
      ['paid', 4],
      ['paid', 2],
      ['open', 3],
    ],
    `
from collections import namedtuple
from enum import Enum

class Status(Enum):
    PAID = "paid"
    OPEN = "open"

Row = namedtuple("Row", "status id")
rows = [Row(Status(o["status"]), o["id"]) for o in await asyncio.gather(*map(my_shop.get_order, (2, 3, 4)))]
[[r.status.value, r.id] for r in sorted(rows, key=lambda r: (r.status is Status.OPEN, -r.id))]`,
  ),
  written(
    'an early end when nothing is to be done',
    'Nothing to do.',
    `
orders = (await my_shop.list_orders(page=9))["items"]
if not orders:
    print("Nothing to do.")
    return
print("never")`,
  ),
  written(
    'several prints, of which the last is the answer',
    'Order 1: 10\nOrder 2: 20\nDone',
    `
for n in (1, 2):
    order = await my_shop.get_order(n)
    print("Order", order["id"], end=": ")
    print(order["total"])
print("Done")`,
  ),
  written(
    'an exception with a cause, caught by its cause',
    ['LookupFailed', 'ToolError'],
    `
class LookupFailed(Exception):
    pass

async def total(order_id):
    try:
        return (await my_shop.get_order(order_id))["total"]
    except ToolError as error:
        raise LookupFailed(order_id) from error

try:
    await total(1000)
except LookupFailed as failed:
    shown = [type(failed).__name__, type(failed.__cause__).__name__]
shown`,
  ),
  written(
    'a package of the folder, and none of its files',
    [200, 'ModuleNotFoundError'],
    `
import rates
try:
    import tabular
except ImportError as error:
    missing = type(error).__name__
[rates.EURO * await priced.euro(), missing]`,
  ),
];
