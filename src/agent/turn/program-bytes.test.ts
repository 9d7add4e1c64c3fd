/** The bytes that requests send, with a program and with one call per turn. */

import { afterAll, expect, test } from 'vitest';
import { startModelEndpoint } from '../../../tests/support/model-endpoint.ts';
import type { JsonObject } from '../../runtime/spec/json.ts';
import type { HttpKind, ModelRequest } from '../../runtime/spec/model.ts';
import { asker, kinds, partsOf } from '../providers/wire/endpoint.fixture.ts';
import {
  asks,
  FakeAgent,
  registeredTool,
  says,
  send,
  success,
  type Said,
} from './agent.fixture.ts';

const endpoint = await startModelEndpoint();
afterAll(() => endpoint.close());

const parameters: JsonObject = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Name of the city, in English or in its own language.' },
    days: { type: 'integer', description: 'Number of days from today.', minimum: 1, maximum: 14 },
    units: { type: 'string', enum: ['metric', 'imperial'], default: 'metric' },
  },
  required: ['city'],
};
const description =
  'Returns the forecast of a city: for each day the lowest and the highest temperature, the chance of rain, and the wind. Fails if the city is not known.';
/** A result of 3 kB, as of a list of records. */
const long = JSON.stringify(Array.from({ length: 30 }, (_, n) => ({ n, text: 'x'.repeat(80) })));

/** The requests of a session with these tools and answers of its model. */
async function requestsOf(
  tools: number,
  programs: boolean,
  script: Said[],
): Promise<ModelRequest[]> {
  const agent = new FakeAgent();
  agent.programs = programs;
  agent.tools = Array.from({ length: tools }, (_, n) =>
    registeredTool(`weather:forecast_${n}`, { description, parameters }),
  );
  agent.onCall = () => Promise.resolve(success(long));
  agent.onProgram = () => Promise.resolve(success('{"Oslo": 3, "Bergen": 7}'));
  agent.script = [...script, says('Done.')];
  const talk = agent.begin();
  await send(talk, 'How is the weather in these twelve cities?');
  expect(agent.script).toEqual([]);
  return agent.requests;
}

/** The bytes of the bodies of requests, as a provider gets them. */
async function bytesTo(kind: HttpKind, requests: readonly ModelRequest[]): Promise<number> {
  endpoint.reset();
  endpoint.habits.otherwise = () => ({ text: 'Done.' });
  const ask = await asker(kind, endpoint.url);
  for (const request of requests) await partsOf(ask, request);
  expect(endpoint.requests).toHaveLength(requests.length);
  return endpoint.requests.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
}

/** An answer with one call, whose id is its own, as providers demand. */
function call(n: number, tools: number): Said {
  const wire = `weather__forecast_${n % tools}`;
  const parts = asks([wire, `{"city": "City ${n}"}`]);
  return parts.map((part) => (part.type === 'call' ? { ...part, id: `call-${n}` } : part));
}
const code = `
cities = ["City 0", "City 1", "City 2", "City 3", "City 4", "City 5"]
days = await asyncio.gather(*[weather.forecast_0(city=city) for city in cities],
                            *[weather.forecast_1(city=city) for city in cities])
{city: max(day["n"] for day in each) for city, each in zip(cities, days)}`;
const program = asks(['run_python', JSON.stringify({ code })]);

test.each([3, 20, 75])(
  'with %i tools, a program of twelve calls sends at most 40 %% of the bytes of one call per turn',
  async (tools) => {
    const twelve = Array.from({ length: 12 }, (_, n) => call(n, tools));
    const one = await requestsOf(tools, true, [program]);
    const many = await requestsOf(tools, false, twelve);
    const bytesOf = (all: readonly ModelRequest[]) => JSON.stringify(all).length;
    expect(bytesOf(one) / bytesOf(many)).toBeLessThan(0.4);
  },
);

// The smallest definition that providers accept, without a description, sends 3.5 % more bytes with three tools.
test.each([
  [3, 1.07],
  [20, 1.02],
])(
  'with %i tools, 1 or 2 calls without a program send at most %f of the bytes without programs, to each provider',
  async (tools, max) => {
    for (const count of [1, 2]) {
      const calls = Array.from({ length: count }, (_, n) => call(n, tools));
      const programs = await requestsOf(tools, true, calls);
      const none = await requestsOf(tools, false, calls);
      for (const kind of kinds) {
        const ratio = (await bytesTo(kind, programs)) / (await bytesTo(kind, none));
        // Control: the definition of programs is sent.
        expect(ratio, kind).toBeGreaterThan(1);
        expect(ratio, kind).toBeLessThan(max);
      }
    }
  },
);
