"""The requirements of tool files and requirements.txt, as the resolver reads them."""

from .packages import ResolverCase, tool, wheel

HEX = "0123456789abcdef" * 4


class ScriptBlockTest(ResolverCase):
    def test_a_file_without_a_block_asks_for_nothing(self):
        for text in ("", "import requests\n", "# /// other\n# x = 1\n# ///\n", 'S = """\n # /// script\n"""\n'):
            self.assertEqual(self.ask({"a.py": text}), {"wheels": [], "problems": [], "wanted": []})

    def test_a_block_may_stand_anywhere_and_have_other_things(self):
        text = '#!/usr/bin/env python3\n"""Says."""\n\n# /// script\n# [tool.x]\n# y = 1\n# ///\n'
        self.assertEqual(self.chosen({"a.py": text}), [])
        text = "import this\n# /// other\n# a\n# ///\n\n" + tool("one") + "# /// pyproject\n# b\n# ///\n"
        self.assertEqual(self.chosen({"a.py": text}, wheel("one", "1")), ["one 1 folder"])

    def test_line_ends_of_windows(self):
        text = tool("one").replace("\n", "\r\n")
        self.assertEqual(self.chosen({"a.py": text}, wheel("one", "1")), ["one 1 folder"])

    def test_the_line_of_each_requirement(self):
        texts = {
            '# /// script\n# dependencies = ["one", "two"]\n# ///\n': 2,
            '# /// script\n#\n# dependencies = [\n#   "one",\n#   # "two"?\n#   \'two\',\n# ]\n# ///\n': 5,
            '# /// script\n# dependencies = ["one", "t\\u0077o"]\n# ///\n': 2,
            '\n\n# /// script\n# requires-python = ">=3.8"\n# dependencies = [\n# "two"]\n# ///\n': 6,
        }
        for text, line in texts.items():
            with self.subTest(text=text):
                code, file, at, _ = self.reported({"a.py": text}, wheel("one", "1"))
                self.assertEqual((code, file, at), ("package-not-allowed", "a.py", line))

    def test_blocks_that_are_broken(self):
        broken = {
            "# /// script\n# dependencies = [\n# ///\n": (2, "the script block is not TOML"),
            '# /// script\n# a = 1\n# dependencies = ["x"]]\n# ///\n': (3, "the script block is not TOML"),
            '# /// script\n# dependencies = "x"\n# ///\n': (2, "dependencies is not a list of strings"),
            "# /// script\n#\n# dependencies = [1]\n# ///\n": (3, "dependencies is not a list of strings"),
            "# /// script\n# requires-python = 3.11\n# ///\n": (2, "requires-python is a float"),
            '# /// script\n# requires-python = "new"\n# ///\n': (2, 'requires-python is "new"'),
            tool("x") + "\n" + tool("y"): (8, "the file has 2 script blocks"),
        }
        for text, (line, message) in broken.items():
            with self.subTest(text=text):
                code, file, at, said = self.reported({"a.py": text})
                self.assertEqual((code, file, at), ("bad-metadata-block", "a.py", line), said)
                self.assertTrue(said.startswith(message), said)

    def test_a_block_that_does_not_end_is_a_warning(self):
        problem = self.problem({"a.py": '# /// script\n# dependencies = ["x"]\nimport x\n'})
        self.assertEqual(
            problem,
            {
                "severity": "warning",
                "code": "bad-metadata-block",
                "file": "a.py",
                "line": 1,
                "column": None,
                "message": "the script block has no end, so it is ignored",
                "expected": "a script block as in PEP 723, in TOML",
                "hint": "Start each of its lines with #, and end it with the line # ///.",
            },
        )

    def test_bad_requirements(self):
        for text in ("re quests", "requests >> 2", "requests[socks", "", "x; python_version", "x; 'a' ~ 'b'", "x==1.x.y", ">=3"):
            with self.subTest(text=text):
                code, file, line, message = self.reported({"a.py": tool("one", text)}, wheel("one", "1"))
                self.assertEqual((code, file, line), ("bad-requirement", "a.py", 4))
                self.assertIn("is not a valid requirement", message)

    def test_places_belong_into_wheels(self):
        for text in (
            "requests @ https://example.org/requests-2-py3-none-any.whl",
            "https://example.org/requests-2-py3-none-any.whl",
            "git+https://example.org/requests.git",
            "./wheels/requests-2-py3-none-any.whl",
            "requests-2-py3-none-any.whl",
            "requests @ file:///wheels/requests-2-py3-none-any.whl",
        ):
            with self.subTest(text=text):
                problem = self.problem({"a.py": tool(text)})
                self.assertEqual((problem["code"], problem["line"]), ("bad-requirement", 3))
                self.assertIn("Put the wheel into the folder wheels/ beside your tools", problem["hint"])

    def test_the_python_that_a_file_wants(self):
        self.assertEqual(self.chosen({"a.py": tool("one", python=">=3.11,<4")}, wheel("one", "1")), ["one 1 folder"])
        problem = self.problem({"a.py": tool("one", python=">=3.15"), "b.py": tool("one")}, wheel("one", "1"))
        self.assertEqual(
            (problem["code"], problem["file"], problem["line"], problem["message"]),
            ("python-version", "a.py", 2, "the file asks for Python >=3.15, and this is 3.14.2"),
        )


