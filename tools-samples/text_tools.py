"""Text: plain functions whose result is a str or a dict. The model gets a str unchanged, without quotes."""

import difflib
import re
import unicodedata
from collections import Counter
from typing import Literal

PATTERNS = {
    "email": r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+",
    # A URL includes brackets only in pairs; it does not include a full stop after it.
    "url": r"https?://(?:[^\s<>\"'()]|\([^\s<>\"'()]*\))*(?:[^\s<>\"'().,;:!?\]]|\([^\s<>\"'()]*\))",
    "number": r"(?<![\w.])[+-]?\d+(?:[.,]\d+)*(?:[eE][+-]?\d+)?(?!\w)",
    "date": r"\b\d{4}-\d{2}-\d{2}\b",
    "hashtag": r"(?<!\w)#\w+",
    "mention": r"(?<!\w)@\w+",
    "phone": r"(?<!\w)\+\d[\d ()-]{6,18}\d",
}


def count_text(text: str, top: int = 5) -> dict:
    """How long a text is, and its most frequent words."""
    words = re.findall(r"\w+(?:['’-]\w+)*", text.casefold())
    return {
        "characters": len(text),
        "words": len(words),
        "different_words": len(set(words)),
        "sentences": len(re.findall(r"[^.!?…。！？\s][^.!?…。！？]*", text)),
        "lines": len(text.splitlines()),
        "bytes_utf8": len(text.encode(errors="surrogatepass")),
        "most_frequent": dict(Counter(words).most_common(top)),
    }


def diff_texts(before: str, after: str, context_lines: int = 3) -> str:
    """The difference of two texts, as a unified diff."""
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), "before", "after", lineterm="", n=context_lines
    )
    return "\n".join(lines) or "The texts have the same lines."


def slugify(text: str, separator: Literal["-", "_"] = "-", longest: int = 80) -> str:
    """A text as part of a URL or a file name."""
    letters = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ð": "d", "þ": "th", "ł": "l", "đ": "d", "ı": "i"}
    folded = text.lower().translate(str.maketrans(letters))
    plain = unicodedata.normalize("NFKD", folded).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", plain.replace("'", ""))
    if not words:
        raise ValueError(f"{text!r} has no letters or digits that a URL can contain: give a title in Latin script")
    slug = separator.join(words)
    if len(slug) > longest:
        slug = slug[: longest + 1].rpartition(separator)[0] or slug[:longest]
    return slug


def readability(text: str) -> dict:
    """How difficult an English text is to read, by Flesch and Flesch-Kincaid."""
    words = re.findall(r"[A-Za-z]+(?:['’][A-Za-z]+)*", text)
    if not words:
        raise ValueError("the text has no English words")
    sentences = max(1, len(re.findall(r"[^.!?]*[A-Za-z][^.!?]*", text)))
    syllables = sum(map(_syllables, words))
    per_sentence, per_word = len(words) / sentences, syllables / len(words)
    ease = 206.835 - 1.015 * per_sentence - 84.6 * per_word
    return {
        "reading_ease": round(ease, 1),
        "school_grade": round(0.39 * per_sentence + 11.8 * per_word - 15.59, 1),
        "words_per_sentence": round(per_sentence, 1),
        "verdict": "easy" if ease >= 70 else "plain" if ease >= 50 else "hard",
    }


def _syllables(word: str) -> int:
    plain = re.sub(r"(?<=[^aeiouyl])(?:e|es|ed)$", "", word.lower())
    return max(1, len(re.findall(r"[aeiouy]+", plain)))


def extract(text: str, kind: Literal["email", "url", "number", "date", "hashtag", "mention", "phone"]) -> list[str]:
    """Everything of one kind in a text, once each, in order."""
    return list(dict.fromkeys(re.findall(PATTERNS[kind], text)))


TEXT = {"type": "string", "description": "The text"}

TOOL_SPECS = [
    {
        "name": "text_tools:count_text",
        "label": "Count",
        "description": "Counts characters, words, sentences, lines and bytes of a text in any language with spaces "
        "between words, and lists the most frequent words. Always count with this tool.",
        "parameters": {
            "type": "object",
            "properties": {
                "text": TEXT,
                "top": {
                    "type": "integer",
                    "minimum": 0,
                    "default": 5,
                    "description": "Number of frequent words to list",
                },
            },
            "required": ["text"],
        },
        "handler": count_text,
        "examples": [{"text": "To be, or not to be, that is the question."}],
        "stateless": True,
    },
    {
        "name": "text_tools:diff_texts",
        "label": "Compare texts",
        "description": "Compares two texts line by line and returns a unified diff: - before, + after.",
        "parameters": {
            "type": "object",
            "properties": {
                "before": {"type": "string", "description": "The older text"},
                "after": {"type": "string", "description": "The newer text"},
                "context_lines": {
                    "type": "integer",
                    "minimum": 0,
                    "default": 3,
                    "description": "Unchanged lines shown around each change",
                },
            },
            "required": ["before", "after"],
        },
        "handler": diff_texts,
        "examples": [{"before": "one\ntwo", "after": "one\n2"}],
        "stateless": True,
    },
    {
        "name": "text_tools:slugify",
        "label": "Slug",
        "description": "Converts a title to a slug for URLs and file names: lower-case ASCII, words joined.",
        "parameters": {
            "type": "object",
            "properties": {
                "text": {"type": "string", "description": "The title, in Latin script"},
                "separator": {
                    "type": "string",
                    "enum": ["-", "_"],
                    "default": "-",
                    "description": "Separator between words",
                },
                "longest": {
                    "type": "integer",
                    "minimum": 1,
                    "default": 80,
                    "description": "Maximum number of characters; cut between words if possible",
                },
            },
            "required": ["text"],
        },
        "handler": slugify,
        "examples": [{"text": "Crème brûlée: a recipe"}],
        "stateless": True,
    },
    {
        "name": "text_tools:readability",
        "label": "Readability",
        "description": "How difficult an English text is to read: Flesch reading ease (100 easy, 0 very hard) and school "
        "grade by Flesch-Kincaid. Syllables are estimated.",
        "parameters": {"type": "object", "properties": {"text": TEXT}, "required": ["text"]},
        "handler": readability,
        "examples": [{"text": "The cat sat on the mat. It was warm."}],
        "stateless": True,
    },
    {
        "name": "text_tools:extract",
        "label": "Extract",
        "description": "Finds all e-mail addresses, web addresses, numbers, ISO dates, hashtags, mentions or "
        "international phone numbers in a text, once each.",
        "parameters": {
            "type": "object",
            "properties": {
                "text": TEXT,
                "kind": {"type": "string", "enum": list(PATTERNS), "description": "What to search for"},
            },
            "required": ["text", "kind"],
        },
        "handler": extract,
        "examples": [{"text": "Write to ada@example.org", "kind": "email"}],
        "stateless": True,
    },
]
