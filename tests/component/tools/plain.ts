/** A tool of tests/packages/sources.ts. */

import { tool, type ToolFile } from '../page/tool-file.ts';

const tools: ToolFile = {
  tools: { two: tool('Two.', {}, () => 2) },
};
export default tools;
