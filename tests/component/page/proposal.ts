/** Specs for the functions of a file, as Python would propose them, from their first lines. */

import type { SpecProposal } from '../../../src/runtime/spec/tool.ts';

/** A parameter without an annotation gets a note. A function whose name begins with `no_` gets no spec. */
export function proposal(
  file: string,
  source: string,
  names: readonly string[] | null,
): SpecProposal {
  const stem = file.replace(/\.py$/, '');
  const tools = Array.from(source.matchAll(/^def (\w+)\((.*)\)/gm), ([, name = '', given = '']) => {
    const full = `${stem}:${name}`;
    const parameters = given.split(', ').filter((part) => part !== '');
    const isPossible = !name.startsWith('no_');
    const isWanted = names === null || names.includes(full);
    const untyped = parameters.filter((part) => !part.includes(':'));
    const described = parameters.map((part) => [
      part.replace(/:.*/, ''),
      { type: 'string', description: `About ${part}` },
    ]);
    return {
      name: full,
      line: 1,
      description: `What ${name} does.`,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(described) as Record<string, never>,
        required: parameters.map((part) => part.replace(/:.*/, '')),
      },
      included: isPossible && isWanted,
      notes: [
        ...untyped.map((part) => `${part} has no annotation`),
        ...(isPossible || !isWanted ? [] : ['no spec can be written for it']),
      ],
    };
  });
  const written = tools.filter(({ included }) => included).map(({ name }) => `    "${name}",`);
  const text = `${source}\nTOOL_SPECS = [\n${written.join('\n')}\n]\n`;
  return { file, tools, text: written.length === 0 ? null : text, notes: [] };
}
