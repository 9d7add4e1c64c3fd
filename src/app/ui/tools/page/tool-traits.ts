/** Short labels for what distinguishes a tool from the defaults. */

import type { Tool } from '../../../../runtime/spec/tool.ts';

export interface Trait {
  readonly words: string;
  /** A longer explanation. */
  readonly title: string;
}

const kinds: Partial<Record<Tool['handler']['kind'], string>> = {
  async: 'async',
  generator: 'streams',
  'async-generator': 'async, streams',
};

/** Traits of a tool that differ from the defaults. */
export function toolTraits(tool: Tool, defaultSeconds: number): readonly Trait[] {
  const traits: (Trait | false)[] = [
    framework(tool),
    { words: kinds[tool.handler.kind] ?? '', title: `Kind of handler: ${tool.handler.kind}` },
    tool.takesContext && { words: 'context', title: 'The handler receives the call context' },
    tool.timeout_s !== defaultSeconds && {
      words: `${String(tool.timeout_s)} s`,
      title: 'Calls time out after this time',
    },
    tool.requires_approval !== false && {
      words: tool.requires_approval === true ? 'requires approval' : 'may require approval',
      title: 'Calls from anyone but you require your approval',
    },
    tool.stateless && {
      words: 'stateless',
      title: 'Keeps no Python state between calls',
    },
    tool.concurrency_safe !== true && {
      words: 'one at a time',
      title: 'Does not run in parallel with other calls',
    },
    tool.background_safe && { words: 'background', title: 'Can be called by background prompts' },
    tool.interrupt === 'block' && {
      words: 'not interrupted',
      title: 'Finishes before its interpreter is stopped',
    },
    tool.deferred && { words: 'deferred', title: 'The model gets its schema on demand' },
    hint(tool, 'readOnlyHint', 'read-only'),
    hint(tool, 'destructiveHint', 'destructive'),
  ];
  return traits.filter((trait) => trait !== false).filter((trait) => trait.words !== '');
}

function hint(tool: Tool, key: string, words: string): Trait | false {
  return tool.annotations[key] === true && { words, title: 'Declared by the tool' };
}

function framework({ framework: found }: Tool): Trait | false {
  if (found === undefined) return false;
  const { name, standIns } = found;
  return standIns.length === 0
    ? { words: name, title: `Written for ${name}; its parameters are inferred` }
    : {
        words: `${name}, stand-in`,
        title: `Written for ${name}; its parameters are inferred. Cloche replaces ${standIns.join(', ')} with a stand-in`,
      };
}
