"""Texts that take long to lay out, in every way that a tool has to show them."""

from __future__ import annotations

import asyncio
import sys

TEXTS = {
    "khmer": "ភាសាខ្មែរជាភាសាផ្លូវការរបស់ព្រះរាជាណាចក្រកម្ពុជា",
    "lao": "ພາສາລາວເປັນພາສາທາງການຂອງສາທາລະນະລັດປະຊາທິປະໄຕປະຊາຊົນລາວ",
    "thai": "ภาษาไทยเป็นภาษาราชการของประเทศไทยและเป็นภาษาแม่",
    "burmese": "မြန်မာဘာသာစကားသည်မြန်မာနိုင်ငံ၏ရုံးသုံးဘာသာစကားဖြစ်သည်",
    "tibetan": "བོད་སྐད་ནི་བོད་ཡུལ་གྱི་སྐད་ཡིག་ཡིན",
    "arabic": "العَرَبِيَّةُلُغَةٌسَامِيَّةٌ",
    "marks": "a\u0301\u0302\u0303e\u0308\u0304o\u0331\u0302",
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈👍🏽",
    "controls": "a\x1b[31mb\u202ec\u2066d\x00e",
    "word": "abcdefghij",
}


def text_of(script, count):
    return (TEXTS[script] * (count // len(TEXTS[script]) + 1))[:count]


async def printed(script: str = "khmer", count: int = 300_000, context=None) -> str:
    """Prints, logs, updates and fails at once, and waits so that it is shown while the call runs."""
    text = text_of(script, count)
    print(text)
    print(text, file=sys.stderr)
    context.log(text[:50_000])
    context.update(text[:50_000])
    context.update({"progress": 1, "total": 2, "message": text[:50_000]})
    await asyncio.sleep(1)
    raise ValueError(text)


async def streamed(seconds: float = 2, context=None) -> str:
    """Prints 50 kB ten times a second, in each script in turn."""
    scripts = list(TEXTS)
    for n in range(int(seconds * 10)):
        script = scripts[n // 2 % len(scripts)]
        piece = text_of(script, 50_000 // len(TEXTS[script][0].encode()))
        print(piece, end="", file=sys.stderr if n % 2 else sys.stdout)
        await asyncio.sleep(0.1)
    return "The end"


def returned(script: str = "khmer", count: int = 300_000):
    """Returns the text, as itself and in JSON."""
    return {text_of(script, 1_000): text_of(script, count), "all": [text_of(script, 2_000)] * 50}


def spec(handler, label):
    properties = {
        "script": {"type": "string"},
        "count": {"type": "integer"},
        "seconds": {"type": "number"},
    }
    return {
        "name": f"slow:{handler.__name__}",
        "label": label,
        "description": f"{handler.__doc__} {label}",
        "parameters": {"type": "object", "properties": properties},
        "handler": handler,
    }


TOOL_SPECS = [spec(one, text_of("khmer", 1_000)) for one in (printed, streamed, returned)]
