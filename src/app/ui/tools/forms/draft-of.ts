/** The draft of a tool. Separate from `Drafts`, so that the first paint does not load argument templates. */

import type { RegisteredTool } from '../../../../runtime/spec/tool.ts';
import { argumentTemplate } from './argument-template.ts';
import type { Draft, Drafts } from './draft.svelte.ts';

export function draftOf(
  drafts: Drafts,
  tool: Pick<RegisteredTool, 'name' | 'parameters' | 'examples'>,
): Draft {
  return drafts.of(tool.name, argumentTemplate(tool));
}
