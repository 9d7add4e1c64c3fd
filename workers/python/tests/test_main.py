"""The functions that the worker calls take and return only text and numbers."""

import json
import sys

from cloche import main

from .host import HostCase, text_of, tools


class MainTest(HostCase):
    def setUp(self):
        self.host = self.open({"t.py": tools("import helper\ndef f(a): return a", "f"), "helper.py": ""})
        self.sent = []
        self.addCleanup(setattr, main, "_interpreter", None)

    def connect(self, root=""):
        main.connect(lambda header, payload: self.sent.append((header, payload)))
        main.open_folder(root or self.host.root)

    def test_the_whole_way(self):
        self.connect()
        report = main.inspect_file("t.py")
        self.assertEqual([tool["name"] for tool in json.loads(report)["tools"]], ["t:f"])
        payload = main.call(7, "t:f", "t.py", '{"a": 1}', "{}", "")
        self.assertEqual(text_of(json.loads(payload)), "1")
        self.assertEqual(self.sent, [])
        self.assertIsNone(main.cancel(7))
        self.assertEqual(main.decide("t:f", "t.py", "concurrency_safe", "{}"), 1)
        self.assertEqual(main.decide("t:f", "t.py", "requires_approval", "{}"), 0)
        self.assertEqual(main.forget_files('["helper.py"]'), '["helper.py", "t.py"]')

    def test_functions_of_a_playground_get_specs_and_settings(self):
        host = self.open({"p.py": "import os\ndef f(a: int) -> str:\n    return f\"{a} {os.getenv('REGION')}\"\n"})
        main.connect(lambda header, payload: self.sent.append((header, payload)))
        main.open_folder(host.root, 1)
        self.assertEqual([tool["name"] for tool in json.loads(main.inspect_file("p.py"))["tools"]], ["p:f"])
        self.assertEqual(main.set_settings('{"p.py": {"environment": {"REGION": "north"}}}'), '["p.py"]')
        self.assertEqual(text_of(json.loads(main.call(1, "p:f", "p.py", '{"a": 1}', "{}", ""))), "1 north")
        self.assertEqual(main.set_settings("{}"), '["p.py"]')
        for names, included in (("null", [True]), ('["p:f"]', [True]), ("[]", [False])):
            proposal = json.loads(main.propose_specs("p.py", names))
            self.assertEqual([one["included"] for one in proposal["tools"]], included)
            self.assertEqual(proposal["text"] is not None, included[0])

    def test_long_arguments_come_as_bytes_of_javascript(self):
        class JsBytes:
            def to_bytes(self):
                return '{"a": "ä€😀"}'.encode()

        self.connect()
        payload = main.call(7, "t:f", "t.py", JsBytes(), "{}", "")
        self.assertEqual(text_of(json.loads(payload)), "ä€😀")

    async def test_a_result_that_comes_later_is_emitted(self):
        host = self.open_tools("import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 2", "f")
        self.connect(host.root)
        self.assertEqual(main.call(8, "t:f", "t.py", "{}", "{}", ""), "")
        await host.until(lambda: self.sent)
        ((header, payload),) = self.sent
        self.assertEqual(header, '{"t":"result","id":8}')
        self.assertEqual(text_of(json.loads(payload)), "2")

    def test_a_clock_of_the_hosts_may_be_given(self):
        main.connect(lambda header, payload: self.sent.append((header, payload)), now=lambda: 5.0)
        main.open_folder(self.host.root)
        payload = main.call(1, "t:f", "t.py", '{"a": 1}', "{}", "")
        self.assertEqual(json.loads(payload)["durationMs"], 0)

    def test_before_it_is_connected_it_says_so(self):
        for use in (
            lambda: main.inspect_file("t.py"),
            lambda: main.cancel(1),
            lambda: main.call(1, "t:f", "t.py", "{}", "{}", ""),
        ):
            with self.assertRaisesRegex(RuntimeError, "call connect first"):
                use()

    def test_before_a_folder_is_open_a_call_fails_and_says_so(self):
        main.connect(lambda header, payload: self.sent.append((header, payload)))
        payload = main.call(1, "t:f", "t.py", "{}", "{}", "")
        self.assertIn("call open_folder first", json.loads(payload)["error"])

    def test_nothing_is_written_beside_the_files(self):
        self.connect()
        main.inspect_file("t.py")
        self.assertTrue(sys.dont_write_bytecode)
