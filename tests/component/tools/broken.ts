/** A file whose import fails. */

import type { ToolFile } from '../page/tool-file.ts';

const tools: ToolFile = {
  tools: {},
  problems: [
    {
      ...{ code: 'syntax-error', line: 1, column: 12, message: 'SyntaxError: invalid syntax' },
      hint: 'Correct the line; the mistake may also be at the end of the line before it.',
    },
  ],
};
export default tools;
