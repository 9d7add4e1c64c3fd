/** The draft of a tool. Separate from `Drafts`, so that the first paint does not load argument templates. */

import type { JsonText } from '../../../../runtime/spec/json.ts';
import type { RegisteredTool } from '../../../../runtime/spec/tool.ts';
import type { Ui } from '../../shell/ui.svelte.ts';
import { argumentTemplate } from './argument-template.ts';
import type { Draft, Drafts } from './draft.svelte.ts';

export function draftOf(
  drafts: Drafts,
  tool: Pick<RegisteredTool, 'name' | 'parameters' | 'examples'>,
): Draft {
  return drafts.of(tool.name, argumentTemplate(tool));
}

/** Repeats a logged call with its exact arguments, on the page of its tool. */
export function runAgain(ui: Ui, tool: RegisteredTool, args: JsonText): void {
  draftOf(ui.late.drafts, tool).replace(args);
  ui.runs.start(tool.name, args);
  ui.route.go(ui.route.toTool(tool.name));
}

/** Puts a logged call's exact arguments into the form of its tool, to change them before they run. */
export function editAgain(ui: Ui, tool: RegisteredTool, args: JsonText): void {
  draftOf(ui.late.drafts, tool).replace(args);
  ui.route.go(ui.route.toTool(tool.name));
}
