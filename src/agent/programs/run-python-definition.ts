/** The definition of `run_python` for the model. */

import type { NameTable } from '../../runtime/registry/provider-names.ts';
import { runPython } from '../../runtime/spec/tool.ts';
import type { ToolDefinition } from '../../runtime/spec/model.ts';
import type { SelectedTool } from '../../runtime/spec/session.ts';
import { programLimits } from './program-limits.ts';
import { toolFunctions, type ToolFunction } from './tool-functions.ts';

/**
 * Each request contains the definition. It is short, so that tasks of one or two calls send hardly more: programs
 * call tools by the names that they have in the request, and errors say what to write instead. It lists only tools that the
 * request does not define, and functions whose names the model could not guess.
 *
 * @param defined the tools whose definitions the request contains
 */
export function programDefinition(
  tools: readonly SelectedTool[],
  defined: ReadonlySet<SelectedTool>,
  names: Pick<NameTable, 'toWire'>,
): ToolDefinition {
  const listed = toolFunctions(tools).flatMap((one, index): readonly ListedFunction[] => {
    const tool = tools[index];
    if (tool === undefined || !defined.has(tool)) return [{ ...one, note: '' }];
    const wire = names.toWire(one.name) ?? one.name;
    return /^\w+$/.test(wire) ? [] : [{ ...one, note: `  # ${wire}` }];
  });
  return {
    name: runPython,
    description: `For 3+ calls: await tools as functions. Returns output and last value.${listing(listed)}`,
    parameters: {
      type: 'object',
      properties: {
        code: { type: 'string' },
        // The name says enough: a description would make each request longer.
        reuse_variables: { type: 'boolean' },
      },
      // Servers that make a grammar of the schema would else allow calls without code.
      required: ['code'],
    },
  };
}

interface ListedFunction extends ToolFunction {
  readonly note: string;
}

/** The functions by module: with signatures, or their names only if that is too long, as far as it fits. */
function listing(functions: readonly ListedFunction[]): string {
  if (functions.length === 0) return '';
  const max = programLimits.listedChars;
  const whole = written(functions, ({ doc, note }) => `${doc.split('\n', 1)[0] ?? ''}${note}`);
  if (whole.length <= max) return whole;
  const short = written(functions, ({ function: name, note }) => `${name}${note}`);
  const more = '\n… `help(module)` shows the rest.';
  return short.length <= max ? short : `${short.slice(0, max - more.length)}${more}`;
}

function written(
  functions: readonly ListedFunction[],
  line: (one: ListedFunction) => string,
): string {
  const modules = new Map<string, string[]>();
  for (const one of functions)
    modules.set(one.module, [...(modules.get(one.module) ?? []), `  ${line(one)}`]);
  return Array.from(modules, ([module, its]) => `\n${module}:\n${its.join('\n')}`).join('');
}
