"""State that restored interpreters must not share."""

import logging
import random
import sys
import time
import unittest
from unittest import mock

from cloche.renewal import renew


class RenewalCase(unittest.TestCase):
    def setUp(self) -> None:
        state, started, path = random.getstate(), logging._startTime, list(sys.path)
        self.addCleanup(random.setstate, state)
        self.addCleanup(setattr, logging, "_startTime", started)
        self.addCleanup(sys.path.__setitem__, slice(None), path)

    def test_random_numbers_differ_between_two_that_go_on_from_the_same_memory(self) -> None:
        memory = random.getstate()
        drawn = []
        for _ in range(2):
            random.setstate(memory)
            renew()
            drawn.append(random.random())
        self.assertNotEqual(*drawn)

    def test_the_random_numbers_of_ssl_get_fresh_seed(self) -> None:
        with mock.patch("ssl.RAND_add") as add:
            renew()
            renew()
        (one, _), (other, _) = (call.args for call in add.call_args_list)
        self.assertEqual((len(one), len(other)), (32, 32))
        self.assertNotEqual(one, other)

    def test_log_records_count_from_this_start(self) -> None:
        logging._startTime = time.time_ns() if isinstance(logging._startTime, int) else time.time()
        before = logging._startTime
        renew()
        self.assertGreaterEqual(logging._startTime, before)

    def test_the_working_directory_stands_in_the_path_once(self) -> None:
        sys.path[:] = ["", "/loader", "", "/lib"]
        renew()
        self.assertEqual(sys.path, ["/loader", "", "/lib"])
        renew()
        self.assertEqual(sys.path, ["/loader", "", "/lib"])


if __name__ == "__main__":
    unittest.main()
