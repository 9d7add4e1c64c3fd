/** A file with a tool that loads, and one whose spec has an error; its problems are all that is tested. */

import { tool, type ToolFile } from '../page/tool-file.ts';

const tools: ToolFile = {
  tools: {
    fine: tool('Adds one.', { n: 'integer' }, ({ n }) => n + 1),
  },
  problems: [
    {
      code: 'unknown-key',
      severity: 'error',
      line: 4,
      tool: 'half:torn',
      message: 'half:torn has an unknown key "descripton".',
      hint: 'Write "description".',
    },
    {
      code: 'no-label',
      severity: 'warning',
      line: 2,
      tool: 'half:fine',
      message: 'half:fine has no label.',
    },
  ],
};
export default tools;
