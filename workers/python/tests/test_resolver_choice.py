"""Which wheels the resolver chooses: origins, versions, tags, extras, markers; and what it requests from the index."""

import json
import random

from cloche_resolver import resolve

from .packages import PLATFORM, Index, ResolverCase, distributed, listed, tool, wheel


class OriginTest(ResolverCase):
    def test_the_folder_comes_before_the_site_before_the_distribution_before_the_index(self):
        wheels = [distributed("one", "3.0"), wheel("one", "2.0", origin="site"), wheel("one", "1.0")]
        index = Index(wheel("one", "4.0"))
        for expected in ("one 1.0 folder", "one 2.0 site", "one 3.0 distribution", "one 4.0 index"):
            with self.subTest(expected=expected):
                self.assertEqual(self.chosen({"a.py": tool("one")}, *wheels, index=index), [expected])
            wheels[-1:] = []

    def test_the_index_is_not_asked_for_what_is_at_hand(self):
        index = Index(wheel("one", "4.0"))
        self.assertEqual(self.chosen({"a.py": tool("one")}, wheel("one", "1.0"), index=index), ["one 1.0 folder"])
        self.assertEqual(index.rounds, [])

    def test_but_where_what_is_at_hand_will_not_do(self):
        index = Index(wheel("one", "4.0"))
        chosen = self.chosen({"a.py": tool("one>=2")}, wheel("one", "1.0"), index=index)
        self.assertEqual(chosen, ["one 4.0 index"])
        self.assertEqual(
            index.rounds,
            [
                {"projects": ["one"], "metadata": []},
                {"projects": [], "metadata": ["one-4.0-py3-none-any.whl"]},
            ],
        )

    def test_and_where_what_is_at_hand_does_not_go_together(self):
        wheels = [wheel("one", "1.0", "two<2"), wheel("two", "1.0"), wheel("two", "2.0")]
        chosen = self.chosen({"a.py": tool("one", "two>=2")}, *wheels, index=Index(wheel("one", "1.1", "two")))
        self.assertEqual(chosen, ["one 1.1 index", "two 2.0 folder"])

    def test_the_distribution_wants_permission_too(self):
        code, *_ = self.reported({"a.py": tool("one")}, distributed("one", "3.0"))
        self.assertEqual(code, "package-not-allowed")

    def test_packages_of_the_distribution_bring_theirs(self):
        wheels = [
            distributed("numpy", "2.2.5", "libopenblas"),
            distributed("libopenblas", "0.3.26x", tagless=True),
            distributed("scipy", "1.14", "numpy", "libopenblas"),
        ]
        chosen = self.chosen({"a.py": tool("scipy"), "b.py": tool("numpy==2.2.*")}, *wheels, index=Index())
        self.assertEqual(chosen, ["libopenblas 0.3.26x distribution", "numpy 2.2.5 distribution", "scipy 1.14 distribution"])


class VersionTest(ResolverCase):
    def test_the_newest_that_fits(self):
        wheels = [wheel("one", version) for version in ("1.9", "1.10", "2.0", "1.10.post1")]
        self.assertEqual(self.chosen({"a.py": tool("one<2")}, *wheels), ["one 1.10.post1 folder"])

    def test_early_versions_only_where_asked_for_or_where_there_are_no_others(self):
        one = [wheel("one", "1.0"), wheel("one", "2.0rc1")]
        self.assertEqual(self.chosen({"a.py": tool("one")}, *one), ["one 1.0 folder"])
        self.assertEqual(self.chosen({"a.py": tool("one>=2.0rc0")}, *one), ["one 2.0rc1 folder"])
        self.assertEqual(self.chosen({"a.py": tool("one")}, one[1]), ["one 2.0rc1 folder"])

    def test_withdrawn_versions_only_by_their_number(self):
        index = Index(wheel("one", "1.0"), wheel("one", "2.0"))
        index.projects["one"][1]["yanked"] = True
        self.assertEqual(self.chosen({"a.py": tool("one")}, index=index), ["one 1.0 index"])
        self.assertEqual(self.chosen({"a.py": tool("one==2.0")}, index=index), ["one 2.0 index"])
        code, *_ = self.reported({"a.py": tool("one>=2,==2.*")}, index=index)
        self.assertEqual(code, "package-not-found")

    def test_pythons_that_versions_want(self):
        index = Index(wheel("one", "1.0"), wheel("one", "2.0", python=">=3.15"), wheel("one", "3.0"))
        index.projects["one"][2]["requiresPython"] = "<3.14"
        self.assertEqual(self.chosen({"a.py": tool("one")}, index=index), ["one 1.0 index"])
        self.assertEqual(
            [round["metadata"] for round in index.rounds],
            [[], ["one-2.0-py3-none-any.whl"], ["one-1.0-py3-none-any.whl"]],
        )

    def test_older_ones_where_the_newest_does_not_go_together(self):
        index = Index(
            wheel("one", "2.0", "three>=2"), wheel("one", "1.0", "three"), wheel("two", "1.0", "three<2"),
            wheel("three", "1.0"), wheel("three", "2.0"),
        )
        chosen = self.chosen({"a.py": tool("one", "two")}, index=index)
        self.assertEqual(chosen, ["one 1.0 index", "three 1.0 index", "two 1.0 index"])

    def test_names_are_one_however_they_are_written(self):
        wheels = [wheel("Typing_Extensions", "4.0", "ruamel.YAML"), wheel("ruamel-yaml", "1.0")]
        chosen = self.chosen({"a.py": tool("typing-extensions"), "b.py": tool("TYPING.extensions")}, *wheels)
        self.assertEqual(chosen, ["ruamel-yaml 1.0 folder", "typing-extensions 4.0 folder"])


