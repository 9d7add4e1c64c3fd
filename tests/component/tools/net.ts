/** net.py of tests/grants, without Python: its one request. */

import { tool, type ToolFile } from '../page/tool-file.ts';

const tools: ToolFile = {
  tools: { fetch: tool('Fetches.', { url: 'string' }, ({ url }, call) => call.fetch(url)) },
};
export default tools;