class RequirementsFileTest(ResolverCase):
    def test_comments_blank_lines_and_continued_ones(self):
        text = "\ufeff# all of it\n\none  # the first\n  two>=1, \\\n  <3\n\\\nthree\\\n# ended\nfour"
        wheels = [wheel(name, "2") for name in ("one", "two", "three", "four")]
        chosen = self.chosen({"requirements.txt": text}, *wheels)
        self.assertEqual(chosen, ["four 2 folder", "one 2 folder", "three 2 folder", "two 2 folder"])

    def test_each_line_fails_by_itself(self):
        text = "one\nmissing\n\n>= 3\ntwo \\\n  >= 9\nthree"
        answer = self.ask({"requirements.txt": text}, wheel("one", "1"), wheel("two", "1"), wheel("three", "1"))
        self.assertEqual([one["name"] for one in answer["wheels"]], ["one", "three"])
        self.assertEqual(
            [(one["code"], one["line"]) for one in answer["problems"]],
            [("package-not-allowed", 2), ("bad-requirement", 4), ("package-not-allowed", 5)],
        )

    def test_hashes_are_handed_on(self):
        other = HEX.replace("0", "f")
        text = f"one==1 \\\n    --hash=sha256:{HEX} \\\n    --hash sha256:{other.upper()}\none --hash=sha256:{other}\ntwo"
        answer = self.ask({"requirements.txt": text, "a.py": tool("one")}, wheel("one", "1"), wheel("two", "1"))
        self.assertEqual([one["hashes"] for one in answer["wheels"]], [[other], []])
        self.assertEqual(answer["problems"], [])

    def test_hashes_that_cannot_be_honoured_are_refused(self):
        for text in (
            "one --hash=sha512:abcd",
            "one --hash=sha256:abcd",
            f"one --hash=sha256:{HEX} --no-binary",
            f"one --hash=sha256:{HEX}\none --hash=sha256:{HEX[1:]}0",
        ):
            with self.subTest(text=text):
                code, _, line, _ = self.reported({"requirements.txt": text}, wheel("one", "1"))
                self.assertEqual((code, line), ("bad-requirement", text.count("\n") + 1))

    def test_hashes_that_agree_two_by_two_and_not_all_together_are_refused(self):
        first, second, third = (f"--hash=sha256:{digit * 64}" for digit in "abc")
        text = f"one {first} {second}\none {second} {third}\none {first} {third}"
        code, _, line, message = self.reported({"requirements.txt": text}, wheel("one", "1"))
        self.assertEqual((code, line, message), ("bad-requirement", 3, "line 2 has other hashes for one"))

    def test_options_are_told_but_not_honoured(self):
        text = "-r more.txt\n--index-url https://example.org\n-e .\n--pre\n-cconstraints.txt\none"
        answer = self.ask({"requirements.txt": text}, wheel("one", "1"))
        self.assertEqual([one["name"] for one in answer["wheels"]], ["one"])
        self.assertEqual(
            [(one["severity"], one["code"], one["line"], one["message"]) for one in answer["problems"]],
            [
                ("warning", "option-ignored", 1, "the option -r is not supported"),
                ("warning", "option-ignored", 2, "the option --index-url is not supported"),
                ("warning", "option-ignored", 3, "the option -e is not supported"),
                ("warning", "option-ignored", 4, "the option --pre is not supported"),
                ("warning", "option-ignored", 5, "the option -c is not supported"),
            ],
        )
        self.assertEqual(answer["problems"][0]["hint"], "Put the lines of that file into requirements.txt.")

    def test_markers(self):
        text = "one; sys_platform == 'emscripten'\ntwo; python_version < '3'\nthree; platform_system != 'Windows' and extra == 'x'"
        self.assertEqual(self.chosen({"requirements.txt": text}, wheel("one", "1")), ["one 1 folder"])


class RequestTest(ResolverCase):
    def test_a_malformed_request_is_our_own_mistake(self):
        from cloche_resolver import resolve

        for text in ("", "[]", "{}", '{"mayFetch": 1}', '{"mayFetch": true, "sources": [1]}', '{"mayFetch": true, "wheels": [{"from": "moon", "filename": "x"}]}'):
            with self.subTest(text=text), self.assertRaises(TypeError):
                resolve(text)
