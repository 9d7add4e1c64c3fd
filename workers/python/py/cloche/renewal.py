"""Resets what interpreters restored from the same snapshot must not share."""

from __future__ import annotations

import logging
import os
import random
import ssl
import sys
import time


def renew() -> None:
    """Seeds this interpreter's random generators again, and resets what counts from its start.

    The seed of `hash()` cannot change: the keys of every dict and set in memory depend on it.
    """
    random.seed()
    ssl.RAND_add(os.urandom(32), 32.0)
    # LogRecord.relativeCreated counts from here.
    logging._startTime = time.time_ns()
    # Pyodide inserts the empty entry at every start, and the snapshot contains the first one.
    if sys.path.count("") > 1:
        sys.path.remove("")
