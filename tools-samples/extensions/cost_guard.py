"""Stops a session at a budget: no further message is sent, and no further tool runs. `/budget 2.5` sets it, in dollars."""

from collections import defaultdict

from cloche import actions

# Where the price of a model is unknown, tokens are counted at this price.
DOLLARS_PER_MILLION_TOKENS = 3.0
state = {"budget": 1.0}
spent = defaultdict(float)


def cost_of(event):
    """The dollars of one answer of a model."""
    if event["cost"] is not None:
        return event["cost"]
    tokens = (event["input_tokens"] or 0) + (event["output_tokens"] or 0)
    return tokens * DOLLARS_PER_MILLION_TOKENS / 1e6


def count(event):
    """Adds the cost of an answer, and shows the sum."""
    spent[event["session_id"]] += cost_of(event)
    return actions.set_status("budget", words())


def total():
    return sum(spent.values())


def words():
    return f"${total():.2f} of ${state['budget']:.2f}"


def over():
    """Why nothing more may be spent; "" if something may."""
    return f"The budget is used up: {words()}. Raise it with /budget." if total() >= state["budget"] else ""


def on_message(text):
    """Stops messages that would cost more than the budget."""
    if over():
        raise RuntimeError(over())
    return ""


def budget(args, app):
    """`/budget` shows the budget, `/budget 2.5` changes it."""
    if args.strip():
        state["budget"] = float(args.strip().lstrip("$"))
        app.set_status("budget", words())
    return actions.notify(words())


def register(app):
    app.register_ext_info(name="Cost guard", version="1.0")
    app.register_event_handler(name="count cost", filter=lambda e: e["type"] == "step_ended", handle=count)
    app.register_message_hook(name="stop at the budget", on_message=on_message)
    app.register_interceptor(name="stop at the budget", priority=2000, before=lambda tool, arguments: over() or True)
    app.register_command(name="budget", description="Shows or sets the budget", handler=budget, immediate=True)
    app.register_status_section(key="budget", side="right", order=6)
    app.set_status("budget", words())
