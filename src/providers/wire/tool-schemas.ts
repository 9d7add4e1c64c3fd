/** Tools as each provider takes them: one that it does not take would be the end of a session, whose tools are locked. */

import type { JsonObject } from '../../spec/json.ts';
import type { ToolDefinition } from '../../spec/model.ts';
import type { RequestAdjustment } from './request-adjustment.ts';
import { inDraft2020, withItems } from './schema-arrays.ts';
import { shallow } from './schema-depth.ts';
import { withPlainRoot } from './schema-root.ts';

/** Levels that Google takes at least. */
const googleLevels = 4;

export type TellTool = (
  tool: ToolDefinition,
  adjusted: ReadonlySet<RequestAdjustment>,
) => ToolDefinition;

/** Lists say what is in them, and the outermost schema is a plain list of parameters. */
export const forOpenAI: TellTool = (tool) => withParameters(withPlainRoot(tool), withItems);

/** Servers of whom nobody knows more are OpenAI, or something that takes all of JSON Schema. */
export const forCompatible: TellTool = (tool, adjusted) =>
  withParameters(adjusted.has('plain-schemas') ? withPlainRoot(tool) : tool, withItems);

/** JSON Schema 2020-12, with a plain list of parameters outermost. */
export const forAnthropic: TellTool = (tool) => withParameters(withPlainRoot(tool), inDraft2020);

export const forGoogle: TellTool = (tool, adjusted) =>
  withParameters(tool, (parameters) => {
    const reported = withItems(parameters);
    return adjusted.has('shallow-schemas') ? shallow(reported, googleLevels) : reported;
  });

/** What is fine as it is stays the same object, and goes out as it came. */
function withParameters(
  tool: ToolDefinition,
  change: (parameters: JsonObject) => JsonObject,
): ToolDefinition {
  const parameters = change(tool.parameters);
  return parameters === tool.parameters ? tool : { ...tool, parameters };
}
