/** Repeats logged calls: at once, or from the form of their tool. */

import type { JsonText } from '../../../../runtime/spec/json.ts';
import type { RegisteredTool } from '../../../../runtime/spec/tool.ts';
import type { Ui } from '../../shell/ui.svelte.ts';
import { draftOf } from './argument-template.ts';

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
