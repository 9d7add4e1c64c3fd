"""How tool files are imported: under which name, beside which modules, and again when they change."""

import os
import sys
import tempfile
import unittest.mock
import zipfile
from importlib.util import find_spec

from cloche import module_names
from cloche.module_names import module_name

from .host import HostCase, text_of, tools


class NamesTest(HostCase):
    def test_a_file_is_imported_under_its_stem(self):
        host = self.open_tools("def f(): return [__name__, __file__]", "f")
        self.assertEqual(text_of(host.call("t:f")), f'["t", "{host.root}/t.py"]')

    def test_a_file_named_like_a_standard_module_keeps_its_tool_names(self):
        for stem in ("json", "random", "asyncio", "this", "js", "pyodide", "cloche", "unittest"):
            with self.subTest(stem=stem):
                host = self.open(
                    {
                        f"{stem}.py": tools(
                            "import json\ndef f(): return json.dumps(__name__)", "f", module=stem
                        )
                    }
                )
                report = host.inspect(f"{stem}.py")
                self.assertEqual([tool["name"] for tool in report["tools"]], [f"{stem}:f"])
                ((severity, code),) = [(one["severity"], one["code"]) for one in report["problems"]]
                self.assertEqual((severity, code), ("warning", "shadowed-module"))
                self.assertEqual(text_of(host.call(f"{stem}:f")), f'"_cloche_tools_{stem}"')

    def test_the_folder_shadows_nothing(self):
        host = self.open(
            {
                "colorsys.py": "raise ValueError",
                "t.py": tools("import colorsys\ndef f(): return colorsys.__name__", "f"),
            }
        )
        self.assertEqual(text_of(host.call("t:f")), "colorsys")
        self.assertEqual(sys.path[-1], host.root)
        self.assertNotIn("", sys.path)

    def test_a_file_name_that_is_no_identifier_works(self):
        for stem in ("my-tools", "1st", "two words", "a.b", "class", "été", "😀", "CON"):
            with self.subTest(stem=stem):
                host = self.open({f"{stem}.py": tools("def f(): return 1", "f", module=stem)})
                report = host.inspect(f"{stem}.py")
                self.assertEqual(
                    ([tool["name"] for tool in report["tools"]], report["problems"]), ([f"{stem}:f"], [])
                )
                self.assertTrue(host.call(f"{stem}:f")["ok"])

    def test_a_colon_in_a_file_name_is_refused(self):
        host = self.open(
            {
                "a:b.py": "TOOL_SPECS = [{'name': 'a:b:f', 'description': 'd', 'parameters': {'type': 'object'}, 'handler': print}]"
            }
        )
        (problem,) = host.inspect("a:b.py")["problems"]
        self.assertEqual(
            (problem["message"], problem["hint"]),
            ('the file\'s name "a:b" has a colon in it', "Rename the file."),
        )

    def test_private_names_do_not_collide(self):
        stems = ("a-b", "a_2d_b", "a b", "a.b", "a__b", "a_b", "é", "\U0001f600")
        names = {module_name(stem, "", "/nowhere").name for stem in stems}
        private = {module_name("a." + stem, "", "/nowhere").name for stem in stems}
        self.assertEqual((len(names), len(private)), (len(stems), len(stems)))
        self.assertTrue(all(name.startswith("_cloche_tools_") and name.isascii() for name in private))


    def test_a_name_that_no_statement_can_import_is_the_module_s_own(self):
        host = self.open({"my-tools.py": tools("def f(): return [__name__, f.__module__]", "f", module="my-tools")})
        self.assertEqual(text_of(host.call("my-tools:f")), '["my-tools", "my-tools"]')
        self.assertEqual(module_name("class", "", "/nowhere").name, "class")


