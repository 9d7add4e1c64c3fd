"""Settings that a file declares: valves of Open WebUI, and environment variables."""

import sys
import tempfile
from pathlib import Path

from .host import HostCase

FILE = '''"""
title: Weather
"""
import os
from typing import Literal, Optional
from pydantic import BaseModel, Field, SecretStr

REGION = os.getenv("WEATHER_REGION", "north")


class Tools:
    class Valves(BaseModel):
        API_KEY: str = Field(default="hard-coded", description="The key")
        unit: Literal["c", "f"] = "c"
        days: int = Field(default=3, ge=1)
        max_tokens: int = 100
        signing: SecretStr = SecretStr("s")

    class UserValves(BaseModel):
        nickname: str = "friend"

    def __init__(self):
        self.valves = self.Valves()

    async def forecast(self, city: str, __user__: dict = {}) -> str:
        """A forecast."""
        valves = self.valves
        name = __user__["valves"].nickname
        return f"{city} {valves.API_KEY} {valves.unit} {valves.days} {valves.signing.get_secret_value()} {name} {REGION} {os.environ.get('WEATHER_TOKEN')}"
'''


class SettingsTest(HostCase):
    def test_declared_settings_are_reported_and_secrets_have_no_default(self):
        report = self.open(FILE).inspect("t.py")
        found = {(one["group"], one["name"]): one for one in report["settings"]}
        key = found["Valves", "API_KEY"]
        self.assertEqual(key["schema"], {"type": "string", "description": "The key"})
        self.assertEqual((key["secret"], key["required"]), (True, False))
        self.assertEqual(found["Valves", "unit"]["schema"], {"type": "string", "enum": ["c", "f"], "default": "c"})
        self.assertEqual(found["Valves", "days"]["schema"], {"type": "integer", "minimum": 1, "default": 3})
        secrets = sorted(name for (_, name), one in found.items() if one["secret"])
        self.assertEqual(secrets, ["API_KEY", "WEATHER_TOKEN", "signing"])
        self.assertEqual(found["environment", "WEATHER_REGION"]["schema"], {"type": "string", "default": "north"})
        self.assertIn(("UserValves", "nickname"), found)
        self.assertNotIn("hard-coded", str(report))

    def test_variables_that_imported_packages_read_are_not_settings(self):
        library = "import os\nTOKEN = os.environ.get('PART_TOKEN')\ntry:\n    os.environ['PART_KEY']\n    FOUND = True\nexcept KeyError:\n    FOUND = False\n"
        tool = "import os\nimport part\nfrom smolagents import tool\nassert not part.FOUND\nKEY = os.environ['OWN_KEY']\n@tool\ndef f() -> str:\n    \"F.\"\n    return KEY\n"
        with tempfile.TemporaryDirectory() as beside:
            Path(beside, "part.py").write_text(library)
            sys.path.insert(0, beside)
            self.addCleanup(sys.modules.pop, "part", None)
            report = self.open({"t.py": tool}).inspect("t.py")
            sys.path.remove(beside)
        self.assertEqual([one["name"] for one in report["tools"]], ["t:f"], report)
        self.assertEqual([one["name"] for one in report["settings"]], ["OWN_KEY"])

    async def test_variables_of_a_file_with_specs_are_settings_also_if_its_import_fails_without_them(self):
        specs = "TOOL_SPECS = [{'name': 't:f', 'description': 'F.', 'parameters': {'type': 'object', 'properties': {}}, 'handler': f}]\n"
        inner = "import os\ndef f():\n    return os.environ['SHOP_KEY'] + os.getenv('SHOP_AREA', 'north')\n" + specs
        host = self.open({"t.py": inner, "u.py": "import os\nKEY = os.environ['U_KEY']\nTOOL_SPECS = []\n"})
        settings = host.inspect("t.py")["settings"]
        self.assertEqual([(one["name"], one["secret"]) for one in settings], [("SHOP_AREA", False), ("SHOP_KEY", True)])
        failed = host.inspect("u.py")
        self.assertEqual([one["name"] for one in failed["settings"]], ["U_KEY"])
        hint = "Enter a value for U_KEY on the Policy page, under “Settings of files”."
        self.assertEqual([(one["code"], one["hint"]) for one in failed["problems"]], [("import-raises", hint)])
        host.interpreter.set_settings({"t.py": {"environment": {"SHOP_KEY": "k-"}}, "u.py": {"environment": {"U_KEY": "u"}}})
        self.assertEqual((await host.run("t:f", {}))["content"][0]["text"], "k-north")
        again = host.inspect("u.py")
        self.assertEqual(([one["name"] for one in again["settings"]], again["problems"]), (["U_KEY"], []))

    def test_extensions_have_no_settings_whose_values_they_would_not_get(self):
        text = "import os\ndef use():\n    return os.environ['SHOP_KEY']\n"
        fails = "KEY = os.environ['SHOP_KEY']\n"
        register = "def register(app):\n    pass\n"
        for file in (text + register, text + register + fails, "from g import register\n" + text):
            report = self.open({"t.py": file, "g.py": register}).inspect("t.py")
            self.assertNotIn("settings", report, file)
            self.assertNotIn("Policy", str(report["problems"]))

    def test_an_error_names_a_setting_only_if_it_is_offered(self):
        files = {
            "config.py": "import os\nKEY = os.environ['SHOP_KEY']\n",
            "indirect.py": "import config\nTOOL_SPECS = []\n",
            "computed.py": "import os\nKEY = os.environ['SHOP' + '_KEY']\nTOOL_SPECS = []\n",
        }
        host = self.open(files)
        for file in ("indirect.py", "computed.py"):
            report = host.inspect(file)
            self.assertNotIn("settings", report)
            self.assertEqual([one["code"] for one in report["problems"]], ["import-raises"])
            self.assertIn("top-level code runs", report["problems"][0]["hint"])

    def test_variables_that_a_file_only_writes_or_reads_as_a_program_are_not_settings(self):
        writes = "import os\ndef f():\n    os.environ['A_KEY'] = 'a'\n    del os.environ['A_KEY']\n"
        program = "if __name__ == '__main__':\n    print(os.environ['B_KEY'], os.getenv('B_AREA'))\n"
        report = self.open(f"{writes}TOOL_SPECS = []\n{program}").inspect("t.py")
        self.assertNotIn("settings", report)

    async def test_values_reach_the_tool_and_can_be_removed(self):
        host = self.open(FILE)
        host.inspect("t.py")
        said = (await host.run("t:forecast", {"city": "Oslo"}))["content"][0]["text"]
        self.assertEqual(said, "Oslo hard-coded c 3 s friend north None")
        values = {
            "Valves": {"API_KEY": "k", "days": 5, "signing": "z"},
            "UserValves": {"nickname": "Ada"},
            "environment": {"WEATHER_REGION": "south", "WEATHER_TOKEN": "w"},
        }
        self.assertEqual(host.interpreter.set_settings({"t.py": values}), ["t.py"])
        said = (await host.run("t:forecast", {"city": "Oslo"}))["content"][0]["text"]
        self.assertEqual(said, "Oslo k c 5 z Ada south w")
        self.assertEqual(host.interpreter.set_settings({"t.py": values}), [])
        host.interpreter.set_settings({})
        said = (await host.run("t:forecast", {"city": "Oslo"}))["content"][0]["text"]
        self.assertEqual(said, "Oslo hard-coded c 3 s friend north None")

    async def test_a_value_that_does_not_fit_is_not_repeated(self):
        host = self.open(FILE)
        host.interpreter.set_settings({"t.py": {"Valves": {"API_KEY": "sesame", "unit": {"a": "sesame"}, "days": "sesame", "signing": 3}}})
        result = await host.run("t:forecast", {"city": "Oslo"})
        report = host.inspect("t.py")
        for one in (result, report):
            self.assertNotIn("sesame", str(one))

    def test_files_without_settings_have_none(self):
        self.assertNotIn("settings", self.open("__all__ = ['f']\ndef f(x: int) -> int:\n    return x\n").inspect("t.py"))
        self.assertNotIn("settings", self.open("import os\nTOOL_SPECS = []\n").inspect("t.py"))
