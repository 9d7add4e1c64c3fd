"""Short files in the shapes that users write: for each, the names of its tools, and calls with results."""

CASES = {}

# A function of many shapes, and a call of it
ADD = '''
def add(a: int, b: int = 1) -> int:
    """Add two numbers.

    Args:
        a: The first.
        b: The second.
    """
    return a + b
'''
ADDED = [("add", {"a": 2}, 3)]


def case(name, expected, text, calls=()):
    """Adds a file as a case: its text, the names of the tools that are expected, and calls as (tool, arguments, result)."""
    CASES[name] = (expected, text, calls)


def inner(text, by=4):
    """The text as the body of a function or a class: indented by this many spaces."""
    return "\n".join(" " * by + line if line else "" for line in text.strip().splitlines())