class TagTest(ResolverCase):
    def test_the_best_wheel_of_a_version(self):
        tags = ["py3-none-any", f"py3-none-{PLATFORM}", f"cp38-abi3-{PLATFORM}", f"cp314-cp314-{PLATFORM}"]
        wheels = [wheel("one", "1.0", tag=tag) for tag in tags]
        wheels += [wheel("one", "1.0", tag=tag) for tag in ("cp314-cp314-win_amd64", "cp313-cp313-any", "py2-none-any")]
        for tag in reversed(tags):
            answer = self.ask({"a.py": tool("one")}, *wheels)
            self.assertEqual(answer["wheels"][0]["filename"], f"one-1.0-{tag}.whl")
            wheels = [one for one in wheels if tag not in one["filename"]]

    def test_the_highest_build_of_a_wheel(self):
        wheels = [wheel("one", "1.0"), wheel("one", "1.0-10"), wheel("one", "1.0-9b")]
        for one in wheels:
            one["metadata"] = wheels[0]["metadata"]
        self.assertEqual(self.ask({"a.py": tool("one")}, *wheels)["wheels"][0]["filename"], "one-1.0-10-py3-none-any.whl")

    def test_the_running_python_takes_its_own_wheels_too(self):
        import sysconfig

        own = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        for tag in ("py3-none-any", f"py3-none-{own}", f"py3-none-{PLATFORM}"):
            one = wheel("one", "1.0", tag=tag)
            self.assertEqual(self.chosen({"a.py": tool("one")}, one, environment={}), ["one 1.0 folder"])


class ExtraTest(ResolverCase):
    WHEELS = (
        wheel("one", "1.0", "two", 'three; extra == "more"', 'four; extra == "most" and sys_platform == "win32"', 'one[more]; extra == "all_of-it"', extras=("more", "most", "all-of.it")),
        wheel("two", "1.0"),
        wheel("three", "1.0"),
    )  # fmt: skip

    def test_an_extra_brings_what_it_needs(self):
        self.assertEqual(self.chosen({"a.py": tool("one")}, *self.WHEELS), ["one 1.0 folder", "two 1.0 folder"])
        for text in ("one[more]", "one[More, most]", "One[all_of_it]"):
            chosen = self.chosen({"a.py": tool(text)}, *self.WHEELS)
            self.assertEqual(chosen, ["one 1.0 folder", "three 1.0 folder", "two 1.0 folder"])

    def test_all_extras_are_of_one_wheel(self):
        wheels = [
            wheel("one", "2.0", 'two; extra == "a"', 'three>9; extra == "b"', extras=("a", "b")),
            wheel("one", "1.0", 'two; extra == "a"', 'three; extra == "b"', extras=("a", "b")),
            wheel("two", "1.0"),
            wheel("three", "1.0"),
        ]
        chosen = self.chosen({"a.py": tool("one[a]"), "b.py": tool("one[b]")}, *wheels)
        self.assertEqual(chosen, ["one 1.0 folder", "three 1.0 folder", "two 1.0 folder"])

    def test_an_extra_that_there_is_not_is_a_warning(self):
        answer = self.ask({"a.py": tool("one[mor]")}, *self.WHEELS)
        self.assertEqual(len(answer["wheels"]), 2)
        (problem,) = answer["problems"]
        self.assertEqual(
            (problem["severity"], problem["code"], problem["line"], problem["message"], problem["hint"]),
            ("warning", "unknown-extra", 3, 'one 1.0 has no extra "mor"', 'Did you mean "more"?'),
        )

    def test_markers_of_packages(self):
        wheels = [
            wheel("one", "1.0", 'two; sys_platform == "emscripten"', 'three; python_version < "3.14"', 'four; os_name == "nt" or (platform_system == "Linux" and python_version >= "3")'),
            wheel("two", "1.0"),
        ]  # fmt: skip
        self.assertEqual(self.chosen({"a.py": tool("one")}, *wheels), ["one 1.0 folder", "two 1.0 folder"])

    def test_a_marker_that_makes_no_sense_does_not_hold(self):
        wheels = [wheel("one", "1.0", 'two; sys_platform > "3.0"', 'three; platform_release >= "5"')]
        self.assertEqual(
            self.chosen({"a.py": tool("one")}, *wheels, environment={"python_full_version": "3.14.0", "platform_release": "is none", "sys_platform": "x"}),
            ["one 1.0 folder"],
        )


