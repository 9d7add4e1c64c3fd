"""Shapes of files whose functions are declared, served or registered: Gradio, Gemini, Bedrock, registries and others."""

from .foreign_shapes import case

DOUBLE = '''
def double(number: int) -> int:
    """Double a number."""
    return number * 2
'''
DOUBLED = [("double", {"number": 2}, 4)]

# Gradio serves functions as tools only if its launch says so.
case("gradio_interface", ["double"], f"import gradio as gr\n{DOUBLE}\ndemo = gr.Interface(fn=double, inputs='number', outputs='number')\nif __name__ == '__main__':\n    demo.launch(mcp_server = True)\n", DOUBLED)
case("gradio_unserved", [], f"import gradio as gr\n{DOUBLE}\ngr.Interface(double, 'number', 'number').launch()\n")
case("gradio_events", ["double"], f"""import gradio as gr
{DOUBLE}
def theme(name: str) -> str:
    return name
with gr.Blocks() as demo:
    with gr.Row():
        box = gr.Number()
    gr.Button("Go").click(double, box, box)
    gr.Button("Theme").click(fn=theme, inputs=box, show_api=False)
demo.launch(mcp_server=True)
""", DOUBLED)
case("gradio_api", ["double"], f"import gradio as gr\n{DOUBLE}\nwith gr.Blocks() as demo:\n    gr.api(double)\ndemo.launch(mcp_server=True)\n", DOUBLED)

# Declarations of Google's SDKs
case("gemini_declared", ["double", "name_it"], f"""from google.genai import types
{DOUBLE}
def name_it(name='x'):
    return name
said = types.FunctionDeclaration(name="double", description="Doubles", parameters=types.Schema(type=types.Type.OBJECT, properties={{"number": types.Schema(type=types.Type.INTEGER)}}, required=["number"]))
other = types.FunctionDeclaration(name="name_it", description="Names", parameters_json_schema={{"type": "object", "properties": {{"name": {{"type": "string"}}}}}})
tools = types.Tool(function_declarations=[said, other])
if tools.function_declarations[0].name != "double":
    raise SystemExit
""", [*DOUBLED, ("name_it", {}, "x")])
case("gemini_nullable", ["double"], f"""from google.genai import types
{DOUBLE}
said = types.FunctionDeclaration(name="double", description="Doubles", parameters=types.Schema(type="OBJECT", properties={{"number": types.Schema(type="INTEGER", nullable=True)}}))
""", DOUBLED)
case("vertex_inline", ["double"], f"""from vertexai.generative_models import FunctionDeclaration, GenerativeModel, Tool
{DOUBLE}
MATHS = Tool(function_declarations=[FunctionDeclaration(name="double", description="Doubles", parameters={{"type": "object", "properties": {{"number": {{"type": "integer"}}}}}})])
model = GenerativeModel("gemini", tools=[MATHS])
""", DOUBLED)
case("gemini_callable", ["double"], f"from google.genai import types\n{DOUBLE}\nsaid = types.FunctionDeclaration.from_callable(callable=double, client=None)\n", DOUBLED)

# Bedrock's Converse
case("bedrock", ["double"], f"""import boto3
CONFIG = {{"tools": [{{"toolSpec": {{"name": "double", "description": "Doubles", "inputSchema": {{"json": {{"type": "object", "properties": {{"number": {{"type": "integer"}}}}}}}}}}}}]}}
{DOUBLE}
""", DOUBLED)

# Registries
case("registry_own", ["double", "shout"], f"""from dataclasses import dataclass
@dataclass
class Entry:
    name: str
    description: str
    handler: object
    parameters: dict
class ToolRegistry:
    def __init__(self):
        self._tools = {{}}
    def register(self, name, description, handler, parameters=None):
        self._tools[name] = Entry(name, description, handler, parameters or {{}})
{DOUBLE}
def _shout(arguments):
    return arguments["text"].upper()
tools = ToolRegistry()
tools.register("double", "Doubles", double)
tools.register("shout", "Shouts", _shout, {{"type": "object", "properties": {{"text": {{"type": "string"}}}}, "required": ["text"]}})
""", [*DOUBLED, ("shout", {"text": "a"}, "A")])
case("registry_decorator", ["double"], f"""class ToolBox:
    def __init__(self):
        self.tools = {{}}
    def tool(self, function):
        self.tools[function.__name__] = function
        return function
box = ToolBox()
@box.tool{DOUBLE}
""", DOUBLED)
case("registry_missing", ["double", "say"], f"""from server.registry import registry
@registry.register(description="Doubles"){DOUBLE}
@registry.register({{"name": "say", "description": "Says", "inputSchema": {{"properties": {{"text": {{"type": "string"}}}}}}}})
async def handle_say(arguments: dict) -> str:
    return arguments["text"]
""", [*DOUBLED, ("say", {"text": "a"}, "a")])
case("registry_of_models", [], """from lab.factories import registry
@registry.register("default")
def make(model: str = "x") -> str:
    return model
@registry.register("deep")
class Deep:
    pass
""")
case("registry_of_rooms", [], """class Registry:
    def __init__(self):
        self.items = {}
def book(room: str) -> str:
    return room
rooms = Registry()
rooms.items["book"] = book
""")

