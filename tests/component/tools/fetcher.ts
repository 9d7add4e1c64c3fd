/** A tool of tests/packages/sources.ts. */

import { tool, type ToolFile } from '../page/tool-file.ts';

const tools: ToolFile = {
  tools: {
    get: tool('A tool.', {}, () => 2, {
      parameters: {
        type: 'object',
        properties: { url: { type: 'string', description: 'Address' } },
      },
    }),
  },
};
export default tools;
