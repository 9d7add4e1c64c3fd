"""The resolver's problems for packages that cannot be installed, each for only one file."""

from .packages import PLATFORM, Index, ResolverCase, distributed, listed, tool, wheel

ONE = wheel("one", "1.0")


class ProblemTest(ResolverCase):
    def test_a_whole_answer(self):
        answer = self.ask({"good.py": tool("one"), "bad.py": "import x\n\n" + tool("one", "two>=3")}, ONE)
        self.assertEqual(
            answer,
            {
                "wheels": [
                    {
                        "name": "one",
                        "version": "1.0",
                        "filename": "one-1.0-py3-none-any.whl",
                        "from": "folder",
                        "hashes": [],
                        "neededBy": ["good.py"],
                    }
                ],
                "problems": [
                    {
                        "severity": "error",
                        "code": "package-not-allowed",
                        "file": "bad.py",
                        "line": 6,
                        "column": None,
                        "message": '"two>=3" is not in the folder wheels/, and fetching packages is not allowed',
                        "expected": "an available package",
                        "hint": "Put a wheel of it into the folder wheels/ beside your tools, or allow packages on the Policy page.",
                    }
                ],
                "wanted": [{"file": "bad.py", "requirement": "two>=3"}],
            },
        )

    def test_not_allowed(self):
        reported = self.reported({"a.py": tool("one>=2")}, ONE)
        self.assertEqual(reported[3], '"one>=2" is not available, only one 1.0, and fetching packages is not allowed')
        reported = self.reported({"a.py": tool("two")}, wheel("two", "1.0", "three<4"))
        self.assertEqual(reported[3], '"three<4" (two 1.0 needs it) is not in the folder wheels/, and fetching packages is not allowed')
        reported = self.reported({"a.py": tool("two")}, wheel("two", "1.0", tag="cp314-cp314-win_amd64"))
        self.assertEqual(reported[3], '"two" is not available: two-1.0-cp314-cp314-win_amd64.whl is for another system, and fetching packages is not allowed')

    def test_all_that_is_wanted_for_a_file_is_listed(self):
        answer = self.ask({"a.py": tool("two", "one", "three>1", "four"), "requirements.txt": "two\nfive"}, ONE, wheel("four", "1", "six"))
        self.assertEqual([one["code"] for one in answer["problems"]], ["package-not-allowed"] * 3)
        self.assertEqual(
            [(one["file"], one["requirement"]) for one in answer["wanted"]],
            [("requirements.txt", "two"), ("requirements.txt", "five"), ("a.py", "two"), ("a.py", "three>1"), ("a.py", "six")],
        )

    def test_unreachable(self):
        problem = self.problem({"a.py": tool("two")}, mayFetch=True, unreachable={"two": "this browser is offline"})
        self.assertEqual(
            (problem["code"], problem["line"], problem["message"], problem["hint"]),
            (
                "package-unreachable",
                3,
                '"two" is not in the folder wheels/, and the package index could not be reached: this browser is offline',
                "Go online and press Refresh, or put a wheel of it into the folder wheels/ beside your tools.",
            ),
        )

    def test_what_is_at_hand_does_without_the_index(self):
        chosen = self.chosen({"a.py": tool("one")}, ONE, mayFetch=True, unreachable={"one": "offline"})
        self.assertEqual(chosen, ["one 1.0 folder"])

    def test_metadata_that_cannot_be_had(self):
        files = [listed(f"one-{n}.0-py3-none-any.whl") for n in range(1, 9)]
        more = {"mayFetch": True, "projects": {"one": files}, "badMetadata": {"one-8.0-py3-none-any.whl": "HTTP 500"}}
        self.assertEqual(self.ask({"a.py": tool("one")}, **more)["need"]["metadata"], ["one-7.0-py3-none-any.whl"])
        more["badMetadata"] = {file["filename"]: "HTTP 500" for file in files[-3:]}
        reported = self.reported({"a.py": tool("one")}, **more)
        self.assertEqual((reported[0], reported[3]), ("package-unreachable", '"one" cannot be checked: one-8.0-py3-none-any.whl: HTTP 500'))

    def test_not_found(self):
        reported = self.reported({"a.py": tool("two")}, ONE, index=Index())
        self.assertEqual(reported, ("package-not-found", "a.py", 3, 'there is no package "two"'))
        reported = self.reported({"a.py": tool("one")}, wheel("one", "1.0", "two[x]>=1"), index=Index())
        self.assertEqual(reported[3], 'there is no package "two" (one 1.0 needs it)')

    def test_names_that_are_near(self):
        near = {"reqests": "requests", "python3-requests": "requests", "py-yaml": "pyyaml", "yaml": "pyyaml", "bs4": "beautifulsoup4", "PIL": "pillow"}
        for name, meant in near.items():
            with self.subTest(name=name):
                index = Index(wheel("requests", "1.0"))
                problem = self.problem({"a.py": tool(name)}, wheel("requests", "1.0"), wheel("pyyaml", "6"), index=index)
                self.assertEqual((problem["code"], problem["hint"]), ("package-not-found", f'Did you mean "{meant}"?'))
        problem = self.problem({"a.py": tool("reqests")}, wheel("requests", "1.0"))
        self.assertTrue(problem["hint"].startswith('Did you mean "requests"? Put a wheel'), problem["hint"])

    def test_no_such_version(self):
        index = Index(*(wheel("one", f"{n}.0") for n in range(1, 9)))
        problem = self.problem({"a.py": tool("one>=9")}, index=index)
        self.assertEqual(
            (problem["code"], problem["message"], problem["hint"]),
            (
                "package-not-found",
                'no version of one is "one>=9"; available: 8.0, 7.0, 6.0 …',
                "Ask for an available version, or put a wheel of it into the folder wheels/ beside your tools.",
            ),
        )

    def test_no_wheel_that_runs_here(self):
        files = {
            '"one" has no wheel that runs here: one-1.0.tar.gz must be built from source': ["one-1.0.tar.gz"],
            '"one" has no wheel that runs here: one-1.0-cp314-cp314-win_amd64.whl is for another system': [
                "one-0.9.tar.gz",
                "one-1.0-cp314-cp314-win_amd64.whl",
                "one-1.0.tar.gz",
            ],
            '"one" has no wheel that runs here: the index has no files for it': [],
        }
        for message, names in files.items():
            with self.subTest(message=message):
                reported = self.reported({"a.py": tool("one")}, mayFetch=True, projects={"one": [listed(name) for name in names]})
                self.assertEqual(reported, ("package-no-wheel", "a.py", 3, message))

    def test_no_wheel_of_that_version_runs_here(self):
        files = [listed("one-1.0-py3-none-any.whl"), listed(f"one-2.0-cp313-cp313-{PLATFORM}.whl")]
        reported = self.reported({"a.py": tool("one>=2")}, mayFetch=True, projects={"one": files})
        self.assertEqual((reported[0], reported[3][:37]), ("package-no-wheel", '"one>=2" has no wheel that runs here:'))

    def test_the_python_that_a_package_wants(self):
        reported = self.reported({"a.py": tool("one")}, wheel("one", "2.0", python=">=3.15"), index=Index())
        self.assertEqual(
            reported, ("python-version", "a.py", 3, '"one" does not run on Python 3.14.2: one-2.0-py3-none-any.whl needs Python >=3.15')
        )
        files = [listed("one-2.0-py3-none-any.whl", python="<3")]
        reported = self.reported({"a.py": tool("two")}, wheel("two", "1", "one"), mayFetch=True, projects={"one": files, "two": None})
        self.assertEqual(reported[3], '"one" (two 1 needs it) does not run on Python 3.14.2: one-2.0-py3-none-any.whl needs Python <3')

    def test_wheels_of_the_folder_that_are_none(self):
        wheels = [{**ONE, "filename": "one.whl"}, {**ONE, "filename": "one-x-py3-none-any.whl"}, ONE]
        answer = self.ask({"a.py": tool("one")}, *wheels)
        self.assertEqual(len(answer["wheels"]), 1)
        self.assertEqual(
            [(one["severity"], one["code"], one["file"], one["line"]) for one in answer["problems"]],
            [("warning", "bad-wheel", "wheels/one-x-py3-none-any.whl", None), ("warning", "bad-wheel", "wheels/one.whl", None)],
        )

    def test_metadata_that_is_wrong(self):
        wrong = {
            "it is not a wheel, or it is damaged: its METADATA cannot be read": None,
            "its METADATA has no name or no version": "",
            "its METADATA is of two 1.0": wheel("two", "1.0")["metadata"],
            "its METADATA is of one 2.0": wheel("one", "2.0")["metadata"],
            'its METADATA asks for "two >> 3", which is not a valid requirement': wheel("one", "1.0", "two >> 3")["metadata"],
        }
        for said, metadata in wrong.items():
            with self.subTest(said=said):
                code, *_, message = self.reported({"a.py": tool("one")}, {**ONE, "metadata": metadata}, index=Index())
                self.assertEqual(code, "package-no-wheel")
                self.assertIn(said, message)


