"""Names of files and tools whose letters are composed in one place and decomposed in another."""

import unicodedata

from .host import HostCase, tools

COMPOSED = "résumé"
DECOMPOSED = unicodedata.normalize("NFD", COMPOSED)


class NamesTest(HostCase):
    def test_a_tool_may_write_its_file_in_either_form(self):
        for stem in (COMPOSED, DECOMPOSED):
            for module in (COMPOSED, DECOMPOSED):
                with self.subTest(stem=stem, module=module):
                    host = self.open({f"{stem}.py": tools("def f(): return 1", "f", module=module)})
                    report = host.inspect(f"{stem}.py")
                    self.assertEqual(report["problems"], [])
                    self.assertEqual([tool["name"] for tool in report["tools"]], [f"{stem}:f"])
                    self.assertEqual(host.call(f"{stem}:f")["content"], [{"type": "json", "text": "1"}])

    def test_another_name_is_still_wrong(self):
        host = self.open({"résumé.py": tools("def f(): return 1", "f", module="resume")})
        (problem,) = host.inspect("résumé.py")["problems"]
        self.assertEqual(problem["code"], "bad-name")

    def test_a_module_that_is_there_in_another_spelling_is_not_asked_for(self):
        for file, name in ((DECOMPOSED, COMPOSED), ("ﬁle", "file"), ("ｶﾅ", "カナ")):
            with self.subTest(name=name):
                host = self.open({f"{file}.py": "X = 1\n", "uses.py": f"import {name}\n"})
                (problem,) = host.inspect("uses.py")["problems"]
                self.assertIn(f"{file!r} is in this folder", problem["hint"])
                self.assertIn(f"Python looks for {ascii(name)}", problem["hint"])

    def test_the_hint_for_a_missing_module_says_that_links_do_not_count(self):
        host = self.open({"uses.py": "import shared_by_a_link\n"})
        (problem,) = host.inspect("uses.py")["problems"]
        self.assertIn("browsers leave out symbolic links", problem["hint"])
