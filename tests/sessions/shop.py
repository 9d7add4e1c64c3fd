"""A shop: tools with pages, one that fails at first, and names that Python does not have."""

from __future__ import annotations

tries: dict[str, int] = {}


def list_orders(page: int = 1, page_size: int = 10) -> dict:
    """A page of the orders."""
    first = (page - 1) * page_size + 1
    items = [get_order(n) for n in range(first, min(first + page_size, 26))]
    return {"items": items, "next_page": page + 1 if first + page_size < 26 else None}


def get_order(order_id: int) -> dict:
    """One order."""
    if not 1 <= order_id <= 25:
        raise ValueError(f"there is no order {order_id}")
    return {"id": order_id, "total": 10 * order_id, "status": "open" if order_id % 2 else "paid"}


def flaky(key: str, fails: int) -> str:
    """Works after some failures."""
    tries[key] = tries.get(key, 0) + 1
    if tries[key] <= fails:
        raise ConnectionError(f"{key} failed")
    return f"{key} worked"


def search(**given: str) -> dict:
    """Says what it was given."""
    return given


INTEGER = {"type": "integer"}


def spec(handler, required: list[str], **properties: dict) -> dict:
    schema = {"type": "object", "properties": properties, "required": required}
    name = f"my-shop:{handler.__name__.replace('_', '-')}"
    return {"name": name, "description": handler.__doc__, "parameters": schema, "handler": handler}


TOOL_SPECS = [
    spec(list_orders, [], page=INTEGER, page_size=INTEGER),
    spec(get_order, ["order_id"], order_id=INTEGER),
    spec(flaky, ["key", "fails"], key={"type": "string"}, fails=INTEGER),
    spec(search, ["from"], **{"from": {"type": "string"}, "sort-by": {"type": "string"}}),
]
