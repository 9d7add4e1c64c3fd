"""Maps names of modules to names of packages, and words the remedy for a module that is missing.

Only certain names are listed: a message must not name the package of a stranger.
"""

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
    "tavily": "tavily-python",
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
    pymongo pypdf pytz qdrant_client redis requests rich schema scipy selenium semantic_kernel smolagents spacy sqlalchemy
    starlette streamlit sympy tenacity tiktoken torch tqdm transformers trafilatura typer uvicorn websockets
    wikipedia yfinance
    """.split()
)
_NATIVE = "It contains native code that cannot run in a browser."
_CONNECTS = "It connects to a server without HTTP, which a browser tab cannot do."
_DRIVES = "It drives a browser, which a browser tab cannot do."
_DEVICES = "It uses devices of the computer, which a browser tab cannot do."
_UNAVAILABLE = {
    **dict.fromkeys(("torch", "torchvision", "torchaudio", "tensorflow", "jax", "vllm", "faiss", "pyspark", "ray", "grpc"), _NATIVE),
    **dict.fromkeys(("pyautogui", "pyaudio", "sounddevice", "pyttsx3", "serial", "bluetooth", "usb", "pynput"), _DEVICES),
    **dict.fromkeys(("psycopg", "psycopg2", "asyncpg", "pymysql", "MySQLdb", "pyodbc", "redis", "pymongo", "motor"), _CONNECTS),
    **dict.fromkeys(("oracledb", "neo4j", "paramiko", "docker", "zmq", "pika", "kafka", "ldap3"), _CONNECTS),
    **dict.fromkeys(("selenium", "playwright", "pyppeteer", "undetected_chromedriver", "browser_use"), _DRIVES),
}


# Names for relative imports: FOLDER stands for the tools folder as a package, ABOVE for its parents, outermost first.
ABOVE = ("_cloche_folder", "_cloche_folder.up", "_cloche_folder.up.up")
FOLDER = f"{ABOVE[-1]}.here"


def write_as_imported(module: str) -> str:
    """The module as the file's import names it, with leading dots if it is relative."""
    for dots, package in enumerate((FOLDER, *reversed(ABOVE)), 1):
        if module.startswith(f"{package}."):
            return "." * dots + module[len(package) + 1 :]
    return module


def package_of(module: str) -> str:
    """The name of the package that has this module; empty if the name is not certain."""
    name = module
    while name:
        if name in _PACKAGES:
            return _PACKAGES[name]
        name = name.rpartition(".")[0]
    top = module.partition(".")[0]
    return top.replace("_", "-") if top in _SAME else ""


def remedy(module: str) -> str:
    """The remedy for a missing module. It names a package only if the name is certain."""
    top = module.partition(".")[0]
    if module.startswith("."):
        return "Put the file into this folder."
    if top in _UNAVAILABLE:
        return f"{_UNAVAILABLE[top]} Use another package, or an HTTP service."
    package = package_of(module)
    if package:
        return f'Declare it at the top of this file: # /// script, # dependencies = ["{package}"], # ///'
    return (
        f"If {top!r} is a file of yours, put {top}.py into this folder: the file or folder itself, since browsers leave out "
        "symbolic links. If it is from a package, look up the package's name, which may differ, and declare it at the top "
        "of this file."
    )


def needs_package(module: str) -> str:
    """The sentence that says which package a module comes from."""
    top = module.partition(".")[0]
    if write_as_imported(module) != module:
        return f"this tool needs the module {write_as_imported(module)}, a file that is not in this folder."
    package = package_of(module)
    why = _UNAVAILABLE.get(top, "")
    if package:
        return f"this tool needs the package {package} ({module}), which is not installed here.{f' {why}' if why else ''}"
    return f"this tool needs the module {module}, which is not installed here; the name of its package is unknown."
