/** Short labels for what distinguishes a tool from the defaults. */

import type { Tool } from '../../../spec/tool.ts';

export interface Trait {
  readonly words: string;
  /** The longer story. */
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
    { words: kinds[tool.handler.kind] ?? '', title: `The handler is of kind ${tool.handler.kind}` },
    tool.takesContext && { words: 'context', title: 'The handler receives the call context' },
    tool.timeout_s !== defaultSeconds && {
      words: `${String(tool.timeout_s)} s`,
      title: 'Ends as a timeout after this time',
    },
    tool.requires_approval !== false && {
      words: tool.requires_approval === true ? 'asks first' : 'may ask first',
      title: 'Callers other than you need your approval',
    },
    tool.stateless && {
      words: 'stateless',
      title: 'Promises to keep nothing in Python between calls',
    },
    tool.concurrency_safe !== true && {
      words: 'one at a time',
      title: 'Does not overlap with other calls',
    },
    tool.background_safe && { words: 'background', title: 'May be used by the background agent' },
    tool.interrupt === 'block' && {
      words: 'not interrupted',
      title: 'Is waited for when its interpreter must end',
    },
    tool.deferred && { words: 'deferred', title: 'Its schema goes to the model on demand' },
    hint(tool, 'readOnlyHint', 'read-only'),
    hint(tool, 'destructiveHint', 'destructive'),
  ];
  return traits.filter((trait) => trait !== false).filter((trait) => trait.words !== '');
}

function hint(tool: Tool, key: string, words: string): Trait | false {
  return tool.annotations[key] === true && { words, title: 'By the word of the tool itself' };
}
