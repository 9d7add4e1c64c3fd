/** Calls the functions of imported files with Python, against a server that says what it was sent. */

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect } from 'vitest';
import type { WrittenImport } from '../../src/runtime/protocol/imports.ts';
import { imported, readHostile } from '../../workers/imports/imports.fixture.ts';

interface Request {
  readonly line: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

interface Called {
  readonly said: string;
  readonly request: Request | undefined;
}

export interface EchoServer {
  readonly origin: string;
  /**
   * Calls functions of an imported file one after the other.
   * @param calls a function, and its arguments
   * @returns what each returned or raised, as Python shows it
   */
  called(
    document: object,
    calls: readonly (readonly [string, object])[],
    env?: Readonly<Record<string, string>>,
  ): Promise<readonly Called[]>;
  close(): void;
}

export async function startEchoServer(): Promise<EchoServer> {
  const requests: Request[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      requests.push({
        line: `${method} ${url}`,
        headers,
        body: Buffer.concat(pieces).toString('latin1'),
      });
      if (url.includes('missing')) response.writeHead(404, { 'content-type': 'text/plain' });
      else if (url.includes('text')) response.writeHead(200, { 'content-type': 'text/plain' });
      else response.writeHead(200, { 'content-type': 'application/json', 'x-count': '7' });
      response.end(/missing|text/.test(url) ? 'plain words' : '{"big": 12345678901234567891}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const origin = typeof address === 'object' ? `http://127.0.0.1:${address?.port ?? 0}` : '';
  return {
    origin,
    close: () => server.close(),
    async called(document, calls, env = {}) {
      const { written } = await imported(document, `${origin}/v1`);
      const program = `
import json, sys
given = json.load(sys.stdin)
module = {"__name__": "imported"}
exec(compile(given["text"], "imported.py", "exec"), module)
for name, arguments in given["calls"]:
    try:
        print(json.dumps(repr(module[name](**arguments))), flush=True)
    except Exception as error:
        print(json.dumps(f"{type(error).__name__}: {error}"), flush=True)
`;
      requests.length = 0;
      const python = spawn('python3', ['-c', program], { env: { ...process.env, ...env } });
      python.stdin.end(JSON.stringify({ text: written.text, calls }));
      const output: string[] = [];
      for (const stream of [python.stdout, python.stderr])
        stream.on('data', (piece: Buffer) => output.push(piece.toString()));
      await once(python, 'close');
      const said = output.join('').trim().split('\n');
      const sent = [...requests];
      return said.map((line) => {
        const text = line.startsWith('"') ? String(JSON.parse(line)) : line;
        return { said: text, request: text.startsWith('ValueError') ? undefined : sent.shift() };
      });
    },
  };
}

/** Runs files with Python. Returns the names and parameters of their tools. */
export function specsOf(
  texts: readonly string[],
): readonly (readonly [string, { properties: object }])[][] {
  const program = `
import json, sys
said = []
for text in json.load(sys.stdin):
    module = {"__name__": "imported"}
    exec(compile(text, "imported.py", "exec"), module)
    said.append([(spec["name"], spec["parameters"]) for spec in module["TOOL_SPECS"]])
print(json.dumps(said))
`;
  const output = execFileSync('python3', ['-c', program], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  });
  return JSON.parse(output) as (readonly [string, { properties: object }])[][];
}

/** Imports documents, and checks that each is refused with words or becomes specs that Python reads. */
export async function readAll(documents: readonly unknown[]): Promise<void> {
  const texts: string[] = [];
  for (const document of documents) {
    const got = await readHostile(document);
    const fault = 'fault' in got ? got : 'fault' in got.written ? got.written : null;
    if (fault === null) texts.push((got as { written: WrittenImport }).written.text);
    else {
      expect(fault.fault).not.toMatch(/cannot be imported|undefined|\[object|is not a function/);
      expect(fault.hint).not.toBe('');
    }
  }
  for (const [name, parameters] of specsOf(texts).flat()) {
    expect(name).toMatch(/^\w+:[\w./-]+$/);
    expect(parameters.properties).toBeTypeOf('object');
  }
}
