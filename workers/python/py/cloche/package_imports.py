"""Imports what packages usually need of the standard library, for a snapshot: compiling these modules takes longer than
importing packages that are compiled.

Only modules that neither read the clock, random numbers or the environment nor change anything when they are imported, so that
an interpreter cannot tell when that was. They precede the packages and the folder in `sys.path`, so none can be replaced.
"""

from __future__ import annotations

import importlib

for _name in (
    "calendar",
    "csv",
    "datetime",
    "email.header",
    "email.message",
    "email.parser",
    "email.utils",
    "encodings.idna",
    "hashlib",
    "hmac",
    "html.parser",
    "http.client",
    "http.cookiejar",
    "http.cookies",
    "importlib.metadata",
    "ipaddress",
    "mimetypes",
    "queue",
    "stringprep",
    "unicodedata",
    "urllib.error",
    "urllib.parse",
    "urllib.request",
):
    importlib.import_module(_name)
