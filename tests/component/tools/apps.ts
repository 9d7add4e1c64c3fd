/** Tools with an app: see tests/support/app-attacks.ts. */

import { tool, type ToolFile } from '../page/tool-file.ts';

const none = { connectDomains: [], resourceDomains: [] };

const tools: ToolFile = {
  tools: {
    show: tool('Shows.', { value: 'integer' }, ({ value }) => ({ doubled: value * 2 }), {
      app: { file: 'quiet.html', ...none },
    }),
    lost: tool('Has no file.', {}, () => 'Plain text', {
      app: { file: 'gone.html', ...none },
    }),
    wide: tool('Wants the network.', {}, () => 'Plain text', {
      app: { file: 'quiet.html', connectDomains: ['https://api.example'], resourceDomains: [] },
    }),
    endless: tool('Never ends.', {}, async (_, call) => call.sleep(600_000), {
      app: { file: 'quiet.html', ...none },
    }),
  },
};
export default tools;
