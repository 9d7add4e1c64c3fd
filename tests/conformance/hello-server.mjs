/** The least server on the official package, which the row `mcp-list` of the benchmarks is compared with. */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

await serveStdio(() => {
  const server = new McpServer({ name: 'hello', version: '1.0.0' });
  server.registerTool(
    'hello',
    { description: 'Says hello.', inputSchema: z.object({ to: z.string() }) },
    ({ to }) => ({ content: [{ type: 'text', text: `Hello ${to}` }] }),
  );
  return server;
});
