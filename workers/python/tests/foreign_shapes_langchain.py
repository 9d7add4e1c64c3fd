"""Shapes of files for LangChain and LangGraph."""

from .foreign_shapes import ADD, ADDED, case

case('lc_many', ['search_docs','custom','multiply','Weather','add','divide'], '''
from typing import Annotated, Optional, Type, TypedDict, List
import os, json
from dotenv import load_dotenv
from langchain_openai import ChatOpenAI
from langchain_core.messages import HumanMessage
from langchain.agents import AgentExecutor, create_openai_tools_agent
from langchain.tools import BaseTool, StructuredTool, Tool, tool
from langgraph.graph import StateGraph, START, END
from langgraph.graph.message import add_messages
from langgraph.prebuilt import ToolNode, create_react_agent
from langchain.pydantic_v1 import BaseModel, Field
load_dotenv()

class State(TypedDict):
    messages: Annotated[list, add_messages]

class SearchInput(BaseModel):
    query: str = Field(description="should be a search query")
    k: Optional[int] = Field(default=4, ge=1, le=10)

@tool("search_docs", args_schema=SearchInput, return_direct=True)
def search(query: str, k: int = 4) -> str:
    """Look up things."""
    return f"{query} {k}"

class CustomTool(BaseTool):
    name = "custom"
    description = ("first "
                   "second")
    args_schema: Type[BaseModel] = SearchInput
    def _run(self, query: str, k: int = 4, run_manager=None) -> str:
        return query
    async def _arun(self, query: str) -> str:
        raise NotImplementedError("no async")

def multiply(a: int, b: int) -> int:
    """Multiply two numbers."""
    return a * b
async def amultiply(a: int, b: int) -> int:
    return a * b
multiply_tool = StructuredTool.from_function(func=multiply, coroutine=amultiply)
weather = Tool(name="Weather", func=lambda q: f"sunny {q}", description="weather of a city")

def add(a: float, b: float) -> float:
    """Adds."""
    return a + b
def divide(a: float, b: float) -> float:
    """Divides."""
    return a / b
llm = ChatOpenAI(model="gpt-4o").bind_tools([add, divide])
def agent_node(state: State):
    return {"messages": [llm.invoke(state["messages"])]}
graph = StateGraph(State)
graph.add_node("agent", agent_node)
graph.add_edge(START, "agent")
app = graph.compile()
chain = prompt | llm if False else llm | (lambda x: x)
if __name__ == "__main__":
    print(app.invoke({"messages": [HumanMessage(content="hi")]}))
''', [('search_docs',{'query':'x'},'x 4'),('custom',{'query':'q'},'q'),('multiply',{'a':3,'b':4},12),('Weather',{'q':'Oslo'},'sunny Oslo'),('add',{'a':1,'b':2},3)])
case('lc_lazy', ['now'], '''
from langchain_core.tools import tool
@tool
def now(fmt: str = "iso") -> str:
    """Now."""
    from langchain_core.messages import HumanMessage
    from datetime import datetime
    return HumanMessage(content=fmt).content
''', [('now',{},'iso')])
case('lc_community', ['brave_search'], '''
from __future__ import annotations
from typing import Any, Optional
from langchain_core.callbacks import CallbackManagerForToolRun
from langchain_core.tools import BaseTool
from pydantic import Field, SecretStr
from langchain_community.utilities.brave_search import BraveSearchWrapper
class BraveSearch(BaseTool):
    name: str = "brave_search"
    description: str = "a search engine"
    search_wrapper: BraveSearchWrapper = Field(default_factory=BraveSearchWrapper)
    @classmethod
    def from_api_key(cls, api_key: str, **kwargs: Any) -> BraveSearch:
        return cls(search_wrapper=BraveSearchWrapper(api_key=api_key), **kwargs)
    def _run(self, query: str, run_manager: Optional[CallbackManagerForToolRun] = None) -> str:
        """Use the tool."""
        return "r"
''', [('brave_search',{'query':'x'},'r')])
case('lc_needs', ['doc_search'], '''
from langchain_core.tools import BaseTool
from langchain.tools.retriever import create_retriever_tool
class Doc(BaseTool):
    name: str = "doc_search"
    description: str = "d"
    index_path: str
    def _run(self, q: str) -> str:
        return q
''')
case('lc_retriever', ['find_rules', 'find_prices'], '''
from langchain.tools.retriever import create_retriever_tool
from langchain_core.documents import Document
from langchain_chroma import Chroma
class Rules:
    def invoke(self, query):
        return [Document(page_content=query), Document(page_content="rule 2")]
tools = [create_retriever_tool(Rules(), "find_rules", "Finds rules.", document_separator="; ")]
prices = create_retriever_tool(Chroma(collection_name="p").as_retriever(k=2), name="find_prices", description="Finds prices.")
''', [('find_rules', {'query': 'a'}, 'a; rule 2')])
case('lc_schema_dict', ['weather'], '''
from langchain.tools import tool
schema = {"type": "object", "properties": {"location": {"type": "string"}}, "required": ["location"]}
@tool("weather", args_schema=schema, description="W")
def get_weather(location: str) -> str:
    return location
''', [('weather',{'location':'a'},'a')])
case("lc_agent_file", ["add"], f"from langchain_core.tools import tool\nfrom langchain_openai import ChatOpenAI\nfrom langgraph.prebuilt import create_react_agent\nfrom langgraph.checkpoint.memory import MemorySaver\n@tool\n{ADD.strip()}\nllm = ChatOpenAI(model='gpt-4o', temperature=0)\nllm_with_tools = llm.bind_tools([add])\nagent = create_react_agent(llm, [add], checkpointer=MemorySaver())\nfor chunk in agent.stream({{'messages': []}}):\n    print(chunk)\n", ADDED)
case("lc_parse", ["add"], f"from langchain.tools import tool\n@tool(parse_docstring=True, return_direct=True)\n{ADD.strip()}\n", ADDED)
case("lc_schema_cls", ["search-tool"], """from pydantic import BaseModel, Field
from langchain.tools import tool
class SearchInput(BaseModel):
    query: str = Field(description="should be a search query")
    k: int = Field(5, ge=1, le=10)
@tool("search-tool", args_schema=SearchInput)
def search(query: str, k: int = 5) -> str:
    '''Look up things online.'''
    return f"{query} {k}"
""", [("search-tool", {"query": "a"}, "a 5")])
case("lc_base_async", ["slow"], """from typing import Type, Optional
from langchain_core.tools import BaseTool
from langchain_core.callbacks import AsyncCallbackManagerForToolRun, CallbackManagerForToolRun
from pydantic import BaseModel
class In(BaseModel):
    text: str
class Slow(BaseTool):
    name: str = "slow"
    description: str = "Slow."
    args_schema: Type[BaseModel] = In
    def _run(self, text: str, run_manager: Optional[CallbackManagerForToolRun] = None) -> str:
        raise NotImplementedError("async only")
    async def _arun(self, text: str, run_manager: Optional[AsyncCallbackManagerForToolRun] = None) -> str:
        return text[::-1]
""", [("slow", {"text": "ab"}, "ba")])
case("lc_from_function", ["Calculator"], f"from langchain_core.tools import StructuredTool\n{ADD}\ncalculator = StructuredTool.from_function(func=add, name='Calculator', description='Adds')\n", [("Calculator", {"a": 1, "b": 5}, 6)])
case("lc_tool_old", ["Search"], """from langchain.agents import Tool, initialize_agent, AgentType
from langchain.llms import OpenAI
def search(q: str) -> str:
    return "found " + q
tools = [Tool(name="Search", func=search, description="useful for when you need to answer questions")]
agent = initialize_agent(tools, OpenAI(temperature=0), agent=AgentType.ZERO_SHOT_REACT_DESCRIPTION, verbose=True)
agent.run("hi")
""", [("Search", {"q": "x"}, "found x")])
case("lc_list_dict", ["add"], f"from langchain_core.tools import tool\n@tool\n{ADD.strip()}\ntools = [add]\ntools_by_name = {{t.name: t for t in tools}}\nnode = {{'add': tools_by_name['add'].invoke}}\n", ADDED)
case("lc_toolkit", ["first", "second"], """from langchain_core.tools import BaseTool, BaseToolkit
class First(BaseTool):
    name: str = "first"
    description: str = "F."
    def _run(self, x: str) -> str:
        return x
class Second(First):
    name: str = "second"
class Kit(BaseToolkit):
    def get_tools(self):
        return [First(), Second()]
""", [("second", {"x": "a"}, "a")])
case('lg_inject', ['save','look','cmd'], '''
from typing import Annotated, Any
from langchain_core.tools import tool, InjectedToolCallId, InjectedToolArg
from langchain_core.messages import ToolMessage
from langgraph.prebuilt import InjectedState, InjectedStore
from langgraph.store.base import BaseStore
from langgraph.types import Command
from langchain.tools import ToolRuntime
@tool
def save(memory: str, store: Annotated[BaseStore, InjectedStore()], state: Annotated[dict, InjectedState]) -> str:
    """Save."""
    store.put(("a",), "k", {"m": memory})
    return str(store.get(("a",), "k").value)
@tool
def look(q: str, runtime: ToolRuntime) -> str:
    """Look."""
    return q + str(len(runtime.state["messages"]))
@tool
def cmd(x: int, tool_call_id: Annotated[str, InjectedToolCallId]) -> Command:
    """Cmd."""
    return Command(update={"messages": [ToolMessage(f"ok {x}", tool_call_id=tool_call_id)]})
''', [('save',{'memory':'m'},"{'m': 'm'}"),('look',{'q':'a'},'a0')])
case("lg_interrupt", ["book"], """from langchain_core.tools import tool
from langgraph.types import interrupt, Command
@tool
def book(hotel: str) -> str:
    '''Book a hotel.'''
    return f"booked {hotel}"
""", [("book", {"hotel": "h"}, "booked h")])
case('made_inside', ['look_up','count'], '''
from langchain_core.tools import StructuredTool
from llama_index.core.tools import FunctionTool
async def _find(key: str) -> str:
    """Find."""
    return key
def count(text: str) -> int:
    """Count."""
    return len(text)
def build_tools() -> list:
    return [
        StructuredTool.from_function(coroutine=_find, name="look_up", description="Looks up."),
        FunctionTool.from_defaults(fn=count),
    ]
''', [('look_up',{'key':'a'},'a'),('count',{'text':'abc'},3)])
case('structured_class', ['align'], '''
from typing import Any, Dict
from langchain.tools import StructuredTool
from pydantic import BaseModel, Field, field_validator
class Args(BaseModel):
    content: str = Field(..., description="The content")
class AlignTool(StructuredTool):
    name: str = "align"
    description: str = "Aligns."
    args_schema: type[BaseModel] = Args
    path: str = Field("x", description="Path")
    def _run(self, content: str) -> Dict[str, Any]:
        return {"content": content, "path": self.path}
''', [('align',{'content':'a'},{'content':'a','path':'x'})])
case('absent_schema', ['submit'], '''
from typing import Any
from langchain.tools import tool
from absent_tools.common import Envelope, dispatch
@tool(args_schema=Envelope)
def submit(text: str = "x", **request: Any) -> dict[str, Any]:
    """Submit."""
    return {"text": text}
''', [('submit',{'text':'a'},{'text':'a'})])
case("graph_only", [], "from langgraph.graph import StateGraph, START, END\nfrom typing import TypedDict\nclass S(TypedDict):\n    x: int\ndef node(state: S) -> S:\n    return state\ng = StateGraph(S)\ng.add_node('n', node)\ng.add_edge(START, 'n')\napp = g.compile()\n")

