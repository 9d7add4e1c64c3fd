"""Shapes of files for voice agents: Pipecat, LiveKit Agents and Vocode."""

from .foreign_shapes import case

# Pipecat: a description, and a handler that passes its result to a callback
case("pipecat_schema", ["weather", "later", "double"], '''from pipecat.adapters.schemas.function_schema import FunctionSchema
from pipecat.adapters.schemas.tools_schema import ToolsSchema
from pipecat.services.llm_service import FunctionCallParams
async def fetch(params: FunctionCallParams):
    await params.result_callback({"in": params.arguments["place"]})
async def fetch_later(function_name, tool_call_id, args, llm, context, result_callback):
    await result_callback(f"{function_name} {args['place']}")
weather = FunctionSchema(name="weather", description="Tell the weather.", properties={"place": {"type": "string"}}, required=["place"])
class Bot:
    def start(self, llm):
        later = FunctionSchema(name="later", description="Wait.", properties={"place": {"type": "string"}}, required=[])
        llm.register_function("later", fetch_later)
        llm.register_function("double", self.double)
        return FunctionSchema(name="double", description="Double.", properties={"n": {"type": "integer"}}, required=["n"])
    async def double(self, params: FunctionCallParams):
        await params.result_callback(params.arguments["n"] * 2)
def start(llm):
    llm.register_function("weather", fetch)
    llm.register_function(None, fetch)
tools = ToolsSchema(standard_tools=[weather])
''', [("weather", {"place": "Bern"}, {"in": "Bern"}), ("later", {"place": "Bern"}, "later Bern"), ("double", {"n": 2}, 4)])
case("pipecat_direct", ["look_up", "inner"], '''from pipecat.adapters.schemas.tools_schema import ToolsSchema
from pipecat.services.llm_service import FunctionCallParams
async def look_up(params: FunctionCallParams, word: str, limit: int = 3):
    """Look up a word.

    Args:
        word: The word.
    """
    await params.result_callback([word] * limit)
def make_tools():
    async def inner(params: FunctionCallParams, word: str):
        """Say a word."""
        await params.result_callback(word)
    return ToolsSchema(standard_tools=[inner])
tools = ToolsSchema(standard_tools=[look_up])
make_tools()
''', [("look_up", {"word": "a", "limit": 2}, ["a", "a"]), ("inner", {"word": "b"}, "b")])
case("pipecat_handler_by_name", ["search"], '''from pipecat.adapters.schemas.function_schema import FunctionSchema
from pipecat.services.llm_service import FunctionCallParams
async def execute_search(params: FunctionCallParams):
    await params.result_callback({"status": "begun"})
    return params.arguments.get("text")
def run_other(params: FunctionCallParams):
    pass
search = FunctionSchema(name="search", description="Search.", properties={"text": {"type": "string"}}, required=["text"])
other = FunctionSchema(name="sort", description="Sort.", properties={}, required=[])
def register(llm):
    llm.register_function("later", run_other)
''', [("search", {"text": "a"}, "a")])
case("pipecat_dict", ["search", "search_all"], '''from pipecat.adapters.schemas.function_schema import FunctionSchema
from pipecat.services.llm_service import FunctionCallParams
async def search(params: FunctionCallParams):
    """Search for it."""
    await params.result_callback(params.arguments.get("text", "-"))
async def search_all(params: FunctionCallParams):
    """Search everywhere."""
    await params.result_callback("all")
TOOLS = [
    FunctionSchema(name="search", description="Search.", properties={"text": {"type": "string"}}, required=[]),
    FunctionSchema(name="search_all", description="Search all.", properties={}, required=[]),
]
TOOL_HANDLERS = {"search": search, "search_all": search_all}
def start(llm):
    for tool in TOOLS:
        llm.register_function(tool.name, TOOL_HANDLERS[tool.name])
''', [("search", {"text": "a"}, "a"), ("search_all", {}, "all")])
case("pipecat_flow", ["choose"], '''from pipecat_flows import FlowArgs, FlowManager, FlowsFunctionSchema
async def choose(args: FlowArgs, flow_manager: FlowManager):
    return args["size"], None
def make_node():
    return FlowsFunctionSchema(name="choose", handler=choose, description="Choose.", properties={"size": {"type": "string"}}, required=["size"])
''', [("choose", {"size": "L"}, ["L", None])])
# LiveKit before 1.0
case("livekit_functions", ["light"], '''from typing import Annotated
from livekit.agents import llm
class Functions(llm.FunctionContext):
    @llm.ai_callable(description="Switch the light.")
    async def light(self, room: Annotated[str, llm.TypeInfo(description="The room")], on: bool = True):
        return f"{room} {on}"
''', [("light", {"room": "hall"}, "hall True")])
# Vocode: the configuration's type is the name
case("vocode_action", ["note_down"], '''from typing import Type
from pydantic.v1 import BaseModel, Field
from vocode.streaming.action.base_action import BaseAction
from vocode.streaming.models.actions import ActionConfig, ActionInput, ActionOutput
class NoteConfig(ActionConfig, type="note_down"):
    pass
class NoteParameters(BaseModel):
    text: str = Field(..., description="The note")
class NoteResponse(BaseModel):
    saved: str
class Note(BaseAction[NoteConfig, NoteParameters, NoteResponse]):
    description: str = "Note something down."
    parameters_type: Type[NoteParameters] = NoteParameters
    response_type: Type[NoteResponse] = NoteResponse
    async def run(self, action_input: ActionInput[NoteParameters]) -> ActionOutput[NoteResponse]:
        await self.send_agent_message("Noted.")
        return ActionOutput(action_type=action_input.action_config.type, response=NoteResponse(saved=action_input.params.text))
''', [("note_down", {"text": "Milk"}, {"saved": "Milk"})])
