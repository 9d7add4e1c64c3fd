"""Lists the frameworks whose files can be loaded, with their module names and their rules for describing a function.

`source_reader` and `stand_ins` look up imported modules; `inference` applies the rules.
"""

from __future__ import annotations

from typing import NamedTuple


class Framework(NamedTuple):
    """The rules by which a framework infers a tool from a function."""

    id: str
    label: str
    modules: tuple[str, ...]  # names of modules; an entry may contain a dot, such as google.adk
    # How the docstring is read. "whole": all of it is the description. "head": what stands before the parameters is the
    # description, and the parameters take theirs from the rest. "fields": the same, with parameters written as :param.
    docstring: str = "whole"
    reserved: frozenset[str] = frozenset()  # names of parameters that the framework supplies itself
    untyped: str = ""  # the type of parameters without an annotation


PLAIN = Framework("plain", "Python functions", (), docstring="head", reserved=frozenset(("context_variables",)))

_ALL = (
    Framework("smolagents", "smolagents", ("smolagents", "transformers"), docstring="head"),
    Framework(
        "langchain",
        "LangChain",
        (
            "langchain_core", "langchain", "langchain_community", "langgraph", "langchain_openai", "langsmith",
            "langchain_anthropic", "langchain_google_genai", "langchain_ollama", "langchain_experimental",
            "langchain_text_splitters", "langchain_groq", "langchain_mcp_adapters", "langchain_classic",
            "langchain_tavily", "langchain_huggingface", "langchain_chroma", "langgraph_sdk", "langserve", "deepagents",
        ),
        reserved=frozenset(("run_manager", "callbacks")),
    ),
    Framework("openai-agents", "OpenAI Agents SDK", ("agents",), docstring="head"),
    Framework("fastmcp", "FastMCP", ("fastmcp",)),
    Framework("mcp", "MCP SDK", ("mcp",), untyped="string"),
    Framework("open-webui", "Open WebUI", ("open_webui",), docstring="fields"),
    Framework("llm", "llm", ("llm",)),
    Framework(
        "agno",
        "agno",
        ("agno", "phi"),
        docstring="head",
        reserved=frozenset(
            (
                "agent", "team", "run_context", "session_state", "dependencies", "images", "videos", "audios", "files",
                "fc",
            )
        ),
    ),
    Framework("pydantic-ai", "Pydantic AI", ("pydantic_ai", "pydantic_graph", "logfire"), docstring="head"),
    Framework("crewai", "CrewAI", ("crewai", "crewai_tools")),
    Framework(
        "autogen",
        "AutoGen",
        ("autogen_core", "autogen_agentchat", "autogen_ext", "autogen", "ag2"),
        reserved=frozenset(("cancellation_token",)),
    ),
    Framework(
        "google-adk",
        "Google ADK",
        ("google.adk",),
        reserved=frozenset(("tool_context", "input_stream")),
    ),
    Framework("semantic-kernel", "Semantic Kernel", ("semantic_kernel",)),
    Framework("haystack", "Haystack", ("haystack", "haystack_integrations")),
    Framework("swarm", "Swarm", ("swarm",), reserved=frozenset(("context_variables",)), untyped="string"),
    Framework("tau-bench", "tau-bench", ("tau_bench", "tau2"), reserved=frozenset(("data",))),
    Framework("strands", "Strands Agents", ("strands", "strands_tools"), docstring="head", reserved=frozenset(("agent", "tool_context"))),
    Framework("llama-index", "LlamaIndex", ("llama_index",)),
    Framework("qwen-agent", "Qwen-Agent", ("qwen_agent",)),
    Framework("camel", "CAMEL", ("camel",), docstring="head"),
    Framework("livekit", "LiveKit Agents", ("livekit",), docstring="head"),
    Framework("pipecat", "Pipecat", ("pipecat", "pipecat_flows"), docstring="head"),
    Framework("vocode", "Vocode", ("vocode",)),
    Framework("llmio", "llmio", ("llmio",), docstring="head", reserved=frozenset(("_state", "_context"))),
    Framework("agent-framework", "Microsoft Agent Framework", ("agent_framework",)),
    Framework("claude-agent-sdk", "Claude Agent SDK", ("claude_agent_sdk",)),
    Framework("controlflow", "ControlFlow", ("controlflow", "marvin"), docstring="head"),
    Framework("dspy", "DSPy", ("dspy",)),
    Framework("langroid", "langroid", ("langroid",)),
    Framework("agency-swarm", "Agency Swarm", ("agency_swarm",), docstring="head"),
    Framework("instructor", "Instructor", ("instructor",), docstring="head"),
    Framework("letta", "Letta", ("letta_client", "letta", "memgpt"), docstring="head", reserved=frozenset(("agent_state", "request_heartbeat"))),
    Framework("griptape", "Griptape", ("griptape",)),
    Framework("dify", "Dify", ("dify_plugin",)),
    Framework("taskweaver", "TaskWeaver", ("taskweaver",)),
    Framework("metagpt", "MetaGPT", ("metagpt",), docstring="head"),
    Framework("autogpt", "AutoGPT", ("autogpt", "forge.agent", "forge.command", "forge.components", "forge.models"), docstring="head", reserved=frozenset(("agent",))),
    Framework("atomic-agents", "Atomic Agents", ("atomic_agents",)),
    Framework("mirascope", "Mirascope", ("mirascope",), docstring="head"),
    # Tools of Cheshire Cat take one text, and the cat itself.
    Framework("cheshire-cat", "Cheshire Cat", ("cat.mad_hatter", "cat.log", "cat.looking_glass", "cat.experimental"), reserved=frozenset(("cat",)), untyped="string"),
    Framework("astrbot", "AstrBot", ("astrbot",), docstring="head"),
    Framework("composio", "Composio", ("composio",), docstring="head", reserved=frozenset(("execute_request", "auth_credentials"))),
    Framework("gradio", "Gradio", ("gradio",), docstring="head"),
    Framework("agentscope", "AgentScope", ("agentscope",), docstring="head"),
    Framework("inspect-ai", "Inspect", ("inspect_ai",), docstring="head"),
    Framework(
        "browser-use",
        "Browser Use",
        ("browser_use",),
        docstring="head",
        reserved=frozenset(
            (
                "browser", "browser_session", "browser_context", "page", "cdp_client", "page_extraction_llm", "file_system",
                "available_file_paths", "has_sensitive_data", "context",
            )
        ),
    ),
    Framework("beeai", "BeeAI", ("beeai_framework",)),
    Framework("txtai", "txtai", ("txtai",), docstring="head"),
    Framework("fastapi-mcp", "FastAPI-MCP", ("fastapi_mcp",)),
    Framework("ollama", "Ollama", ("ollama",), docstring="head"),
    Framework("google-genai", "Google Gen AI", ("google.genai", "google.generativeai", "vertexai")),
    Framework("openai", "OpenAI", ("openai",)),
    Framework("anthropic", "Anthropic", ("anthropic",), docstring="head"),
)

FRAMEWORKS = {framework.id: framework for framework in (PLAIN, *_ALL)}
_BY_MODULE = {module: framework for framework in _ALL for module in framework.modules}
TOP_NAMES = frozenset(module.partition(".")[0] for module in _BY_MODULE)
# Libraries that files of these frameworks need for their types. Each has a stand-in, too.
LIBRARIES = frozenset(("pydantic", "pydantic_settings", "pydantic_core", "typing_extensions", "annotated_types"))
# Packages that contain modules of a framework, and otherwise nothing that has a stand-in.
NAMESPACES = frozenset(module.partition(".")[0] for module in _BY_MODULE if "." in module)


def framework_of(module: str) -> Framework | None:
    """The framework that a module belongs to; None for other modules."""
    # Most modules belong to none.
    name = module if module.partition(".")[0] in TOP_NAMES else ""
    while name:
        if name in _BY_MODULE:
            return _BY_MODULE[name]
        name = name.rpartition(".")[0]
    return None
