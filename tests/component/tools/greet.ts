/** tests/support/hello.ts, without Python: it says hello to whom its text names. */

import { tool, type ToolFile } from '../page/tool-file.ts';

const tools: ToolFile = {
  tools: {
    hello: tool('Says hello.', {}, (_, { source }) => {
      const [, hello = ''] = /"hello": "(\w+)"/.exec(source) ?? [];
      return { hello };
    }),
  },
};
export default tools;
