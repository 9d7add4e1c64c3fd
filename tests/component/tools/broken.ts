/** A file whose import fails. */

import type { ToolFile } from '../page/tool-file.ts';

const tools: ToolFile = {
  tools: {},
  problems: [
    {
      ...{ code: 'syntax', line: 1, column: 12, message: 'SyntaxError: invalid syntax' },
      hint: 'Correct the line.',
    },
  ],
};
export default tools;
