/** Starts public MCP servers, which `npm run conformance` installs, as their users start them. */

import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { conformanceFolder, newerNode } from '../../scripts/mcp-conformance-parts.mjs';
import { freePort } from '../../scripts/free-port.mjs';

export interface RunningServer {
  /** The address that a page connects to. */
  readonly url: string;
  end(): Promise<void>;
}

type Variables = Readonly<Record<string, string>>;

/**
 * A server that speaks over its standard input and output, behind `npx cloche bridge`.
 * @param page the address of the page that may use it
 * @param name of its package, without the scope
 */
export async function bridged(
  page: string,
  [name = '', ...args]: readonly string[],
  more: Variables = {},
): Promise<RunningServer> {
  const { CLOCHE_PROGRAM: program = '' } = process.env;
  const options = ['bridge', '--port', '0', '--allow-origin', new URL(page).origin, '--'];
  const command = [process.execPath, program, ...options, newerNode, programOf(name), ...args];
  return started(command, more, /http:\/\/127\.0\.0\.1:\d+\/\w+\/mcp/);
}

/** A server that speaks HTTP itself, and allows pages. */
export async function overHttp(name: string): Promise<RunningServer> {
  const port = await freePort();
  const server = await started([newerNode, programOf(name)], { PORT: `${port}` }, /http:\/\/\S+/);
  return { ...server, url: `http://127.0.0.1:${port}/mcp` };
}

function programOf(name: string): string {
  return join(conformanceFolder, `node_modules/@modelcontextprotocol/${name}/dist/index.js`);
}

/** @param address the pattern of the address that the program prints once it is ready */
async function started(
  [program = '', ...args]: readonly string[],
  more: Variables,
  address: RegExp,
): Promise<RunningServer> {
  const child = spawn(program, args, { env: { ...process.env, ...more } });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const [found] = address.exec(said) ?? [];
        if (found !== undefined) resolve(found);
      });
    child.once('error', reject);
    void ended.then(() => reject(new Error(`${program} has ended:\n${said}`)));
  });
  return {
    url,
    end: async () => {
      child.kill('SIGINT');
      // Servers that close their connections first wait for the page.
      const late = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await ended;
      clearTimeout(late);
    },
  };
}
