/** The system prompt as the person looks at it: what the next request will carry, before the first one too. */

import type { PromptSection } from './conversation-type.ts';
import type { TurnEffects } from './effects.ts';
import { promptSections } from './prompt.ts';
import type { ToolSelection } from './selection.ts';

export function shownPrompt(
  { log, hooks }: Pick<TurnEffects, 'log' | 'hooks'>,
  selected: ToolSelection,
): Promise<readonly PromptSection[]> {
  const selection = log.state.selection ?? { tools: selected.tools, names: [] };
  const sections = promptSections({ ...log.state, selection }, (name) => selected.tool(name));
  return hooks.prompt.run(sections, { session: log.id, kind: 'step' });
}
