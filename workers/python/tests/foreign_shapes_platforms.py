"""Shapes of files for platforms of agents: MetaGPT, AutoGPT, Griptape, Agency Swarm, Claude, Letta, Dify, Cheshire Cat
and Semantic Kernel."""

from .foreign_shapes import case

# MetaGPT: functions, and public or named methods of classes
case("metagpt_tools", ["half", "fold", "open_page", "close_page"], '''from metagpt.tools.tool_registry import register_tool
@register_tool()
def half(n):
    """Halve a number.

    Args:
        n (int): The number.
    """
    return n // 2
@register_tool(tags=["text"], include_functions=["fold"])
class Folder:
    def fold(self, text: str) -> str:
        return text * 2
    def other(self, text: str) -> str:
        return text
@register_tool
class Pages:
    def __init__(self, start="/"):
        self.start = start
    def open_page(self, path: str) -> str:
        return self.start + path
    async def close_page(self) -> str:
        return "closed"
    def _log(self):
        pass
''', [("half", {"n": 4}, 2), ("fold", {"text": "a"}, "aa"), ("open_page", {"path": "b"}, "/b"), ("close_page", {}, "closed")])
# MetaGPT: methods that take no object, and a constructor among the names
case("metagpt_static", ["halve", "kind"], '''from metagpt.tools.tool_registry import register_tool
@register_tool(include_functions=["__init__", "halve", "kind"])
class Sums:
    @staticmethod
    def halve(n):
        "Halve a number."
        return n / 2
    @classmethod
    def kind(cls) -> str:
        "Name the class."
        return cls.__name__
''', [("halve", {"n": 3}, 1.5), ("kind", {}, "Sums")])
# TaskWeaver: the plugins that the file registers
case("taskweaver_plugin", ["Dice"], '''from taskweaver.plugin import Plugin, register_plugin, test_plugin
class Base(Plugin):
    def __call__(self, x: int):
        return x
@register_plugin
class Dice(Plugin):
    def __call__(self, sides: int = 6):
        """Roll a die."""
        self.log("info", "rolled")
        return f"{self.config.get('name', 'die')} {sides}"
@test_plugin(name="dice", description="Dice")
def test_call(call):
    assert call(3)
''', [("Dice", {"sides": 3}, "die 3")])
# Mirascope: models that run
case("mirascope_models", ["Author", "sum_up"], '''from typing import ClassVar
from mirascope.core import BaseTool, openai
from pydantic import Field
class Author(BaseTool):
    """Name the author."""
    title: str = Field(..., description="The title")
    def call(self) -> str:
        return f"author of {self.title}"
class Sum(BaseTool):
    label: ClassVar[str] = "sum_up"
    numbers: list[int]
    @classmethod
    def _name(cls) -> str:
        return cls.label
    def call(self):
        return sum(self.numbers)
class Answer(BaseTool):
    text: str
@openai.call("gpt-4o", tools=[Author])
def ask(book: str): ...
''', [("Author", {"title": "a"}, "author of a"), ("sum_up", {"numbers": [1, 2]}, 3)])
case("mirascope_toolkit", ["books_find", "count"], '''from mirascope.core import BaseToolKit, toolkit_tool
class Books(BaseToolKit):
    __namespace__ = "books"
    shelf: str = "A"
    @toolkit_tool
    async def find(self, title: str) -> str:
        "Find a book."
        return f"{title} on {self.shelf}"
    def other(self) -> str:
        "Help."
        return ""
class Plain(BaseToolKit):
    @toolkit_tool
    def count(self) -> int:
        "Count the books."
        return 3
''', [("books_find", {"title": "a"}, "a on A"), ("count", {}, 3)])
# AutoGPT: commands of a component, and of a module
case("autogpt_commands", ["double", "find", "read"], '''from autogpt.agents.base import Agent
from autogpt.command_decorator import command
from autogpt.core.utils.json_schema import JSONSchema
class Component:
    def get_commands(self):
        yield self.double
        yield self.search
    @command(parameters={"x": JSONSchema(type=JSONSchema.Type.INTEGER, description="A number", required=True)})
    def double(self, x: int) -> str:
        """Double a number."""
        return str(x * 2)
    @command(["find", "search"], "Find a text.", {"text": JSONSchema(type=JSONSchema.Type.STRING, required=True)})
    def search(self, text: str) -> str:
        return self.clean(text)
    def clean(self, text: str) -> str:
        return text.strip()
@command("read", "Read a file", {"name": {"type": "string", "required": True}})
def read_file(name: str, agent: Agent) -> str:
    return name
''', [("double", {"x": 2}, "4"), ("find", {"text": " a "}, "a"), ("read", {"name": "b"}, "b")])
# Griptape: a schema of literals, whose values a method gets in one dict
case("griptape_schema", ["convert", "fail"], '''from griptape.artifacts import ErrorArtifact, TextArtifact
from griptape.tools import BaseTool
from griptape.utils.decorators import activity
from schema import Literal, Optional, Schema
class Units(BaseTool):
    @activity(config={"description": "Convert.", "schema": Schema({Literal("value", description="A length"): float, Optional("units"): [str]})})
    def convert(self, params: dict) -> TextArtifact:
        return TextArtifact(f"{params['values']['value'] * 2} {params['values'].get('units')}")
    @activity(config={"description": "Fail.", "schema": Schema({"why": str})})
    def fail(self, value: dict):
        return TextArtifact(value["values"]["why"])
''', [("convert", {"value": 1.5}, "3.0 None"), ("convert", {"value": 1, "units": ["ft"]}, "2 ['ft']"), ("fail", {"why": "x"}, "x")])
case("griptape_list", ["names"], """from griptape.artifacts import ListArtifact, TextArtifact
from griptape.tools import BaseTool
from griptape.utils.decorators import activity
class Names(BaseTool):
    @activity(config={"description": "List names."})
    def names(self) -> ListArtifact:
        return ListArtifact([TextArtifact("Io"), TextArtifact("Bo")])
""", [("names", {}, ["Io", "Bo"])])
# Agency Swarm, Claude, Letta, Griptape and Dify
case("agency_swarm", ["SlackBlocks", "Later"], """from typing import ClassVar
from agency_swarm.tools import BaseTool
from pydantic import Field
class SlackBlocks(BaseTool):
    '''
    Make blocks.
    '''
    LIMIT: ClassVar[int] = 3
    title: str = Field(..., description="Title")
    color: str = Field(default="good", description="Colour")
    def run(self) -> str:
        return f"{self.title} {self.color}"
class Later(BaseTool):
    '''Later.'''
    n: int
    async def run(self):
        return self.n + 1
""", [("SlackBlocks", {"title": "x"}, "x good"), ("Later", {"n": 1}, 2)])
case("claude_keywords", ["sitrep"], """from claude_agent_sdk import tool
@tool(name="sitrep", description="Report.", input_schema={"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]})
async def made(args):
    return {"content": [{"type": "text", "text": args["text"]}]}
""")
case("letta", ["roll"], """from letta_client import Letta
client = Letta(base_url="http://localhost")
def roll(agent_state: "AgentState", sides: int, request_heartbeat: bool = True) -> int:
    '''Roll.'''
    return sides
made = client.tools.upsert_from_function(func=roll)
""", [("roll", {"sides": 6}, 6)])
case("griptape", ["kind_of"], """from schema import Literal, Schema
from griptape.tools import BaseTool
from griptape.utils.decorators import activity
class Places(BaseTool):
    @activity(config={"description": "Kind of a place.", "schema": Schema({Literal("place", description="p"): str})})
    def kind_of(self, place: str) -> str:
        return place + "!"
""", [("kind_of", {"place": "x"}, "x!")])
case("dify", [], """from dify_plugin import Tool
class Ask(Tool):
    def _invoke(self, tool_parameters: dict):
        yield self.create_text_message("x")
""")

