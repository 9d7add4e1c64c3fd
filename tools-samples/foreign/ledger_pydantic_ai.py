"""Tools of a Pydantic AI agent. The agent itself is not run; its tools are."""

from decimal import Decimal
from typing import Literal

from pydantic import BaseModel
from pydantic_ai import Agent, ModelRetry, RunContext


class Entry(BaseModel):
    account: str
    kind: Literal["debit", "credit"]
    amount: Decimal


agent = Agent("openai:gpt-5", instructions="Keep the books.")


@agent.tool_plain
def balances(entries: list[Entry]) -> dict[str, Decimal]:
    """Sum the entries of each account. Debits count as positive.

    Args:
        entries: In any order.
    """
    sums: dict[str, Decimal] = {}
    for one in entries:
        sign = 1 if one.kind == "debit" else -1
        sums[one.account] = sums.get(one.account, Decimal(0)) + sign * one.amount
    return sums


@agent.tool
def check_journal(ctx: RunContext[None], entries: list[Entry]) -> str:
    """Check that debits and credits are equal."""
    total = sum((one.amount if one.kind == "debit" else -one.amount for one in entries), Decimal(0))
    if total:
        raise ModelRetry(f"Debits and credits differ by {abs(total)}. Correct the entries.")
    return "The journal is balanced."