class NeighboursTest(HostCase):
    def test_helpers_packages_and_data_beside_the_file_can_be_used(self):
        host = self.open(
            {
                "t.py": tools(
                    "from pathlib import Path\nimport helper\nfrom package.inner import value\nfrom _private import hidden\n"
                    "def f(): return [helper.value, value, hidden, (Path(__file__).parent / 'x.txt').read_text(), open('x.txt').read()]",
                    "f",
                ),
                "helper.py": "value = 1\n",
                "package/__init__.py": "",
                "package/inner.py": "from .deeper import value\n",
                "package/deeper.py": "value = 2\n",
                "_private.py": "hidden = 3\n",
                "x.txt": "data",
            }
        )
        report = host.inspect("t.py")
        self.assertEqual(report["problems"], [])
        self.assertEqual(
            report["imports"],
            ["_private.py", "helper.py", "package/__init__.py", "package/deeper.py", "package/inner.py"],
        )
        self.assertEqual(text_of(host.call("t:f")), '[1, 2, 3, "data", "data"]')

    def test_a_tool_file_imported_by_another_is_one_module(self):
        host = self.open(
            {
                "a.py": tools("import b\ndef f():\n    b.count += 1\n    return b.count", "f", module="a"),
                "b.py": tools("print('loaded')\ncount = 0\ndef g(): return count", "g", module="b"),
            }
        )
        self.assertEqual((host.inspect("a.py")["output"], host.inspect("b.py")["output"]), ("loaded\n", ""))
        host.call("a:f")
        self.assertEqual(text_of(host.call("b:g")), "1")

    def test_two_tool_files_may_import_each_other(self):
        host = self.open(
            {
                "a.py": tools("import b\ndef f(): return b.g()", "f", module="a"),
                "b.py": tools("import a\ndef g(): return 'g'", "g", module="b"),
            }
        )
        self.assertEqual((host.inspect("a.py")["problems"], host.inspect("b.py")["problems"]), ([], []))
        self.assertEqual(text_of(host.call("a:f")), "g")

    def test_imports_are_known_of_broken_files_too(self):
        host = self.open(
            {
                "t.py": "import helper\n",
                "helper.py": "from package import inner\n1 / 0\n",
                "package/__init__.py": "",
                "package/inner.py": "",
            }
        )
        self.assertEqual(
            host.inspect("t.py")["imports"], ["helper.py", "package/__init__.py", "package/inner.py"]
        )
        host = self.open({"t.py": "import helper\n(", "helper.py": ""})
        self.assertEqual(host.inspect("t.py")["imports"], ["helper.py"])

    def test_every_form_of_import_counts(self):
        names = "a b c d e f g h".split()
        host = self.open(
            {
                "t.py": "import a, os, b as bee\nfrom c import (\n    x,\n    y,\n)\nif True: import d\ntry:\n    import e\nexcept ImportError: pass\n"
                "def late():\n    from f import x\nx = 1; import g\nfrom package import (h)\nimport json\n# import z\n",
                **{f"{name}.py": "x = y = 1\n" for name in names[:-1]},
                "package/__init__.py": "",
                "package/h.py": "",
                "json.py": "",
                "z.py": "",
            }
        )
        expected = [*(f"{name}.py" for name in names[:-1]), "package/__init__.py", "package/h.py"]
        self.assertEqual(host.inspect("t.py")["imports"], expected)

    def test_a_helper_is_not_imported_twice_for_many_files(self):
        files = {
            f"t{n}.py": tools("import helper\ndef f(): return helper.count", "f", module=f"t{n}")
            for n in range(5)
        }
        host = self.open({**files, "helper.py": "import builtins\ncount = 1\nprint('once')\n"})
        outputs = [host.inspect(file)["output"] for file in files]
        self.assertEqual(outputs, ["once\n", "", "", "", ""])