class ConflictTest(ResolverCase):
    WHEELS = (
        wheel("one", "1.0", "three<2"), wheel("two", "1.0", "three>=2"), wheel("three", "1.0"), wheel("three", "2.0"), ONE,
    )  # fmt: skip

    def conflict(self, sources: dict[str, str], **more) -> tuple[str, str, int | None, str]:
        return self.reported(sources, *self.WHEELS[:4], **more)

    def test_with_another_file(self):
        sources = {"b.py": tool("two", "three>=2"), "a.py": tool("three<2")}
        self.assertEqual(
            self.conflict(sources),
            ("package-conflict", "b.py", 3, '"two" conflicts with "three<2" of a.py (line 3): a.py asks for "three<2", two 1.0 needs "three>=2"'),
        )
        sources = {"b.py": tool("three>=2"), "a.py": tool("three<2")}
        self.assertEqual(self.conflict(sources)[3], '"three>=2" conflicts with "three<2" of a.py (line 3)')

    def test_among_what_two_packages_need(self):
        for more in ({}, {"index": Index()}):
            reported = self.conflict({"b.py": tool("two"), "a.py": tool("one")}, **more)
            self.assertEqual(reported[:3], ("package-conflict", "b.py", 3))
            self.assertIn('one 1.0 needs "three<2"', reported[3])
            self.assertIn('two 1.0 needs "three>=2"', reported[3])

    def test_within_a_file(self):
        reported = self.conflict({"a.py": tool("three", "one", "two")})
        self.assertEqual(reported[:3], ("package-conflict", "a.py", 5))
        self.assertIn('"two" conflicts with "one" of line 4: ', reported[3])

    def test_with_requirements_txt_which_comes_first(self):
        reported = self.conflict({"a.py": tool("one"), "requirements.txt": "# all\nthree==2.0\n"})
        self.assertEqual(reported[:3], ("package-conflict", "a.py", 3))
        self.assertIn('"one" conflicts with "three==2.0" of requirements.txt (line 2)', reported[3])

    def test_within_requirements_txt(self):
        reported = self.conflict({"requirements.txt": "three<2\nthree\nthree>=2\n"})
        self.assertEqual(
            reported, ("package-conflict", "requirements.txt", 3, '"three>=2" conflicts with "three<2" of line 1')
        )

    def test_inside_a_package(self):
        reported = self.reported({"a.py": tool("all")}, wheel("all", "1.0", "one", "two"), *self.WHEELS[:4])
        self.assertEqual(reported[:3], ("package-conflict", "a.py", 3))
        self.assertIn('the packages that "all" needs conflict', reported[3])

    def test_of_three(self):
        wheels = [wheel("p", "1", "z!=1"), wheel("q", "1", "z!=2"), wheel("r", "1", "z!=3"), *(wheel("z", n) for n in "123")]
        reported = self.reported({"a.py": tool("p"), "b.py": tool("q"), "c.py": tool("r")}, *wheels)
        self.assertEqual(reported[:3], ("package-conflict", "c.py", 3))
        self.assertIn('"r" conflicts with "q" of b.py (line 3)', reported[3])

    def test_one_bad_file_among_many(self):
        sources = {f"f{n:02}.py": tool("one" if n != 33 else "two", f"g{n}") for n in range(60)}
        answer = self.ask(sources, *self.WHEELS[:4], *(wheel(f"g{n}", "1") for n in range(60)))
        self.assertEqual([(one["file"], one["code"], one["line"]) for one in answer["problems"]], [("f33.py", "package-conflict", 3)])
        self.assertEqual(len(answer["wheels"]), 61)
        self.assertNotIn("g33", [one["name"] for one in answer["wheels"]])

    def test_every_bad_file_has_one_problem(self):
        sources = {
            "a.py": tool("two", "missing", "missing2"),
            "b.py": tool("one"),
            "c.py": tool("two"),
            "d.py": tool("three==5"),
            "e.py": "no block",
            "requirements.txt": "nothing\nthree",
        }
        answer = self.ask(sources, *self.WHEELS[:4], distributed("missing", "1.0"), index=Index())
        self.assertEqual(
            [(one["file"], one["line"], one["code"]) for one in answer["problems"]],
            [
                ("a.py", 5, "package-not-found"),
                ("c.py", 3, "package-conflict"),
                ("d.py", 3, "package-not-found"),
                ("requirements.txt", 1, "package-not-found"),
            ],
        )
        self.assertEqual([f"{one['name']} {one['version']}" for one in answer["wheels"]], ["one 1.0", "three 1.0"])
