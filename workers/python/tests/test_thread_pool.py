"""A thread pool returns the right results, with threads and without."""

import sys
import unittest
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor, as_completed, wait

from cloche import thread_pool


class InTurn(ThreadPoolExecutor):
    """A pool as in the browser, on any Python."""

    def __init__(self, initializer=None, initargs=(), **more):
        super().__init__(**more)
        thread_pool.prepare(self, initializer, initargs)

    submit = thread_pool.submit


class ThreadPoolTest(unittest.TestCase):
    def pools(self):
        thread_pool.install()
        return (InTurn, ThreadPoolExecutor)

    def test_gives_results_in_order(self):
        for pool in self.pools():
            with self.subTest(pool=pool), pool(max_workers=3) as workers:
                self.assertEqual(list(workers.map(lambda a, b: a * b, [1, 2, 3], [4, 5, 6])), [4, 10, 18])
                futures = [workers.submit(pow, n, 2) for n in range(5)]
                self.assertEqual(sorted(done.result() for done in as_completed(futures)), [0, 1, 4, 9, 16])
                self.assertEqual(len(wait(futures).done), 5)
                heard = []
                workers.submit(int, "7").add_done_callback(lambda future: heard.append(future.result()))
            self.assertEqual(heard, [7])

    def test_keeps_what_work_raises(self):
        for pool in self.pools():
            with self.subTest(pool=pool), pool() as workers:
                failing = workers.submit(int, "x")
                self.assertIsInstance(failing.exception(), ValueError)
                self.assertRaises(ValueError, failing.result)
                self.assertEqual(workers.submit(int, "1").result(), 1)

    def test_takes_no_work_after_its_end(self):
        for pool in self.pools():
            with self.subTest(pool=pool):
                workers = pool()
                workers.shutdown()
                self.assertRaisesRegex(RuntimeError, "after shutdown", workers.submit, int)

    def test_runs_its_initializer_first(self):
        for pool in self.pools():
            with self.subTest(pool=pool):
                began = []
                with pool(max_workers=1, initializer=began.append, initargs=("yes",)) as workers:
                    self.assertEqual(workers.submit(lambda: list(began)).result(), ["yes"])
                    workers.submit(int).result()
                self.assertEqual(began, ["yes"])

    def test_is_broken_where_its_initializer_fails(self):
        # A real thread would print the failure too.
        for pool in self.pools()[: 2 if sys.platform == "emscripten" else 1]:
            with self.subTest(pool=pool), pool(initializer=int, initargs=("x",)) as workers:
                self.assertRaises(BrokenExecutor, workers.submit(int).result)
                self.assertRaises(BrokenExecutor, workers.submit, int)
