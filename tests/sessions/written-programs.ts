/** Programs in the styles in which models write them for public tool-use tasks, and what each shows. */

import { written, type WrittenProgram } from './written-program.ts';

const main = `import asyncio

async def main():
    bill = await basics.split_bill(total=100, people=4)
    return bill["each"]
`;

export const writtenPrograms: readonly WrittenProgram[] = [
  written(
    'nested loops, and a dict comprehension',
    { '10/2': 5, '10/3': 3.33, '20/2': 10, '20/3': 6.66 },
    `
totals = {}
for people in (2, 3):
    for total in (10, 20):
        bill = await basics.split_bill(total=total, people=people)
        totals[f"{total}/{people}"] = bill["each"]
{key: value for key, value in sorted(totals.items())}`,
  ),
  written(
    'gather with a generator of calls',
    [0, 1, 4, 9, 16],
    `
import asyncio
print(await asyncio.gather(*(calculator.calculate(f"{n} ** 2") for n in range(5))))`,
  ),
  written(
    'main() that prints JSON, below __name__',
    { km: 1, m: 1000 },
    `
import asyncio
import json

async def main():
    results = {}
    for unit in ["km", "m"]:
        results[unit] = await units.convert_unit(value=1000, from_unit="m", to_unit=unit)
    print(json.dumps(results))

if __name__ == "__main__":
    asyncio.run(main())`,
  ),
  written(
    'main() whose value is returned, below __name__',
    25,
    `${main}\nif __name__ == "__main__":\n    asyncio.run(main())`,
  ),
  written(
    'a running loop, as in a notebook',
    25,
    `${main}
try:
    loop = asyncio.get_running_loop()
except RuntimeError:
    loop = None
if loop and loop.is_running():
    loop.create_task(main())
else:
    asyncio.run(main())`,
  ),
  written(
    'nest_asyncio and run_until_complete',
    25,
    `import nest_asyncio
nest_asyncio.apply()
${main}
loop = asyncio.get_event_loop()
try:
    result = loop.run_until_complete(main())
finally:
    loop.close()
print(result)`,
  ),
  written(
    'main() without await',
    25,
    `
async def main():
    bill = await basics.split_bill(total=100, people=4)
    print(bill["each"])

main()`,
  ),
  written(
    'errors that are caught by their class',
    ['ToolError', 4, 'ToolError'],
    `
values = []
for expression in ["1 / 0", "2 + 2", "nope"]:
    try:
        values.append(await calculator.calculate(expression=expression))
    except ToolError as e:
        values.append(type(e).__name__)
values`,
  ),
  written(
    'errors that gather returns',
    ['failed', 2],
    `
results = await asyncio.gather(
    calculator.calculate("1 / 0"), calculator.calculate("4 / 2"), return_exceptions=True
)
["failed" if isinstance(r, Exception) else r for r in results]`,
  ),
  written(
    'a helper that tries again',
    'a worked',
    `
import inspect

async def with_retry(fn, *args, attempts=4, **kwargs):
    for attempt in range(attempts):
        try:
            result = fn(*args, **kwargs)
            return await result if inspect.isawaitable(result) else result
        except Exception as e:
            if attempt == attempts - 1:
                raise
            await asyncio.sleep(0.01 * 2**attempt)

await with_retry(my_shop.flaky, "a", fails=2)`,
  ),
  written(
    'a decorator that tries again',
    'b worked',
    `
import functools

def retry(times):
    def decorate(fn):
        @functools.wraps(fn)
        async def wrapper(*args, **kwargs):
            last = None
            for _ in range(times):
                try:
                    return await fn(*args, **kwargs)
                except ToolError as e:
                    last = e
            raise last
        return wrapper
    return decorate

@retry(times=3)
async def fetch(key):
    return await my_shop.flaky(key=key, fails=2)

print(await fetch("b"))`,
  ),
  written(
    'pages until there is none',
    '25 orders, total 3250',
    `
orders, page = [], 1
while True:
    batch = await my_shop.list_orders(page=page)
    orders.extend(batch["items"])
    if not batch.get("next_page"):
        break
    page = batch["next_page"]
print(f"{len(orders)} orders, total {sum(o['total'] for o in orders)}")`,
  ),
  written(
    'pages from an asynchronous generator',
    25,
    `
async def pages():
    page = 1
    while page:
        batch = await my_shop.list_orders(page=page)
        yield batch["items"]
        page = batch["next_page"]

count = 0
async for items in pages():
    count += len(items)
count`,
  ),
  written(
    'dates, and sorting by a key',
    ['2024-03-29', '2024-03-28', '2024-03-27'],
    `
from datetime import date, timedelta
start = date(2024, 2, 27)
days = [(start + timedelta(days=n)).isoformat() for n in range(3)]
shifted = await asyncio.gather(*[dates.shift_date(start=d, months=1) for d in days])
[one["date"] for one in sorted(shifted, key=lambda one: one["date"], reverse=True)]`,
  ),
  written(
    'regular expressions',
    'example.com, example.org',
    `
import re
text = "Write to ada@example.org or bob@example.com by 2024-05-01."
found = await text_tools.extract(text=text, kind="email")
domains = sorted({re.sub(r".*@", "", address) for address in found})
", ".join(domains)`,
  ),
  written(
    'a dataclass, a class with a cache, a property',
    [{ id: 25, total: 250 }],
    `
from __future__ import annotations
from dataclasses import dataclass, asdict

@dataclass
class Order:
    id: int
    total: float

    @property
    def big(self) -> bool:
        return self.total > 200

class Shop:
    def __init__(self):
        self.cache: dict[int, Order] = {}

    async def order(self, order_id: int) -> Order:
        if order_id not in self.cache:
            raw = await my_shop.get_order(order_id=order_id)
            self.cache[order_id] = Order(id=raw["id"], total=raw["total"])
        return self.cache[order_id]

shop = Shop()
found = [await shop.order(n) for n in (1, 25, 1)]
[asdict(o) for o in found if o.big]`,
  ),
  written(
    'a return at the top level, and a positional argument',
    { first: 3 },
    `
for n in range(1, 26):
    order = await my_shop.get_order(n)
    if order["total"] >= 30:
        return {"first": order["id"]}`,
  ),
  written(
    'parameters that are no names of Python',
    [
      { from: '2024-01-01', 'sort-by': 'total' },
      { from: 'a', 'sort-by': 'b' },
    ],
    `
first = await my_shop.search(from_="2024-01-01", sort_by="total")
second = await my_shop.search(**{"from": "a", "sort-by": "b"})
[first, second]`,
  ),
  written(
    'tools from a table of functions, and by getattr',
    [42, { count: 3 }],
    `
operations = {"describe": stats.describe_numbers}
answer = await getattr(calculator, "calculate")("6 * 7")
described = await operations["describe"]([1, 2, 3])
[answer, {"count": described["count"]}]`,
  ),
  written(
    'from tools import',
    [2, 1],
    `
from tools import calculator, my_shop as shop
[await calculator.calculate("1 + 1"), (await shop.get_order(1))["id"]]`,
  ),
  written(
    'import tools',
    1024,
    'import tools\nawait tools.calculator.calculate(expression="2 ** 10")',
  ),
  written('the name that the provider has', 2, 'await calculator__calculate(expression="1 + 1")'),
  written(
    'the exact name',
    10,
    `order = await tools["my-shop:get-order"](order_id=1)\norder["total"]`,
  ),
  written(
    'calls in f-strings',
    "Sum: 3, slug: 'hello-world'",
    `print(f"Sum: {await calculator.calculate('1 + 2')}, slug: {(await text_tools.slugify(text='Hello World'))!r}")`,
  ),
  written(
    'match and :=',
    ['big', 42],
    `
match (answer := await calculator.calculate("7 * 6")):
    case int() | float() if answer > 40:
        kind = "big"
    case _:
        kind = "small"
kind, answer`,
  ),
  written(
    'sum over awaited calls',
    6,
    'print(sum(await calculator.calculate(str(n)) for n in range(4)))',
  ),
  written(
    'a group of tasks with a semaphore',
    550,
    `
limit = asyncio.Semaphore(3)

async def total_of(order_id):
    async with limit:
        return (await my_shop.get_order(order_id=order_id))["total"]

async with asyncio.TaskGroup() as group:
    tasks = [group.create_task(total_of(n)) for n in range(1, 11)]
sum(task.result() for task in tasks)`,
  ),
  written(
    'as_completed and wait_for',
    [1, 2, 3],
    `
done = []
for future in asyncio.as_completed([my_shop.get_order(n) for n in (3, 1, 2)]):
    order = await asyncio.wait_for(future, timeout=30)
    done.append(order["id"])
sorted(done)`,
  ),
  written(
    'a queue with workers',
    210,
    `
queue = asyncio.Queue()
for n in range(1, 7):
    queue.put_nowait(n)
seen = []

async def worker():
    while True:
        n = await queue.get()
        seen.append((await my_shop.get_order(n))["total"])
        queue.task_done()

workers = [asyncio.create_task(worker()) for _ in range(2)]
await queue.join()
for w in workers:
    w.cancel()
sum(seen)`,
  ),
  written(
    'JSON text of a tool, grouped and printed',
    { Oslo: 4, Rome: 17 },
    `
csv_text = "city,temp\\nOslo,3\\nRome,17\\nOslo,5\\n"
rows = json.loads(await csv_tools.convert_table(text=csv_text, to="json"))
by_city = {}
for row in rows:
    by_city.setdefault(row["city"], []).append(float(row["temp"]))
print(json.dumps({city: sum(temps) / len(temps) for city, temps in by_city.items()}, sort_keys=True))`,
  ),
  written(
    'a fence with an explanation',
    3,
    'Here is the program:\n\n```python\nawait calculator.calculate("1 + 2")\n```\n\nIt adds.',
  ),
  written(
    'time zones',
    '2024-07-01T09:30:00+02:00',
    `
from datetime import datetime
from zoneinfo import ZoneInfo
print(datetime(2024, 7, 1, 9, 30, tzinfo=ZoneInfo("Europe/Oslo")).isoformat())`,
  ),
];
