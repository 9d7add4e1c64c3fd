"""Exact numbers: a number and a table as results, and helpful exceptions.

A tool reports an error with an ordinary exception. The model reads its message, so the message says what to do
instead. Also shown: `prompt_hint` (one line for the system prompt), `prompt_guides`, `examples` and `annotations`.
"""

import ast
import math
import operator
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal

LONGEST = 500  # characters of an expression
BITS = 10_000  # of an integer: about 3,000 digits

OPERATORS: dict[type[ast.AST], Callable] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
CONSTANTS = {"pi": math.pi, "e": math.e, "tau": math.tau}
FROM_MATH = "sqrt cbrt exp log log2 log10 sin cos tan asin acos atan degrees radians floor ceil gcd lcm hypot"
FUNCTIONS: dict[str, Callable] = {name: getattr(math, name) for name in FROM_MATH.split()} | {
    "abs": abs,
    "round": lambda number, places=0: _round(number, places),
    "min": min,
    "max": max,
}


def calculate(expression: str) -> int | float:
    """The value of an arithmetic expression; integers are exact at any size."""
    if len(expression) > LONGEST:
        raise ValueError(f"the expression has {len(expression)} characters; split it up, {LONGEST} are the limit")
    if "^" in expression:
        raise ValueError("^ is not supported: write ** for powers")
    try:
        tree = ast.parse(" ".join(expression.split()), mode="eval")
    except SyntaxError:
        raise ValueError(f"{expression!r} is not an expression such as (1 + 2) * sqrt(16)") from None
    return _limited(_value(tree.body))


def _value(node: ast.expr) -> int | float:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return number
        case ast.Name(id=name) if name in CONSTANTS:
            return CONSTANTS[name]
        case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(operand))
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_value(left), _value(right))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return _limited(OPERATORS[type(op)](_value(left), _value(right)))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            return FUNCTIONS[name](*map(_value, arguments))
    known = ", ".join([*CONSTANTS, *FUNCTIONS])
    raise ValueError(f"{ast.unparse(node)!r} is not supported; use numbers, + - * / // % ** and {known}")


def _power(base: int | float, exponent: int | float) -> int | float:
    exact = isinstance(base, int) and isinstance(exponent, int)
    if exact and abs(base) > 1 and math.log2(abs(base)) * exponent > BITS:
        raise OverflowError(f"{base} ** {exponent} has too many digits; use floats (2.0 ** 64) or logarithms")
    return _limited(base**exponent)


def _round(number: int | float, places: int) -> int | float:
    # Python would compute 10 ** 1_000_000_000 to round to that many places before the point.
    rounded = round(number, max(-BITS, min(places, BITS)))
    return rounded if places > 0 else int(rounded)


def _limited(number: int | float | complex) -> int | float:
    if isinstance(number, complex):
        raise ValueError("the result is a complex number, which this calculator does not support")
    if isinstance(number, int) and number.bit_length() > BITS:
        raise OverflowError("the result has too many digits; use floats or logarithms")
    if isinstance(number, float) and not math.isfinite(number):
        raise OverflowError("the result is too large for a float")
    return number


def loan_plan(amount: float, annual_rate_percent: float, months: int) -> list[dict]:
    """The monthly payments of a loan; the last payment settles the cents."""
    if amount <= 0 or annual_rate_percent < 0 or not 1 <= months <= 600:
        raise ValueError("amount must be above 0, annual_rate_percent at least 0, months between 1 and 600")
    cent = Decimal("0.01")
    rate = Decimal(str(annual_rate_percent)) / 1200
    balance = Decimal(str(amount)).quantize(cent, ROUND_HALF_UP)
    payment = balance * rate / (1 - (1 + rate) ** -months) if rate else balance / months
    payment = payment.quantize(cent, ROUND_HALF_UP)
    plan = []
    for month in range(1, months + 1):
        interest = (balance * rate).quantize(cent, ROUND_HALF_UP)
        paid = balance + interest if month == months else min(payment, balance + interest)
        balance += interest - paid
        plan.append(
            {"month": month, "payment": float(paid), "interest": float(interest), "balance": float(balance)}
        )
    return plan


READ_ONLY = {"readOnlyHint": True, "idempotentHint": True, "openWorldHint": False}

TOOL_SPECS = [
    {
        "name": "calculator:calculate",
        "label": "Calculator",
        "description": "Evaluates an arithmetic expression. Integers are exact at any size, floats have 15 digits. "
        "Supports + - * / // % **, parentheses, pi, e, tau, and functions such as sqrt, log, sin "
        "(radians), round, gcd.",
        "parameters": {
            "type": "object",
            "properties": {
                "expression": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": LONGEST,
                    "description": "In Python's notation: (1 + 2) ** 0.5, round(2 / 3, 4)",
                }
            },
            "required": ["expression"],
        },
        "handler": calculate,
        "returns": {"type": "number"},
        "examples": [{"expression": "2 ** 100"}, {"expression": "hypot(3, 4)"}],
        "prompt_hint": "Use calculator:calculate for every calculation that is not trivial.",
        "prompt_guides": ["Percentages: write 15% of 80 as 80 * 0.15.", "Angles are in radians: sin(radians(30))."],
        "annotations": {"title": "Calculator", **READ_ONLY},
        "stateless": True,
    },
    {
        "name": "calculator:loan_plan",
        "label": "Loan schedule",
        "description": "The repayment plan of a loan with equal monthly payments: one row for each month with payment, "
        "interest and remaining balance, rounded to cents as banks do.",
        "parameters": {
            "type": "object",
            "properties": {
                "amount": {"type": "number", "exclusiveMinimum": 0, "description": "The amount borrowed"},
                "annual_rate_percent": {"type": "number", "minimum": 0, "description": "Interest per year, in %"},
                "months": {"type": "integer", "minimum": 1, "maximum": 600, "description": "Number of payments"},
            },
            "required": ["amount", "annual_rate_percent", "months"],
        },
        "handler": loan_plan,
        "examples": [{"amount": 12_000, "annual_rate_percent": 4.9, "months": 24}],
        "annotations": READ_ONLY,
        "stateless": True,
    },
]
