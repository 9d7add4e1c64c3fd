"""Tools for texts, as LangChain users write them: functions with a decorator."""

import re
import unicodedata
from collections import Counter
from typing import Annotated, Literal

from langchain_core.tools import ToolException, tool


@tool
def slug(title: str, max_length: int = 60) -> str:
    """Turn a title into the part of an address: lower case, without accents, words joined by hyphens."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.lower())
    if not words:
        raise ToolException("The title has no letter or digit that can be in an address.")
    result = words[0]
    for word in words[1:]:
        if len(result) + 1 + len(word) > max_length:
            break
        result += f"-{word}"
    return result[:max_length]


@tool("frequent-words")
def frequent_words(
    text: Annotated[str, "The text to count in."],
    count: Annotated[int, "How many words to return."] = 5,
    order: Literal["count", "alphabet"] = "count",
) -> dict[str, int]:
    """Count the most frequent words of a text, without regard to case."""
    words = Counter(re.findall(r"\w[\w'’-]*", text.casefold())).most_common(count)
    return dict(words if order == "count" else sorted(words))