class ForgettingTest(HostCase):
    FILES = {
        "a.py": tools(
            "import shared\nfrom package import inner\ncount = 0\ndef f():\n    global count\n    count += 1\n    return [count, shared.value, inner.value]",
            "f",
            module="a",
        ),
        "b.py": tools(
            "count = 0\ndef f():\n    global count\n    count += 1\n    return count", "f", module="b"
        ),
        "shared.py": "value = 'old'\n",
        "package/__init__.py": "",
        "package/inner.py": "value = 'old'\n",
    }

    def setUp(self):
        self.host = self.open(self.FILES)
        self.host.inspect("a.py")
        self.host.inspect("b.py")

    def value(self, tool):
        return text_of(self.host.call(tool))

    def test_a_changed_helper_and_what_imports_it_are_imported_anew(self):
        self.assertEqual((self.value("a:f"), self.value("b:f")), ('[1, "old", "old"]', "1"))
        self.host.write("shared.py", "value = 'new'\n")
        self.assertEqual(self.host.interpreter.forget_files(["shared.py"]), ["a.py", "shared.py"])
        self.assertEqual(self.value("a:f"), '[1, "new", "old"]')

    def test_the_others_keep_their_state(self):
        self.value("b:f")
        self.host.interpreter.forget_files(["shared.py", "a.py"])
        self.assertEqual(self.value("b:f"), "2")

    def test_a_module_inside_a_package_is_forgotten_by_its_package_too(self):
        self.value("a:f")
        self.host.write("package/inner.py", "value = 'new'\n")
        self.assertEqual(
            self.host.interpreter.forget_files(["package/inner.py"]), ["a.py", "package/inner.py"]
        )
        self.assertEqual(self.value("a:f"), '[1, "old", "new"]')

    def test_a_changed_tool_file_has_its_new_tools(self):
        self.value("b:f")
        self.host.write("b.py", tools("def g(): return 'new'", "g", module="b"))
        self.host.interpreter.forget_files(["b.py"])
        self.assertEqual([tool["name"] for tool in self.host.inspect("b.py")["tools"]], ["b:g"])
        self.assertEqual(self.value("b:g"), "new")
        self.assertTrue(self.host.call("b:f")["error"].startswith("LookupError"))

    def test_the_lines_of_a_changed_file_are_new_too(self):
        code = "import linecache\ndef f(): return linecache.getline(__file__, 1)"
        host = self.open_tools("# old\n" + code, "f")
        self.assertEqual(text_of(host.call("t:f")), "# old\n")
        # The files are forgotten only before the change, because no file is added or removed.
        host.interpreter.forget_files(["t.py"])
        host.write("t.py", tools("# new\n" + code, "f"))
        host.interpreter.open_folder(host.root)
        self.assertEqual(text_of(host.call("t:f")), "# new\n")

    def test_a_new_helper_is_seen(self):
        self.host.write("late.py", "value = 1\n")
        self.host.write("b.py", tools("import late\ndef f(): return late.value", "f", module="b"))
        self.assertEqual(self.host.interpreter.forget_files(["late.py", "b.py"]), ["b.py", "late.py"])
        self.assertEqual(self.value("b:f"), "1")
        self.assertEqual(self.host.inspect("b.py")["imports"], ["late.py"])

    def test_opening_the_folder_again_keeps_what_is_loaded(self):
        self.value("b:f")
        self.host.write("late.py", tools("def f(): return 1", "f", module="late"))
        self.host.interpreter.open_folder(self.host.root)
        self.assertEqual(self.value("b:f"), "2")
        self.assertEqual(self.value("late:f"), "1")

    def test_a_file_that_comes_drops_what_imports_it_and_one_that_goes_too(self):
        optional = "try:\n    import extra\n    value = extra.value\nexcept ImportError:\n    value = 'none'\n"
        host = self.open({"t.py": tools(optional + "def f(): return value", "f"), "u.py": "x = 1\n"})
        self.assertEqual(text_of(host.call("t:f")), "none")
        forget = host.interpreter.forget_files
        self.assertEqual(forget(["extra.py"]), ["extra.py"])
        host.write("extra.py", "value = 'here'\n")
        host.interpreter.open_folder(host.root)
        self.assertEqual(forget(["extra.py"], True), ["extra.py", "t.py"])
        self.assertEqual(text_of(host.call("t:f")), "here")
        # Its importers are known only before it is removed.
        self.assertEqual(forget(["extra.py"]), ["extra.py", "t.py"])
        os.remove(os.path.join(host.root, "extra.py"))
        host.interpreter.open_folder(host.root)
        self.assertEqual(forget(["extra.py"], True), ["extra.py"])
        self.assertEqual(text_of(host.call("t:f")), "none")

    def test_what_no_import_statement_tells_is_known_of_what_is_loaded(self):
        dynamic = "from importlib import import_module\nshared = import_module('sha' + 'red')\n"
        host = self.open(
            {"t.py": tools(dynamic + "def f(): return shared.value", "f"), "shared.py": "value = 'old'\n"}
        )
        self.assertEqual(host.inspect("t.py")["imports"], ["shared.py"])
        self.assertEqual(text_of(host.call("t:f")), "old")
        host.write("shared.py", "value = 'new'\n")
        self.assertEqual(host.interpreter.forget_files(["shared.py"]), ["shared.py", "t.py"])
        self.assertEqual(text_of(host.call("t:f")), "new")

    def test_a_data_file_read_at_import_counts_one_read_by_a_call_does_not(self):
        code = (
            "import helper, json\nfrom pathlib import Path\nhere = Path(__file__).parent\n"
            "def read(): return (here / 'own.txt').read_text()\nown = read()\n"
            "def f(): return [own, helper.rates, open('late.txt').read()]"
        )
        host = self.open(
            {
                "t.py": tools(code, "f"),
                "helper.py": "import os\nwith open(os.path.join(os.path.dirname(__file__), 'data/rates.json')) as file:\n    rates = file.read()\n",
                "data/rates.json": "1",
                "own.txt": "own",
                "late.txt": "late",
                "other.py": tools("def g(): return 1", "g", module="other"),
            }
        )
        self.assertEqual(host.inspect("t.py")["imports"], ["data/rates.json", "helper.py", "own.txt"])
        self.assertEqual(host.inspect("other.py")["imports"], [])
        self.assertEqual(text_of(host.call("t:f")), '["own", "1", "late"]')
        self.assertEqual(host.interpreter.forget_files(["late.txt"]), ["late.txt"])
        host.write("data/rates.json", "2")
        dropped = host.interpreter.forget_files(["data/rates.json"])
        self.assertEqual(dropped, ["data/rates.json", "helper.py", "t.py"])
        self.assertEqual(text_of(host.call("t:f")), '["own", "2", "late"]')

    async def test_a_running_call_keeps_the_code_it_started_with(self):
        host = self.open_tools(
            "import asyncio\nvalue = 'old'\nasync def f():\n    await asyncio.sleep(0.01)\n    return value",
            "f",
        )
        call = host.begin("t:f")
        host.write("t.py", tools("value = 'new'\ndef f(): return value", "f"))
        host.interpreter.forget_files(["t.py"])
        self.assertEqual(text_of(host.call("t:f")), "new")
        self.assertEqual(text_of(await host.wait(call)), "old")


class ArchivesTest(HostCase):
    def test_opening_a_folder_reads_no_archive_again_that_never_changes(self):
        with (
            tempfile.TemporaryDirectory() as folder,
            unittest.mock.patch.object(sys, "path", [*sys.path]),
            unittest.mock.patch.object(module_names, "_ARCHIVES", frozenset([f"{folder}/fixed.zip"])),
        ):
            fixed, changing = f"{folder}/fixed.zip", f"{folder}/changing.zip"
            _add_to(fixed, "of_fixed.py")
            _add_to(changing, "of_changing.py")
            sys.path += [fixed, changing]
            self.assertEqual(find_spec("of_fixed").origin, f"{fixed}/of_fixed.py")
            self.assertEqual(find_spec("of_changing").origin, f"{changing}/of_changing.py")
            _add_to(fixed, "of_both.py")
            _add_to(changing, "of_both.py")
            self.open_tools("def f(): return 1", "f")
            # The archive that is not read again does not show its new module.
            self.assertEqual(find_spec("of_both").origin, f"{changing}/of_both.py")
            self.doCleanups()


def _add_to(archive: str, file: str) -> None:
    with zipfile.ZipFile(archive, "a") as opened:
        opened.writestr(file, "")
