/** Who called, in words. */

import type { Caller } from '../../../spec/call.ts';

export const callers: Readonly<Record<Caller, string>> = {
  person: 'you',
  model: 'model',
  http: 'API',
  mcp: 'MCP',
  page: 'page',
  extension: 'extension',
  'sub-agent': 'sub-agent',
};
