import { afterAll, beforeEach, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../../tests/support/model-endpoint.ts';
import type { ModelHttpRequest, ModelNetwork } from './model-network.ts';
import { ModelError } from '../../../runtime/spec/model-error.ts';
import { asker, bareNetwork, kinds, partsOf } from './endpoint.fixture.ts';

const endpoint = await startModelEndpoint();
beforeEach(() => {
  endpoint.reset();
});
afterAll(() => endpoint.close());

type More = NonNullable<Parameters<typeof asker>[2]>;

async function thrownBy(more: More): Promise<ModelError> {
  const ask = await asker('openai-compatible', endpoint.url, more);
  const thrown: unknown = await partsOf(ask).catch((error: unknown) => error);
  if (!(thrown instanceof ModelError)) throw new Error(`no fault: ${String(thrown)}`);
  return thrown;
}

/** A network on which the page can read no response. */
function unreadable(more: Partial<ModelNetwork> = {}): Partial<ModelNetwork> {
  return { send: () => Promise.reject(new TypeError('Failed to fetch')), ...more };
}

test('a server that is silent, or does not allow this page, is reported with the setting to change', async () => {
  const hints: unknown[] = [];
  for (const port of ['11434', '1234', '8000', '9999']) {
    const { fault, message, hint } = await thrownBy({
      access: { baseUrl: `http://127.0.0.1:${port}/v1` },
      network: unreadable(),
    });
    expect([fault, message]).toEqual([
      'network',
      `The endpoint could not be reached: nothing answers at http://127.0.0.1:${port}, or it does not allow pages of https://cloche.example to read its answers.`,
    ]);
    const start =
      'Start the server there, and check the port. If the browser asks whether this page may access your local network, allow it. If you denied it before, change it in the site settings (Local network access). Safari does not allow it for pages loaded over https. If it is running, allow this page. ';
    expect(hint).toContain(start);
    hints.push(hint?.slice(start.length));
  }
  expect(hints).toEqual([
    'Start it with OLLAMA_ORIGINS=https://cloche.example ollama serve.',
    'In LM Studio, turn on “Enable CORS” in the server’s settings.',
    `Start vLLM with --allowed-origins '["https://cloche.example"]'.`,
    `Configure the server to send Access-Control-Allow-Origin: https://cloche.example. Ollama: OLLAMA_ORIGINS=https://cloche.example; LM Studio: “Enable CORS”; llama.cpp: --cors-origins https://cloche.example; vLLM: --allowed-origins '["https://cloche.example"]'.`,
  ]);
  const access = { baseUrl: 'https://api.example/v1' };
  const remote = await thrownBy({ access, network: unreadable() });
  expect(remote.hint).toMatch(/^Check the address and your network.*may not support browsers/);
});

test('a refused connection is recognised on the real network', async () => {
  const gone = await startModelEndpoint();
  await gone.close();
  const { fault, message } = await thrownBy({ access: { baseUrl: `${gone.url}/v1` } });
  expect([fault, message]).toEqual([
    'network',
    `The endpoint could not be reached: nothing answers at ${gone.url}, or it does not allow pages of https://cloche.example to read its answers.`,
  ]);
});

test('a redirect that only the diagnosis can see is reported as one', async () => {
  const asked: string[] = [];
  const { fault, message } = await thrownBy({
    network: {
      send: (_signal, { method, url }) => {
        asked.push(`${method} ${url}`);
        return Promise.reject(
          method === 'POST'
            ? new TypeError('Failed to fetch')
            : new ModelError('request', 'It redirects.'),
        );
      },
    },
  });
  expect([fault, message]).toEqual(['request', 'It redirects.']);
  expect(asked).toEqual([
    `POST ${endpoint.url}/v1/chat/completions`,
    `GET ${endpoint.url}/v1/models`,
  ]);
});

test('a connection that is closed early by a server that allows this page is worth another try', async () => {
  endpoint.answer('hang-up', 'hang-up');
  const { fault, message, isTemporary } = await thrownBy({});
  expect([fault, message, isTemporary]).toEqual([
    'network',
    'The endpoint closed the connection before it answered, or did not allow this page to read the error.',
    true,
  ]);
});

test('being offline, and a http address from an https page, are reported without a request', async () => {
  const offline = await thrownBy({
    access: { baseUrl: 'https://api.example/v1' },
    network: unreadable({ online: () => false }),
  });
  expect(offline.message).toBe('The endpoint could not be reached: this computer is offline.');
  for (const host of ['nas', 'models.example', '8.8.8.8']) {
    const mixed = await thrownBy({
      access: { baseUrl: `http://${host}:11434/v1` },
      network: unreadable(),
    });
    expect(mixed).toMatchObject({
      fault: 'network',
      message: `The endpoint is at http://${host}:11434, which this page cannot reach: it was loaded over https, and browsers block requests from such pages to http addresses like this one.`,
      hint: 'Use https with a certificate for the server, or serve Cloche on this computer and open it at http://localhost, which can reach http addresses.',
    });
  }
});

test('a local http address is tried from an https page, since browsers can allow it', async () => {
  for (const host of ['192.168.1.5', 'nas.local', '[fd00::1]']) {
    const access = { baseUrl: `http://${host}:11434/v1` };
    const silent = await thrownBy({ access, network: unreadable() });
    expect(silent.fault).toBe('network');
    expect(silent.message).toBe(
      `The endpoint could not be reached: nothing answers this page at http://${host}:11434, or it does not allow pages of https://cloche.example to read its answers. A page loaded over https can reach an http address on your network only in browsers based on Chromium, and only after you allow it.`,
    );
    expect(silent.hint).toMatch(
      /^Start the server there.* Start it with OLLAMA_ORIGINS=.* allow it.* open it at http:\/\/localhost/,
    );
  }
});

test('the delay before a retry is read from headers and from messages', async () => {
  const waits: unknown[] = [];
  for (const [headers, message] of [
    [{ 'retry-after': '7' }, 'Slow down.'],
    [{ 'retry-after-ms': '1500', 'retry-after': '2' }, 'Slow down.'],
    [{ 'retry-after': new Date(Date.now() - 1000).toUTCString() }, 'Slow down.'],
    [{}, 'Rate limit reached. Please try again in 1.242s. Visit us.'],
    [{}, 'Rate limit reached. Please try again in 20ms.'],
    [{}, 'Please try again in 6m0s.'],
    [{}, 'Retry after 1h2m3.5s, please.'],
    [{}, 'Try again in 2 minutes.'],
    [{}, 'Try again in a moment.'],
    [{}, 'Slow down.'],
  ] as const) {
    endpoint.answer({ status: 429, error: { message }, headers });
    waits.push((await thrownBy({})).retryAfterMs);
  }
  expect(waits).toEqual([7000, 1500, null, 1242, 20, 360_000, 3_723_500, 120_000, null, null]);
});

test('a server that names the end of its limit in each answer is asked again soon after other errors', async () => {
  const ask = async (status: number): Promise<number | null> => {
    const reset = String(Math.ceil(Date.now() / 1000) + 1200);
    // A page can read this header.
    const headers = { 'x-ratelimit-reset': reset, 'access-control-expose-headers': '*' };
    endpoint.answer({ status, error: { message: 'Sorry.' }, headers });
    return (await thrownBy({})).retryAfterMs;
  };
  expect([await ask(502), await ask(503)]).toEqual([null, null]);
  expect(await ask(429)).toBeGreaterThan(1_190_000);
});

test('a key that a provider repeats is removed from the message', async () => {
  endpoint.answer({
    status: 401,
    error: { message: 'Incorrect API key provided: sk-secret-1234, org header-secret.' },
  });
  const { message, hint } = await thrownBy({ access: { headers: [['x-org', 'header-secret']] } });
  expect(message).toBe(
    'The endpoint rejected the key (401): Incorrect API key provided: [secret], org [secret].',
  );
  expect(hint).not.toContain('secret-');
});

test('an unknown path is reported as a wrong address', async () => {
  const { fault, message, hint } = await thrownBy({
    access: { baseUrl: `${endpoint.url}/wrong` },
  });
  expect([fault, message, hint]).toEqual([
    'request',
    'The endpoint rejected the request as invalid (404): 404 page not found',
    `Check the base URL ${endpoint.url}/wrong: for most servers it ends in /v1.`,
  ]);
});

for (const kind of kinds)
  test(`${kind}: keys and headers are sent in the right places, without headers that a preflight refuses`, async () => {
    const sent: ModelHttpRequest[] = [];
    endpoint.habits.key = 'sk-secret-1234';
    endpoint.answer({ text: 'Hello.' }, { text: 'Hello.' });
    const network: Partial<ModelNetwork> = {
      send: (signal, request) => {
        sent.push(request);
        return bareNetwork.send(signal, request);
      },
    };
    const access = { headers: [['x-title', 'Cloche']] } as const;
    await partsOf(await asker(kind, endpoint.url, { access, network }));
    endpoint.habits.key = null;
    await partsOf(await asker(kind, endpoint.url, { access: { ...access, key: '' }, network }));
    const common = { 'content-type': 'application/json', 'x-title': 'Cloche' };
    const key = 'sk-secret-1234';
    const more = {
      anthropic: {
        'anthropic-version': '2023-06-01',
        'anthropic-dangerous-direct-browser-access': 'true',
      },
    } as Record<string, object>;
    const keyed = { anthropic: { 'x-api-key': key }, google: { 'x-goog-api-key': key } } as Record<
      string,
      object
    >;
    expect(sent.map(({ headers }) => Object.fromEntries(headers))).toEqual([
      { ...common, ...more[kind], ...(keyed[kind] ?? { authorization: `Bearer ${key}` }) },
      { ...common, ...more[kind] },
    ]);
  });
