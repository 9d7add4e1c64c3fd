/** The tool `fetch` of tests/grants/net.py, without Python. */

import { tool, type ToolFile } from '../page/tool-file.ts';

const tools: ToolFile = {
  tools: {
    fetch: tool('Sends a request.', { url: 'string' }, ({ url }, call) => call.fetch(url), {
      parameters: { type: 'object', properties: { url: {} } },
      timeout_s: 60,
    }),
  },
};
export default tools;
