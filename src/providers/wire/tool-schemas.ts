/**
 * Converts tool definitions to what each provider accepts. A session's tools are locked, so one refused definition
 * would end the session.
 */

import type { JsonObject } from '../../spec/json.ts';
import type { ToolDefinition } from '../../spec/model.ts';
import type { RequestAdjustment } from './request-adjustment.ts';
import { inDraft2020, withItems } from './schema-arrays.ts';
import { shallow } from './schema-depth.ts';
import { withPlainRoot } from './schema-root.ts';

/** The nesting depth that Google accepts in any case. */
const googleLevels = 4;

export type TellTool = (
  tool: ToolDefinition,
  adjusted: ReadonlySet<RequestAdjustment>,
) => ToolDefinition;

/** Arrays get `items`, and the top level becomes a plain object schema. */
export const forOpenAI: TellTool = (tool) => withParameters(withPlainRoot(tool), withItems);

/** Unknown servers get schemas for OpenAI, except for the plain top level, which is used only if they require it. */
export const forCompatible: TellTool = (tool, adjusted) =>
  withParameters(adjusted.has('plain-schemas') ? withPlainRoot(tool) : tool, withItems);

/** JSON Schema 2020-12, with a plain object schema at the top level. */
export const forAnthropic: TellTool = (tool) => withParameters(withPlainRoot(tool), inDraft2020);

export const forGoogle: TellTool = (tool, adjusted) =>
  withParameters(tool, (parameters) => {
    const reported = withItems(parameters);
    return adjusted.has('shallow-schemas') ? shallow(reported, googleLevels) : reported;
  });

/** Returns the same object if nothing changes. */
function withParameters(
  tool: ToolDefinition,
  change: (parameters: JsonObject) => JsonObject,
): ToolDefinition {
  const parameters = change(tool.parameters);
  return parameters === tool.parameters ? tool : { ...tool, parameters };
}
