/** The bytes that requests send, with a program and with one call per turn. */

import { expect, test } from 'vitest';
import type { JsonObject } from '../../runtime/spec/json.ts';
import {
  asks,
  FakeAgent,
  registeredTool,
  says,
  send,
  success,
  type Said,
} from './agent.fixture.ts';

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

/** The bytes of all requests of a session with these tools and answers of its model. */
async function bytesOf(tools: number, programs: boolean, script: Said[]): Promise<number> {
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
  return agent.requests.reduce((sum, request) => sum + JSON.stringify(request).length, 0);
}

const call = (n: number): Said => asks([`weather__forecast_${n}`, `{"city": "City ${n}"}`]);
const code = `
cities = ["City 0", "City 1", "City 2", "City 3", "City 4", "City 5"]
days = await asyncio.gather(*[weather.forecast_0(city=city) for city in cities],
                            *[weather.forecast_1(city=city) for city in cities])
{city: max(day["n"] for day in each) for city, each in zip(cities, days)}`;
const program = asks(['run_python', JSON.stringify({ code })]);

test.each([3, 20, 75])(
  'with %i tools, a program of twelve calls sends at most 40 %% of the bytes of one call per turn',
  async (tools) => {
    const twelve = Array.from({ length: 12 }, (_, n) => call(n % tools));
    const one = await bytesOf(tools, true, [program]);
    expect(one / (await bytesOf(tools, false, twelve))).toBeLessThan(0.4);
  },
);

test.each([1, 2])(
  'with 75 tools, %i calls without a program send at most 2 %% more bytes than without programs',
  async (count) => {
    const calls = Array.from({ length: count }, (_, n) => call(n));
    const ratio = (await bytesOf(75, true, calls)) / (await bytesOf(75, false, calls));
    // Control: the definition of programs is sent.
    expect(ratio).toBeGreaterThan(1);
    expect(ratio).toBeLessThan(1.02);
  },
);