# What runs is a value of the application.
case("built_of_application", ["Shorten"], """from langchain.agents import Tool
def ask(chain):
    return Tool(name="ask", func=chain.run, description="Ask.")
def shorten():
    def cut(text: str) -> str:
        return text[:1]
    return Tool(name="Shorten", func=cut, description="Shorten.")
""", [("Shorten", {"text": "abc"}, "a")])
# A model as a tool: its fields are the parameters
case("model_as_tool", ["Delegate", "done"], """from langchain_core.tools import tool
from pydantic import BaseModel, Field
@tool
class Delegate(BaseModel):
    '''Delegate a task.'''
    task: str = Field(description="What")
    days: int = 2
@tool("done")
class Finished(BaseModel):
    '''All is done.'''
@tool
class Plain:
    pass
""", [("Delegate", {"task": "dig"}, {"task": "dig", "days": 2})])
# A method that was moved out of its class
case("self_outside_a_class", ["load"], """from crewai.tools import tool
@tool("load")
def load(self, path: str = "a.pdf") -> str:
    '''Load.'''
    return path
""", [("load", {}, "a.pdf")])
# Updates of a graph's state
case("langgraph_commands", ["save", "count", "say"], """from typing import Annotated
from langchain_core.messages import ToolMessage
from langchain_core.tools import InjectedToolCallId, tool
from langgraph.types import Command
@tool
def save(text: str, tool_call_id: Annotated[str, InjectedToolCallId]) -> Command:
    '''Save.'''
    return Command(update={"notes": [text], "messages": [ToolMessage(f"Saved {text}", tool_call_id=tool_call_id)]})
@tool
def count() -> Command:
    '''Count.'''
    return Command(goto="next", update={"count": 2})
@tool
def say(tool_call_id: Annotated[str, InjectedToolCallId]) -> Command:
    '''Say.'''
    return Command(update={"messages": [ToolMessage("a", tool_call_id=tool_call_id), ToolMessage("b", tool_call_id=tool_call_id)]})
""", [("save", {"text": "x"}, "Saved x"), ("count", {}, {"count": 2}), ("say", {}, "a\nb")])