class NeedTest(ResolverCase):
    def test_all_that_can_be_asked_for_at_once_is(self):
        index = Index(
            wheel("one", "1.0", "three", "four"), wheel("two", "1.0", "five"),
            wheel("three", "1.0"), wheel("four", "1.0"), wheel("five", "1.0"),
        )
        chosen = self.chosen({"a.py": tool("one"), "b.py": tool("two"), "requirements.txt": "three"}, index=index)
        self.assertEqual(len(chosen), 5)
        self.assertEqual([sorted(round["projects"]) for round in index.rounds if round["projects"]], [["one", "three", "two"], ["five", "four"]])
        self.assertEqual(len(index.rounds), 4)

    def test_nothing_is_asked_for_that_is_known(self):
        answer = self.ask(
            {"a.py": tool("one", "two", "three")},
            mayFetch=True,
            projects={"one": [listed("one-1.0-py3-none-any.whl")], "two": None},
            unreachable={"three": "offline"},
        )
        self.assertEqual(answer, {"need": {"projects": [], "metadata": ["one-1.0-py3-none-any.whl"]}})

    def test_where_fetching_is_not_allowed_nothing_is_needed(self):
        answer = self.ask({"a.py": tool("one")}, projects={"one": [listed("one-1.0-py3-none-any.whl")]})
        self.assertEqual(answer["problems"][0]["code"], "package-not-allowed")
        self.assertEqual(answer["wanted"], [{"file": "a.py", "requirement": "one"}])

    def test_the_answer_does_not_hang_on_the_order_of_what_is_told(self):
        chance = random.Random(1)
        wheels = [wheel(f"p{n}", f"{v}.0", f"p{(n * 7 + v) % 20}", f"p{(n * 3) % 20}<=3") for n in range(20) for v in range(1, 5)]
        sources = {f"t{n}.py": tool(f"p{n}", f"p{n + 1}>=2", f"missing{n}" if n % 4 == 0 else "p3") for n in range(12)}
        first = self.ask(sources, *wheels)
        self.assertEqual([one["message"][:10] for one in first["problems"]], ['"missing0"', '"missing4"', '"missing8"'])
        # They need one another in a cycle, and the search has discarded some.
        chosen = {one["name"]: int(one["version"][0]) for one in first["wheels"]}
        for n in range(20):
            version = chosen[f"p{n}"]
            self.assertIn(f"p{(n * 7 + version) % 20}", chosen)
            self.assertLessEqual(chosen[f"p{(n * 3) % 20}"], 3)
        for _ in range(3):
            chance.shuffle(wheels)
            items = [*sources.items()]
            chance.shuffle(items)
            self.assertEqual(self.ask(dict(items), *wheels), first)

    def test_a_circle_of_packages_is_no_trouble(self):
        wheels = [wheel("one", "1.0", "two"), wheel("two", "1.0", "three[x]"), wheel("three", "1.0", 'one; extra == "x"', extras=("x",))]
        chosen = self.chosen({"a.py": tool("one")}, *wheels)
        self.assertEqual(chosen, ["one 1.0 folder", "three 1.0 folder", "two 1.0 folder"])

    def test_what_is_needed_is_named_in_the_form_of_the_index(self):
        request = {"mayFetch": True, "sources": [{"file": "a.py", "text": tool("Ruamel.YAML")}]}
        self.assertEqual(json.loads(resolve(json.dumps(request))), {"need": {"projects": ["ruamel-yaml"], "metadata": []}})
