/** Decides by name and content which files of a folder are tool files. */

import { comparePaths } from './path-rules.ts';
import type { FolderFile, FolderSnapshot } from '../spec/folder.ts';

/** The program that runs a folder's saved tests under ordinary Python. */
export const testRunner = 'cloche_test.py';
/** The program that serves a folder's tools over MCP under ordinary Python. */
export const mcpServer = 'cloche_mcp.py';

/**
 * Returns whether a path may be a tool file: `.py`, directly in the folder, not hidden and not private. The programs of Cloche
 * for ordinary Python are in folders that were exported.
 */
export function isToolFile(path: string): boolean {
  return (
    path.endsWith('.py') && !/^[._]|\//.test(path) && path !== testRunner && path !== mcpServer
  );
}

/** Names of files that other programs use to test, package or start a project. */
const supportFile =
  /^(?:tests?|test_.*|.*_tests?|run_?tests|conftest|setup|conf|noxfile|toxfile|tasks|fabfile|dodo|pavement|build|hatch_build|versioneer|manage|wsgi|asgi|gunicorn[._]conf|locustfile|(?:site|user)customize)\.py$/;
// The patterns for sources can begin to match only once in each line, so that they take time in proportion to the length of a
// source. `^` would also match after line ends that a class such as `[^\n]` includes, and the time would grow with the square
// of the number of these line ends.

/** The start of a list of tools, or of the function of an extension. */
const definesTools =
  /(?<![^\r\n])[^\S\r\n]*(?:TOOL_SPECS\s*(?::[^=\r\n]*)?\+?=(?!=)|(?:async\s+)?def\s+register\s*\()/;
/**
 * Names of support files that other programs run at once; these often import a framework only to test it. The loader has the
 * same names in folder.py.
 */
export const testFile =
  /^(?:tests?|test_.*|.*_tests?|run_?tests|conftest|setup|(?:site|user)customize)\.py$/;
/** An import of a framework whose tools are inferred, or the class of tools of Open WebUI. */
const usesFramework =
  /(?<![^\r\n])(?:[^\S\r\n]*(?:from|import)[^\S\r\n]+(?:(?:lang(?:chain|graph)\w*|langs(?:mith|erve)|deepagents|mcp|fastmcp|agents|smolagents|transformers|crewai(?:_tools)?|agno|phi|pydantic_(?:ai|graph)|logfire|autogen\w*|ag2|semantic_kernel|haystack(?:_integrations)?|llm|swarm|tau_bench|tau2|strands(?:_tools)?|llama_index|qwen_agent|camel|open_webui|livekit|agent_framework|claude_agent_sdk|controlflow|marvin|dspy|langroid|atomic_agents|mirascope|agency_swarm|letta(?:_client)?|memgpt|griptape|astrbot|composio|dify_plugin|gradio|agentscope|inspect_ai|browser_use|fastapi_mcp|vertexai|autogpt|metagpt|taskweaver|instructor|pipecat(?:_flows)?|beeai_framework|txtai|vocode|llmio|cat(?=\.(?:mad_hatter|log|looking_glass|experimental)\b)|forge(?=\.(?:agent|command|components|models)\b))(?![\w])|google(?:\.|[^\S\r\n]+import[^\S\r\n]+)(?:adk|genai|generativeai)\b)|class[^\S\r\n]+Tools\b)/;

/** A decorator or a class that marks tools in the files of most frameworks. */
const marksTools =
  /(?<![^\r\n])[^\S\r\n]*(?:@(?:[\w.]+\.)?(?:tool|tool_plain|function_tool|kernel_function|list_tools|ai_function|ai_callable)\b|class[^\S\r\n]+\w+\([^\r\n)]*Tool(?:kit|Spec)?\b|class[^\S\r\n]+Tools\b)/;

/** Returns whether a source seems to define tools as frameworks do. Only importing it can tell for certain. */
export function seemsToDefineTools(source: string): boolean {
  return marksTools.test(source);
}

/**
 * Returns whether a file is not a tool file although it has the path of one, because its name belongs to another program and it
 * defines no tools. Importing such a file would run tests or install packages.
 *
 * @param text the whole content
 */
export function isSupportFile(path: string, text: () => string): boolean {
  if (!supportFile.test(path)) return false;
  const source = text();
  return !definesTools.test(source) && (testFile.test(path) || !usesFramework.test(source));
}

/** Returns the tool files of a folder in the order in which they are scanned. */
export function toolFiles(folder: FolderSnapshot): FolderFile[] {
  return folder.files
    .filter((file) => isToolFile(file.path) && !isSupport(file))
    .sort((a, b) => comparePaths(a.path, b.path));
}

/** Returns the files that have the path of a tool file but are not tool files, in order. */
export function supportFiles(folder: FolderSnapshot): FolderFile[] {
  return folder.files.filter((file) => isToolFile(file.path) && isSupport(file));
}

function isSupport(file: FolderFile): boolean {
  const known = support.get(file);
  if (known !== undefined) return known;
  const found = isSupportFile(file.path, () => new TextDecoder().decode(file.bytes));
  support.set(file, found);
  return found;
}

/** Caches the answer for each file, because lists of tool files are requested often. */
const support = new WeakMap<FolderFile, boolean>();