# Tools of Cheshire Cat take one text, and the cat; hooks are none
case("cheshire_cat", ["get_image", "count"], """from cat.log import log
from cat.mad_hatter.decorators import hook, tool
@tool(return_direct=True)
def get_image(input, cat):
    'Get an image of it.'
    return f"<img alt='{input}'>"
@tool("count", examples=["count to 3"])
def count_letters(tool_input, cat):
    'Count letters.'
    return len(tool_input)
@hook(priority=2)
def before_cat_reads_message(message, cat):
    return message
""", [("get_image", {"input": "x"}, "<img alt='x'>"), ("count", {"tool_input": "abc"}, 3)])
case("semantic_kernel_skills", ["Query", "Search", "Read", "Save"], """from semantic_kernel import SKContext
from semantic_kernel.skill_definition import sk_function, sk_function_context_parameter
class Skills:
    @sk_function(description="Query.", name="Query", input_description="The query")
    def get_results(self, sql: str) -> str:
        return sql.upper()
    @sk_function(description="Search.", name="Search")
    async def search(self, context: SKContext) -> str:
        return context["history"] + context["message"]
    @sk_function(description="Read.", name="Read")
    def read(self, context: SKContext) -> str:
        return str(context.variables.get("input"))
    @sk_function(description="Save.", name="Save")
    @sk_function_context_parameter(name="title", description="The title")
    @sk_function_context_parameter(name="text", description="The text", default_value="-")
    def save(self, context: SKContext) -> str:
        return self.write(context)
    def write(self, context: SKContext) -> str:
        return context["title"] + context["text"]
""", [("Query", {"sql": "a"}, "A"), ("Search", {"history": "a", "message": "b"}, "ab"), ("Read", {}, ""), ("Save", {"title": "a", "text": "b"}, "ab")])
case("kernel_function_of_a_missing_file", ["print_msg"], """from AbsentKernel.functions import kernel_function
from AbsentKernel.kernel import Kernel
class Plugin:
    @kernel_function(name="print_msg")
    def print_message(self):
        'Print.'
        return "printed"
kernel = Kernel()
kernel.add_plugin(Plugin(), "test")
""", [("print_msg", {}, "printed")])
# AstrBot: the message that a tool answers is supplied, and a tool may yield its answer
case("astrbot_plugin", ["dice", "greet", "bye"], '''from astrbot.api import llm_tool, logger
from astrbot.api.event import AstrMessageEvent, filter
from astrbot.api.star import Context, Star, register
@register("games", "someone", "Games", "1.0")
class Games(Star):
    def __init__(self, context: Context):
        super().__init__(context)
        self.game = context
    @filter.command("start")
    async def start(self, event: AstrMessageEvent):
        yield event.plain_result("begun")
    @filter.llm_tool(name="dice")
    async def roll(self, event: AstrMessageEvent, sides: int = 6) -> str:
        """Roll a die.

        Args:
            sides(number): How many sides.
        """
        return f"{event.get_sender_name()} rolls a d{sides}"
    @llm_tool("greet")
    async def hello(self, event, name):
        """Greet somebody.

        Args:
            name(string): Who.
        """
        return event.plain_result(f"Hello, {name}")
    @filter.llm_tool()
    async def bye(self, event: AstrMessageEvent):
        """Say goodbye."""
        return self.game.count()
''', [("dice", {"sides": 4}, "User rolls a d4"), ("greet", {"name": "Io"}, "Hello, Io")])
# Composio supplies what sends a request
case("composio_action", ["contact"], """import typing as t
from composio import action, Action
@action(toolname="crm")
def contact(name: t.Annotated[str, "Who"], execute_request: t.Callable) -> str:
    'Find a contact.'
    return name.title()
print(Action.FIND)
""", [("contact", {"name": "io"}, "Io")])
# langroid: a model from its own copy of pydantic
case("langroid_pydantic", ["first_of"], """from langroid.agent.tool_message import ToolMessage
from langroid.pydantic_v1 import BaseModel, Field
class Country(BaseModel):
    name: str = Field(..., description="The name")
class First(ToolMessage):
    request: str = "first_of"
    purpose: str = "Give the first letter."
    country: Country
    def handle(self) -> str:
        return self.country.name[0]
""", [("first_of", {"country": {"name": "Peru"}}, "P")])
case("beeai_class", ["Riddle"], """from pydantic import BaseModel
from beeai_framework.context import RunContext
from beeai_framework.emitter import Emitter
from beeai_framework.tools import StringToolOutput, Tool, ToolRunOptions
class Asked(BaseModel):
    number: int
class RiddleTool(Tool[Asked, ToolRunOptions, StringToolOutput]):
    name = "Riddle"
    description = "Tell a riddle."
    input_schema = Asked
    riddles = ("a", "b")
    def __init__(self, options: dict | None = None) -> None:
        super().__init__(options)
    def _create_emitter(self) -> Emitter:
        return Emitter.root().child(namespace=["riddle"], creator=self)
    async def _run(self, input: Asked, options: ToolRunOptions | None, context: RunContext) -> StringToolOutput:
        return StringToolOutput(self.riddles[input.number])
""", [("Riddle", {"number": 1}, "b")])
case("beeai_function", ["double"], """from beeai_framework.tools import JSONToolOutput, tool
@tool
def double(number: int) -> JSONToolOutput:
    'Double a number.'
    return JSONToolOutput(result={"double": number * 2})
""", [("double", {"number": 2}, {"double": 4})])
case("txtai_agent", ["today", "shout", "upper"], """from txtai import Agent, LLM
def today() -> str:
    'The day.'
    return "Monday"
class Shouter:
    def __call__(self, text: str) -> str:
        'Shout.'
        return text.upper() + "!"
places = {"name": "places", "description": "Places.", "provider": "huggingface-hub", "container": "x/y"}
agent = Agent(model=LLM("x"), tools=[today, {"name": "shout", "description": "Shout.", "target": Shouter()}, {"name": "upper", "description": "Upper.", "target": lambda text: text.upper()}, places, "websearch"])
print(agent("Which day is it?"))
""", [("today", {}, "Monday"), ("shout", {"text": "a"}, "A!"), ("upper", {"text": "a"}, "A")])
case("haystack_component", ["text_splitter", "joined"], """from haystack import component
from haystack.tools import ComponentTool
@component
class TextSplitter:
    'Splits a text.'
    @component.output_types(parts=list[str])
    def run(self, text: str, size: int = 2):
        return {"parts": [text[:size], text[size:]]}
split, joined = ComponentTool(component=TextSplitter()), ComponentTool(TextSplitter(), name="joined", description="Joins.")
""", [("text_splitter", {"text": "abc"}, {"parts": ["ab", "c"]})])
