# Errors in a TaskGroup, with notes and with a cause. Expected: the model reads what went wrong inside, and the line of this file.
import asyncio

async def fails(city):
    raise ValueError(f"no such city: {city}")

async def group() -> str:
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(fails("Oslo"))

def notes() -> str:
    try:
        int("x")
    except ValueError as error:
        error.add_note("while reading row 7 of prices.csv")
        raise

def chain() -> str:
    try:
        {}["api_key"]
    except KeyError as error:
        raise RuntimeError("could not load the configuration") from error

P = {"type": "object", "properties": {}}
TOOL_SPECS = [{"name": f"05-task-group:{f.__name__}", "description": "d", "parameters": P, "handler": f} for f in (group, notes, chain)]
