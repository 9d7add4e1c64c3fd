/**
 * Programs for tasks like those of public benchmarks of tool use: several calls at once, calls that depend on others, rules
 * of a shop, missing data. They call tools by the names that models are sent, or as functions of modules.
 */

import { written, type WrittenProgram } from './written-program.ts';

export const taskPrograms: readonly WrittenProgram[] = [
  written(
    'the same function at once, results as JSON',
    { '84.0': 28, '120.0': 30 },
    `
bills = [{"total": 84.0, "people": 3}, {"total": 120.0, "people": 4}]
results = await asyncio.gather(*[basics__split_bill(**bill) for bill in bills])
print(json.dumps({str(b["total"]): r["each"] for b, r in zip(bills, results)}))`,
  ),
  written(
    'different functions at once',
    [1024, 'hello-world', 5],
    `
power, slug, distance = await asyncio.gather(
    calculator__calculate(expression="2 ** 10"),
    text_tools__slugify(text="Hello, World!"),
    units__convert_unit(value=5000, from_unit="m", to_unit="km"),
)
[power, slug, int(distance)]`,
  ),
  written(
    'a chain in which each call needs the one before',
    '2024-03-01 is a Friday, 60 days later',
    `
import datetime
start = "2024-01-01"
shifted = await dates__shift_date(start=start, months=2)
difference = await dates__date_difference(start=start, end=shifted["date"])
assert datetime.date.fromisoformat(shifted["date"]).strftime("%A") == shifted["weekday"]
print(f"{shifted['date']} is a {shifted['weekday']}, {difference['days']} days later")`,
  ),
  written(
    'a loop with a condition on each result',
    { due: [3, 5], skipped: 3 },
    `
due, skipped = [], 0
for order_id in range(1, 6):
    order = await my_shop.get_order(order_id=order_id)
    if order["status"] != "open" or order["total"] < 20:
        skipped += 1
        continue
    due.append(order["id"])
print(json.dumps({"due": due, "skipped": skipped}))`,
  ),
  written(
    'a while loop that narrows a search',
    { order: 13, calls: 4 },
    `
low, high, calls = 1, 25, 0
while low < high:
    middle = (low + high) // 2
    order = await my_shop.get_order(order_id=middle)
    calls += 1
    if order["total"] >= 130:
        high = middle
    else:
        low = middle + 1
{"order": low, "calls": calls}`,
  ),
  written(
    'an error that is reported with the other results',
    { '1': 10, '99': 'there is no order 99' },
    `
async def look_up(order_id):
    try:
        return (await my_shop.get_order(order_id=order_id))["total"]
    except Exception as e:
        return str(e).split("ValueError: ")[-1].splitlines()[0].strip()
ids = [1, 99]
results = await asyncio.gather(*(look_up(i) for i in ids))
print(json.dumps(dict(zip(map(str, ids), results))))`,
  ),
  written(
    'retries with a growing pause, and finally',
    ['waited 2', 'c worked'],
    `
import asyncio

async def retry(call, attempts=5, delay=0.01):
    waits = 0
    try:
        for attempt in range(1, attempts + 1):
            try:
                return await call(), waits
            except ToolError:
                if attempt == attempts:
                    raise
                waits += 1
                await asyncio.sleep(delay * 2 ** attempt)
    finally:
        log.append(f"waited {waits}")

log = []
value, _ = await retry(lambda: my_shop.flaky(key="c", fails=2))
[*log, value]`,
  ),
  written(
    'a return of goods: check, compute, and decide',
    { refund: 240, reason: '2 items, 20 % fee' },
    `
def policy(total: int, items: int) -> int:
    """Items of paid orders are taken back with a fee of 20 %."""
    return round(total * 0.8)

found = await my_shop.list_orders(page=2, page_size=10)
paid = [o for o in found["items"] if o["status"] == "paid"][:2]
total = sum(o["total"] for o in paid)
refund = policy(total=total + 40, items=len(paid))
if refund > 1000:
    raise ValueError("ask the user first")
{"refund": refund, "reason": f"{len(paid)} items, 20 % fee"}`,
  ),
  written(
    'a flight over three time zones',
    ['2024-07-02T01:30', 'Tuesday'],
    `
from datetime import datetime, timedelta
departure = "2024-07-01T16:30"
[landing] = await dates.convert_time(
    time=(datetime.fromisoformat(departure) + timedelta(hours=2)).isoformat(timespec="minutes"),
    from_zone="Europe/Oslo",
    to_zones=["Asia/Tokyo"],
)
[landing["time"][:16], landing["weekday"]]`,
  ),
  written(
    'a meeting for everyone, and the first of its times',
    { first: '2024-03-12T14:00', times: 5 },
    `
times = await dates__meeting_times(day="2024-03-12", time_zones=["Europe/Oslo", "America/New_York"])
first = min(times, key=lambda t: t["Europe/Oslo"])
{"first": first["Europe/Oslo"][:16], "times": len(times)}`,
  ),
  written(
    'a table that is filtered, grouped and shown as Markdown',
    '| city | sum_paid |',
    `
CSV = """city,paid,open
Oslo,10,1
Rome,20,0
Oslo,30,2"""
groups = await csv_tools__group_csv(csv_text=CSV, group_by="city", value="paid", aggregate="sum")
table = await csv_tools__convert_table(text=json.dumps(groups), to="markdown", source="json")
print(table.splitlines()[0])`,
  ),
  written(
    'a summary of the columns of an unknown table',
    { numbers: ['age'], text: ['name'] },
    `
columns = await csv_tools.summarise_csv("name,age\\nAda,36\\nAlan,41\\nEmmy,")
by_kind = {}
for column in columns:
    by_kind.setdefault(column["kind"], []).append(column["column"])
{"numbers": by_kind.get("number", []), "text": by_kind.get("text", [])}`,
  ),
  written(
    'a query with a list of conditions',
    ['Alan', 'Grace'],
    `
rows = await csv_tools.query_csv(
    csv_text="name,age\\nAda,36\\nAlan,41\\nGrace,85",
    where=[{"column": "age", "op": ">=", "value": 40}, {"column": "name", "op": "contains", "value": "a"}],
    columns=["name"],
    order_by="age",
)
[row["name"] for row in rows]`,
  ),
  written(
    'a loan: the sum of its interest, by reduce',
    { months: 12, last: 0, interest: true },
    `
from functools import reduce
plan = await calculator.loan_plan(amount=1200, annual_rate_percent=6, months=12)
interest = reduce(lambda total, row: total + row["interest"], plan, 0.0)
{"months": len(plan), "last": int(plan[-1]["balance"]), "interest": 39 < interest < 40}`,
  ),
  written(
    'a statistic over the results of other calls',
    { mean: 30, slope: 10 },
    `
orders = await asyncio.gather(*map(my_shop.get_order, range(1, 6)))
totals = [order["total"] for order in orders]
described, line = await asyncio.gather(
    stats.describe_numbers(numbers=totals), stats.fit_line(x=[o["id"] for o in orders], y=totals)
)
{"mean": int(described["mean"]), "slope": int(line["slope"])}`,
  ),
  written(
    'a histogram as a bar chart of text',
    '0-5: ##\n5-10: #',
    `
bars = await stats__histogram(numbers=[0, 1, 10], bins=2)
for bar in bars:
    print(f"{bar['from']:.0f}-{bar['to']:.0f}: {'#' * bar['count']}")`,
  ),
  written(
    'texts that are compared, and their lines counted',
    { added: 1, removed: 1, words: 3 },
    `
before, after = "one\\ntwo", "one\\n2"
diff = await text_tools.diff_texts(before=before, after=after)
lines = diff.split("\\n")
counted = await text_tools.count_text(text=f"{before} {after.split()[0]}")
{
    "added": sum(l.startswith("+") and not l.startswith("+++") for l in lines),
    "removed": sum(l.startswith("-") and not l.startswith("---") for l in lines),
    "words": counted["words"],
}`,
  ),
  written(
    'patterns in a text, by kind',
    { url: ['https://example.org/a'], hashtag: ['#one', '#two'], date: [] },
    `
text = "See https://example.org/a. #one #two #one"
kinds = ("url", "hashtag", "date")
found = await asyncio.gather(*[text_tools__extract(text=text, kind=kind) for kind in kinds])
print(json.dumps({kind: values for kind, values in zip(kinds, found)}))`,
  ),
  written(
    'units with a fallback when one is unknown',
    { ok: { km: 1 }, failed: ['parsec-ish'] },
    `
ok, failed = {}, []
for unit in ["km", "parsec-ish"]:
    try:
        ok[unit] = await units.convert_unit(1000, "m", unit)
    except ToolError:
        failed.append(unit)
{"ok": ok, "failed": failed}`,
  ),
  written(
    'a list of units, counted with a Counter',
    true,
    `
from collections import Counter
listed = await units.list_units()
counts = Counter({quantity: len(names) for quantity, names in listed.items()})
counts.most_common(1)[0][1] > 3 and sum(counts.values()) > 20`,
  ),
  written(
    'dice with a seed are the same twice',
    true,
    `
first, second = [await basics.roll_dice(dice="3d6", seed=7) for _ in range(2)]
first == second and first["total"] == sum(first["rolls"])`,
  ),
  written(
    'None and booleans as arguments',
    { rolls: 1, kept: true },
    `
rolled = await basics__roll_dice(dice="d1", seed=None)
rows = await csv_tools__query_csv(csv_text="a\\n2\\n1", order_by="a", descending=True)
{"rolls": rolled["total"], "kept": rows[0]["a"] == 2}`,
  ),
];
