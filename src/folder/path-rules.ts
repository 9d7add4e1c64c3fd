/** Which paths a folder snapshot may contain, and which files and folders are skipped. */

import { composedName } from '../spec/composed-name.ts';
import { comparableName, lookalikeName } from './comparable-name.ts';

/** Longer paths would not fit into the sandbox's messages. */
const longestPath = 1_000;

/** The program that runs a folder's saved tests under ordinary Python. */
export const testRunner = 'cloche_test.py';

const skipped = new Set([
  'node_modules',
  '__pycache__',
  '.venv',
  '.tox',
  '.nox',
  '.eggs',
  '.ipynb_checkpoints',
  '.git',
  '.hg',
  '.svn',
  '.idea',
  '.vscode',
  '.cache',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
]);

/**
 * Returns why a path is not allowed, as the end of a sentence; undefined if it is allowed.
 * Allowed paths stay inside the folder on every file system and survive conversion to UTF-8.
 */
export function pathFault(path: string): string | undefined {
  if (path.length > longestPath) return `its path is longer than ${longestPath} characters`;
  // On Windows it would lead to another drive.
  if (/^[A-Za-z]:/.test(path)) return 'its path begins with a drive letter';
  for (const segment of path.split('/')) {
    if (segment === '') return 'its path has an empty part';
    if (segment === '.' || segment === '..') return `its path has a part named “${segment}”`;
    if (segment.includes('\\')) return 'its path has a backslash';
    // Control characters and lone surrogates.
    if (/[\p{Cc}\p{Cs}]/u.test(segment)) return 'its path has a control character';
  }
  return undefined;
}

/**
 * Returns the folder's name if it is a valid folder name in the sandbox, else 'tools'. A whole drive, for
 * example, has no valid name.
 */
export function folderName(name: string): string {
  return pathFault(name) === undefined && !name.includes('/') ? composedName(name) : 'tools';
}

/**
 * Returns the name that a file or folder has, or may be taken for, if it belongs to another program: caches, installed
 * packages, repositories. Such files and folders are skipped, and never written. `.git` may be a file, too.
 */
export function skippedName(name: string): string | undefined {
  // The short name that Windows gives to `.git`.
  if (/^git~\d+$/.test(comparableName(name))) return '.git';
  const alike = lookalikeName(name);
  return skipped.has(alike) ? alike : undefined;
}

/** Makes a path displayable: on one line and not too long. */
export function shownPath(path: string): string {
  const clean = path.replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd');
  return clean.length > 200 ? `${clean.slice(0, 200)}…` : clean;
}

/**
 * Whether a path may be a tool file: `.py`, directly in the folder, not hidden and not private. `cloche_test.py` runs a
 * folder's tests outside of the page, and is in each folder that was exported.
 */
export function isToolFile(path: string): boolean {
  return path.endsWith('.py') && !/^[._]|\//.test(path) && path !== testRunner;
}

/** Names of files that other programs use to test, package or start a project. */
const supportFile =
  /^(?:tests?|test_.*|.*_tests?|run_?tests|conftest|setup|conf|noxfile|toxfile|tasks|fabfile|dodo|pavement|build|hatch_build|versioneer|manage|wsgi|asgi|gunicorn[._]conf|locustfile|(?:site|user)customize)\.py$/;
/** The start of a list of tools, or of the function of an extension. */
const definesTools =
  /^[^\S\n]*(?:TOOL_SPECS\s*(?::[^=\n]*)?\+?=(?!=)|(?:async\s+)?def\s+register\s*\()/m;
/** Names of support files that other programs run at once; these often import a framework only to test it. */
const testFile =
  /^(?:tests?|test_.*|.*_tests?|run_?tests|conftest|setup|(?:site|user)customize)\.py$/;
/** An import of a framework whose tools are inferred, or the class of tools of Open WebUI. */
const usesFramework =
  /^(?:[^\S\n]*(?:from|import)[^\S\n]+(?:(?:lang(?:chain|graph)\w*|langs(?:mith|erve)|deepagents|mcp|fastmcp|agents|smolagents|transformers|crewai(?:_tools)?|agno|phi|pydantic_(?:ai|graph)|logfire|autogen\w*|ag2|semantic_kernel|haystack(?:_integrations)?|llm|swarm|tau_bench|tau2|strands(?:_tools)?|llama_index|qwen_agent|camel|open_webui)(?![\w])|google(?:\.|[^\S\n]+import[^\S\n]+)(?:adk|genai|generativeai)\b)|class[^\S\n]+Tools\b)/m;

/**
 * Whether a file is not a tool file although it has the path of one, because its name belongs to another program and it
 * defines no tools. Importing such a file would run tests or install packages.
 *
 * @param text the whole content
 */
export function isSupportFile(path: string, text: () => string): boolean {
  if (!supportFile.test(path)) return false;
  const source = text();
  return !definesTools.test(source) && (testFile.test(path) || !usesFramework.test(source));
}

/** Compares paths by UTF-16 code units, which gives the same order in every locale. */
export function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns the parent folders of a path, outermost first. */
export function parentFolders(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
