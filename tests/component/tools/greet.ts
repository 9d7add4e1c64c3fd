/** tests/support/hello.ts, without Python: a greeting for the given name. */

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
