/** A file whose import fails. */

import type { ToolFile } from '../page/tool-file.ts';

const tools: ToolFile = {
  tools: {},
  problems: [
    {
      code: 'syntax-error',
      line: 1,
      column: 12,
      message: 'SyntaxError: invalid syntax',
      hint: 'Fix this line; the mistake may also be at the end of the previous line.',
    },
  ],
};
export default tools;
