"""Replaces what looks like a secret in the results of tools, before a model or anyone else reads them."""

import json
import re

SECRETS = re.compile(
    r"\bsk-[A-Za-z0-9_-]{16,}"  # keys of model providers
    r"|\bgh[pousr]_[A-Za-z0-9]{20,}"  # tokens of GitHub
    r"|\bAKIA[A-Z0-9]{16}\b"  # keys of AWS
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----"
)
MARK = "[secret removed]"


def redacted(value):
    """The value with the secrets in all of its texts replaced."""
    if isinstance(value, str):
        return SECRETS.sub(MARK, value)
    if isinstance(value, list):
        return [redacted(item) for item in value]
    if isinstance(value, dict):
        return {key: redacted(item) for key, item in value.items()}
    return value


def after(tool, result):
    """The result without secrets; None if it has none."""
    clean = redacted(result)
    return None if json.dumps(clean) == json.dumps(result) else clean


def register(app):
    app.register_ext_info(name="Secret redactor", version="1.0")
    app.register_interceptor(name="remove secrets", priority=1500, after=after)
