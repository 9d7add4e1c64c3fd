"""What a Python that goes on from a stored memory must not share with the others that do the same."""

from __future__ import annotations

import logging
import os
import random
import ssl
import sys
import time


def renew() -> None:
    """Gives this interpreter randomness of its own, and a beginning of its own to what counts from its start.

    The seed of `hash()` stays: the keys of every dict and set in the memory lie where it has put them.
    """
    random.seed()
    ssl.RAND_add(os.urandom(32), 32.0)
    # What LogRecord.relativeCreated counts from.
    logging._startTime = time.time_ns()
    # Pyodide puts it in front at every start, and the memory holds the one of the first.
    if sys.path.count("") > 1:
        sys.path.remove("")
