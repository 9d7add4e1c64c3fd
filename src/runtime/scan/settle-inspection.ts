/** Settles what is known about a file: normalizes an inspection from the sandbox, or makes one with a problem from the error that ended it. */

import { showPath } from '../folder/path-rules.ts';
import { composeName } from '../spec/composed-name.ts';
import type { Inspection, Tool } from '../spec/tool.ts';
import type { Problem } from '../spec/folder.ts';
import type { ToolError, ToolErrorCode } from '../spec/error.ts';

/** The longest delay of a browser's timers, about 25 days. */
const longestSeconds = 2_147_483;

/**
 * Returns the inspection, which hostile code may have produced, with every tool assigned to the inspected file, and without tools that have invalid names. An
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

/** The errors that the inspected file causes, and their problems. Other errors have nothing to do with the file. */
const faults = new Map<ToolErrorCode, { code: string; expected: string; hint: string }>([
  [
    'timeout',
    {
      code: 'import-timeout',
      expected: 'a file that can be imported within the time limit',
      hint: 'Move slow code and infinite loops from the top level of the file into a handler.',
    },
  ],
  [
    'crashed',
    {
      code: 'import-crashed',
      expected: 'a file that can be imported without crashing Python',
      hint: 'Remove code at the top level of the file that uses all memory or exits the interpreter.',
    },
  ],
  [
    'flood',
    {
      code: 'import-flood',
      expected: 'an import with little output',
      hint: 'Remove loops that print or send messages from the top level of the file.',
    },
  ],
  [
    'limit',
    {
      code: 'import-limit',
      expected: 'tools whose description fits within the limit',
      hint: 'Shorten descriptions and schemas, or split the file.',
    },
  ],
  [
    'protocol',
    {
      code: 'import-protocol',
      expected: 'a file that does not change Cloche’s Python code',
      hint: 'Remove code that changes json, sys, js or builtins at the top level of the file.',
    },
  ],
]);

/** Returns an inspection for a file that caused this error; undefined if the file did not cause it. */
export function failedInspection(file: string, error: ToolError): Inspection | undefined {
  const fault = faults.get(error.code);
  if (fault === undefined) return undefined;
  return {
    file,
    tools: [],
    problems: [
      {
        severity: 'error',
        code: fault.code,
        file,
        line: 1,
        column: null,
        message: error.message,
        expected: fault.expected,
        hint: error.hint ?? fault.hint,
      },
    ],
    noSpecs: false,
    imports: [],
    output: '',
    durationMs: 0,
  };
}
