/** Twenty tool files, broken in twenty ways, with the problem expected for each. */

export interface BrokenFile {
  readonly what: string;
  readonly source: string;
  /** Line that the problem must name. */
  readonly line: number;
  /** What the message must contain. */
  readonly says: RegExp;
}

const spec = (module: string, change: Record<string, string> = {}): string => {
  const keys: Record<string, string> = {
    name: `"${module}:work"`,
    description: '"Does some work."',
    parameters: '{"type": "object", "properties": {}}',
    handler: 'work',
    ...change,
  };
  const lines = Object.entries(keys)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `        "${key}": ${value},`);
  return `TOOL_SPECS = [\n    {\n${lines.join('\n')}\n    },\n]\n`;
};

/** Two lines, so that the list of specs starts on line 4 and the first spec on line 5. */
const handler = 'def work() -> str:\n    return "done"\n\n';

/** By module name. */
export const brokenFiles: Readonly<Record<string, BrokenFile>> = {
  b01_syntax: {
    what: 'a syntax error',
    source: 'def work(:\n    pass\n',
    line: 1,
    says: /invalid syntax|expected/i,
  },
  b02_indent: {
    what: 'wrong indentation',
    source: 'def work():\nreturn 1\n',
    line: 2,
    says: /indent/i,
  },
  b03_unclosed: { what: 'an open bracket', source: 'x = [1,\n', line: 1, says: /never closed/i },
  b04_missing: {
    what: 'a package that is not there',
    source: `import os\nimport no_such_package\n${handler}`,
    line: 2,
    says: /no_such_package/,
  },
  b05_raises: {
    what: 'an import that raises',
    source: 'x = 1\nraise RuntimeError("not today")\n',
    line: 2,
    says: /RuntimeError.*not today/,
  },
  b06_exits: {
    what: 'an import that exits',
    source: 'import sys\nsys.exit(2)\n',
    line: 2,
    says: /exit/i,
  },
  b07_loops: {
    what: 'an import that never ends',
    source: 'while True:\n    pass\n',
    line: 1,
    says: /10 s/,
  },
  b08_prints: {
    what: 'an import that prints 100 MB',
    source: 'for _ in range(100):\n    print("x" * 1_000_000)\n',
    line: 2,
    says: /print/i,
  },
  b09_no_list: {
    what: 'TOOL_SPECS that is no list',
    source: 'TOOL_SPECS = 5\n',
    line: 1,
    says: /TOOL_SPECS/,
  },
  b10_no_dict: {
    what: 'a spec that is no dict',
    source: 'TOOL_SPECS = [\n    "tool",\n]\n',
    line: 2,
    says: /dict/,
  },
  b11_no_name: {
    what: 'a spec without a name',
    source: handler + spec('b11_no_name', { name: '' }),
    line: 5,
    says: /name/,
  },
  b12_wrong_module: {
    what: 'a name of another module',
    source: handler + spec('elsewhere'),
    line: 6,
    says: /elsewhere/,
  },
  b13_empty: {
    what: 'an empty description',
    source: handler + spec('b13_empty', { description: '"  "' }),
    line: 7,
    says: /description/,
  },
  b14_no_object: {
    what: 'parameters that are no object schema',
    source: handler + spec('b14_no_object', { parameters: '{"type": "string"}' }),
    line: 8,
    says: /type of parameters/,
  },
  b15_bad_schema: {
    what: 'parameters that are no valid JSON Schema',
    source:
      handler +
      spec('b15_bad_schema', {
        parameters: '{"type": "object", "properties": {"a": {"type": "strng"}}}',
      }),
    line: 5,
    says: /properties.*a|strng/,
  },
  b16_no_handler: {
    what: 'a handler that cannot be called',
    source: handler + spec('b16_no_handler', { handler: '"work"' }),
    line: 9,
    says: /callable|called/,
  },
  b17_undefined: {
    what: 'a name that is not defined',
    source: `${handler}TOOL_SPECS = [worker]\n`,
    line: 4,
    says: /NameError.*worker/,
  },
  b18_bad_option: {
    what: 'an option of the wrong type',
    source: handler + spec('b18_bad_option', { timeout_s: '"soon"' }),
    line: 10,
    says: /timeout_s/,
  },
  b19_recursion: {
    what: 'recursion without end',
    source: 'def f():\n    return f()\n\nf()\n',
    line: 2,
    says: /RecursionError/,
  },
  b20_crash: {
    what: 'the end of the whole process',
    source: 'import os\nos._exit(1)\n',
    line: 1,
    says: /crash|ended/i,
  },
};
