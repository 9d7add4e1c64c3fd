/** The definition of `run_python` for the model. */

import type { NameTable } from '../../runtime/registry/provider-names.ts';
import { runPython } from '../../runtime/spec/built-in-names.ts';
import type { ToolDefinition } from '../../runtime/spec/model.ts';
import type { SelectedTool } from '../../runtime/spec/session.ts';
import { programLimits } from './program-limits.ts';
import { toolFunctions, type ToolFunction } from './tool-functions.ts';

/**
 * The definition, which lists only what the model cannot know from the definitions of the tools: functions whose names
 * follow no rule, and the signatures of tools that are not defined.
 *
 * @param defined the tools whose definitions the request contains
 */
export function programDefinition(
  tools: readonly SelectedTool[],
  defined: ReadonlySet<SelectedTool>,
  names: Pick<NameTable, 'toWire'>,
): ToolDefinition {
  const functions = toolFunctions(tools);
  const example = functions.find((one) => names.toWire(one.name) === ruled(one));
  const rule =
    example === undefined
      ? ''
      : `, such as ${ruled(example)} as \`await ${example.module}.${example.function}(…)\``;
  const listed = functions.flatMap((one, index): readonly ListedFunction[] => {
    const tool = tools[index];
    const wire = names.toWire(one.name) ?? one.name;
    if (tool === undefined || !defined.has(tool)) return [{ ...one, note: '' }];
    return wire === ruled(one) ? [] : [{ ...one, note: `  # ${wire}` }];
  });
  return {
    name: runPython,
    description: `Runs Python in which your other tools are async functions with the same parameters${rule}. Use it for three or more calls, for loops, and to pick from long results; call one or two tools directly. \`asyncio.gather\` works; a failed call raises \`ToolError\`. You see only what is printed and the value of the last line, up to ${programLimits.answerChars.toLocaleString('en')} characters.${listing(listed)}`,
    parameters: {
      type: 'object',
      properties: {
        code: { type: 'string' },
        keep: { type: 'boolean', description: 'Start with the variables of your last program' },
      },
      required: ['code'],
    },
  };
}

interface ListedFunction extends ToolFunction {
  readonly note: string;
}

/** The wire name that the rule of `wireName` gives. */
function ruled({ module, function: name }: ToolFunction): string {
  return `${module}__${name}`;
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
