"""Maps names of modules to names of packages if the two differ. Only certain names are listed."""

from __future__ import annotations

_PACKAGES = {
    "PIL": "pillow",
    "agents": "openai-agents",
    "attr": "attrs",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python",
    "dateutil": "python-dateutil",
    "docx": "python-docx",
    "dotenv": "python-dotenv",
    "faiss": "faiss-cpu",
    "fitz": "pymupdf",
    "git": "GitPython",
    "github": "PyGithub",
    "google.adk": "google-adk",
    "google.genai": "google-genai",
    "google.generativeai": "google-generativeai",
    "googleapiclient": "google-api-python-client",
    "haystack": "haystack-ai",
    "jwt": "PyJWT",
    "llama_index": "llama-index",
    "mcp": "mcp",
    "pptx": "python-pptx",
    "psycopg2": "psycopg2-binary",
    "pydantic_ai": "pydantic-ai",
    "serial": "pyserial",
    "sklearn": "scikit-learn",
    "skimage": "scikit-image",
    "slugify": "python-slugify",
    "telegram": "python-telegram-bot",
    "yaml": "PyYAML",
    "zmq": "pyzmq",
}
# Modules whose package has the same name, as everybody expects.
_SAME = frozenset(
    """
    aiohttp aiofiles anthropic arxiv autogen_core boto3 chromadb click crewai dspy duckduckgo_search fastapi fastmcp
    feedparser flask httpx jinja2 langchain langchain_community langchain_core langgraph litellm llm lxml markdown
    markdownify matplotlib networkx nltk numpy ollama openai openpyxl pandas pdfplumber playwright polars pydantic
    pymongo pypdf pytz qdrant_client redis requests rich scipy selenium semantic_kernel smolagents spacy sqlalchemy
    starlette streamlit sympy tavily tenacity tiktoken torch tqdm transformers trafilatura typer uvicorn websockets
    wikipedia yfinance
    """.split()
)
_UNAVAILABLE = {
    "torch": "It cannot run in a browser.",
    "tensorflow": "It cannot run in a browser.",
    "selenium": "It drives a browser, which a browser tab cannot do.",
    "playwright": "It drives a browser, which a browser tab cannot do.",
    "subprocess": "A browser tab cannot start programs.",
}


def package_of(module: str) -> str:
    """The name of the package that has this module; empty if the name is not certain."""
    name = module
    while name:
        if name in _PACKAGES:
            return _PACKAGES[name]
        name = name.rpartition(".")[0]
    top = module.partition(".")[0]
    return top.replace("_", "-") if top in _SAME else ""


def needs_package(module: str) -> str:
    """The sentence that says which package a module comes from."""
    top = module.partition(".")[0]
    package = package_of(module)
    why = _UNAVAILABLE.get(top, "")
    if package:
        return f"this tool needs the package {package} ({module}), which is not installed here.{f' {why}' if why else ''}"
    return f"this tool needs the module {module}, which is not installed here; the name of its package is unknown."
