/** Normalizes an inspection from the sandbox, because hostile code may have produced it. */

import { showPath } from '../folder/path-rules.ts';
import { composeName } from '../spec/composed-name.ts';
import type { Inspection } from '../spec/inspection.ts';
import type { Problem } from '../spec/problem.ts';
import type { Tool } from '../spec/tool.ts';

/** The longest delay of a browser's timers, about 25 days. */
const longestSeconds = 2_147_483;

/**
 * Returns the inspection with every tool assigned to the inspected file, and without tools that have invalid names. An
 * honest inspection is returned unchanged.
 */
export function settleInspection(
  reported: Inspection,
  file: string,
  inFolder: (path: string) => boolean,
  stem = `${file.replace(/\.py$/, '')}:`,
): Inspection {
  const problems: Problem[] = reported.problems.map((problem) =>
    inFolder(problem.file) ? problem : { ...problem, file },
  );
  const tools = new Map<string, Tool>();
  for (const tool of reported.tools) {
    const fault = tools.has(tool.name)
      ? 'it is used twice in the file'
      : nameFault(tool.name, stem);
    if (fault === undefined) tools.set(tool.name, settleTool(tool, file));
    else problems.push(refusedProblem(tool, file, fault));
  }
  return {
    ...reported,
    file,
    tools: [...tools.values()],
    problems,
    imports: reported.imports
      .map((path) => (inFolder(path) ? path : composeName(path)))
      .filter((path) => path !== file && inFolder(path)),
  };
}

function settleTool(tool: Tool, file: string): Tool {
  return {
    ...tool,
    source: { ...tool.source, file },
    timeout_s: Math.min(tool.timeout_s, longestSeconds),
  };
}

function nameFault(name: string, stem: string): string | undefined {
  if (!name.startsWith(stem)) return `it does not start with “${showPath(stem)}”`;
  const handler = name.slice(stem.length);
  if (handler === '' || handler.includes(':')) return 'it does not have the form module:function';
  // White space, control characters, lone surrogates, and characters that change the direction of text.
  if (/[\s\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(handler)) {
    return 'it contains whitespace or invisible characters';
  }
  return undefined;
}

function refusedProblem(tool: Tool, file: string, fault: string): Problem {
  return {
    severity: 'error',
    code: 'bad-name',
    file,
    line: tool.source.line,
    column: tool.source.column,
    message: `The tool name “${showPath(tool.name)}” was rejected: ${fault}.`,
    expected: `“${showPath(file.replace(/\.py$/, ''))}:” and the name of a function`,
    hint: 'Give the tool a unique name in this form.',
  };
}