# Inspect: the decorated function makes the tool.
case("inspect_made", ["add", "listed"], """from inspect_ai.tool import Tool, ToolError, tool
@tool
def add(scale: int = 1) -> Tool:
    async def execute(x: int, y: int) -> int:
        '''Add.

        Args:
            x: The first.
            y: The second.
        '''
        if x < 0:
            raise ToolError("negative")
        return (x + y) * scale
    return execute
@tool(name="listed")
def list_files(root: str):
    async def execute(folder: str) -> str:
        '''List.'''
        return root.join(folder)
    return execute
""", [("add", {"x": 1, "y": 2}, 3)])
case("inspect_fails", [], """from inspect_ai.tool import tool
@tool
def broken():
    raise OSError("no")
""")

# Browser Use
case("browser_actions", ["double", "open_page", "save"], f"""from browser_use import ActionResult, Browser, Controller
from pydantic import BaseModel
controller = Controller(exclude_actions=["search"])
class Row(BaseModel):
    title: str
    price: float = 0
@controller.action("Doubles"){DOUBLE}
@controller.action("Opens a page")
async def open_page(url: str, browser: Browser):
    await browser.open(url)
    return ActionResult(extracted_content="open")
@controller.action("Saves", param_model=Row)
def save(params: Row) -> ActionResult:
    return ActionResult(extracted_content=params.title)
""", [*DOUBLED, ("save", {"title": "a"}, "a")])

# FastAPI-MCP names tools after operations.
case("fastapi_routes", ["get_double", "ping"], f"""from fastapi import FastAPI
from fastapi_mcp import FastApiMCP
app = FastAPI()
@app.get("/double", operation_id="get_double"){DOUBLE}
@app.post("/ping")
def ping() -> str:
    '''Ping.'''
    return "pong"
FastApiMCP(app).mount()
""", [("get_double", {"number": 2}, 4), ("ping", {}, "pong")])
case("fastapi_alone", [], f"from fastapi import FastAPI\nfrom pydantic import BaseModel\napp = FastAPI()\n@app.get('/double'){DOUBLE}\n")

# A base class of a missing file, whose name does not say that it is a tool.
case("own_base", ["os"], """from pydantic import BaseModel
from packs.base import SystemPack
class Arguments(BaseModel):
    short: bool = False
class System(SystemPack):
    name: str = "os"
    description: str = "The system."
    args_schema = Arguments
    def _run(self, short: bool = False) -> str:
        return "x" if short else "linux"
""", [("os", {"short": True}, "x")])

# AgentScope
case("scope_toolkit", ["double", "greet"], f"""from agentscope.message import TextBlock
from agentscope.tool import Toolkit, ToolResponse
toolkit = Toolkit()
{DOUBLE}
def greet_user(name: str, greeting: str) -> ToolResponse:
    return ToolResponse(content=[TextBlock(type="text", text=greeting + name)])
toolkit.register_tool_function(double, group_name="maths", func_description="Doubles")
toolkit.register_tool_function(greet_user, func_name="greet", preset_kwargs={{"greeting": "Hi "}})
""", [*DOUBLED, ("greet", {"name": "a"}, "Hi a")])

# Classes of a base class in the file that take all arguments as one value.
for hint, used in (("dict", 'arguments["text"]'), ("Given", "arguments.text")):
    case(f"whole_{hint.lower()}", ["count"], f"""from abc import ABC, abstractmethod
from pydantic import BaseModel
class Given(BaseModel):
    text: str
    limit: int = 10
class BaseTool(ABC):
    @abstractmethod
    def execute(self, arguments, context): ...
class CountTool(BaseTool):
    name = "count"
    description = "Counts."
    input_model = Given
    def execute(self, arguments: {hint}, context: object) -> int:
        return len({used})
""", [("count", {"text": "ab"}, 2)])
case("whole_unsaid", [], """class CountTool:
    name = "count"
    description = "Counts."
    def execute(self, arguments: dict, context: object) -> int:
        return 1
""")
# Parameters with the names that a model knows
case("parameter_aliases", ["copy"], """from typing import Annotated
from mcp.server.fastmcp import FastMCP
from pydantic import Field
mcp = FastMCP("x")
@mcp.tool()
def copy(from_: Annotated[str, Field(alias="from")], max_items: Annotated[int, Field(alias="max-items")] = 3, to: str = Field("z", alias="to-path")) -> str:
    return f"{from_} {max_items} {to}"
""", [("copy", {"from": "a"}, "a 3 z"), ("copy", {"from": "a", "max-items": 4, "to-path": "b"}, "a 4 b")])
