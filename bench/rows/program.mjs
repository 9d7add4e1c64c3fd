/**
 * Programs of a model. `program`: one that calls a tool 20 times, from its question to the next one, against the same calls
 * over the API. `program-bytes`: the bytes that the requests of a turn with twelve calls send, against one call per turn.
 */

import { writeFolder } from '../folders.mjs';
import { addModel, modelName, providerName, session, startModelEndpoint } from '../models.mjs';
import { medians } from '../measure.mjs';
import { openFolder, openOurs } from '../pages.mjs';
import { post } from './http-call.mjs';

const calls = 12;
const tools = 10;
const timedCalls = 20;
const rounds = 9;

const file = `
def records(count: int) -> list:
    """Returns the latest records of a city: a number and a text each."""
    return [{"number": n, "text": "x" * 80} for n in range(count)]

PARAMETERS = {
    "type": "object",
    "properties": {"count": {"type": "integer", "description": "How many records to return."}},
    "required": ["count"],
}
TOOL_SPECS = [
    {"name": f"city:records_{n}", "description": records.__doc__, "parameters": PARAMETERS, "handler": records}
    for n in range(${tools})
]
`;

const code = `
found = await asyncio.gather(*[city.records_0(count=30) for n in range(${calls})])
sum(len(each) for each in found)`;

const timedCode = `
total = 0
for n in range(${timedCalls}):
    total += len(await city.records_0(count=1))
f"{total} records"`;

/** @param {import('../row.mjs').Bench} bench */
export default async function program({ newPage, sites }) {
  const endpoint = await startModelEndpoint();
  try {
    const page = await newPage();
    await openOurs(page, sites.ours);
    await openFolder(page, await writeFolder(`${sites.temporary}/program`, [['city.py', file]]));
    await addModel(page, endpoint);
    const times = await timed(page, endpoint);
    endpoint.habits.otherwise = null;
    /** @param {import('../../tests/support/model-endpoint/script.ts').ScriptedAnswer[]} answers */
    const bytesOf = async (answers) => {
      endpoint.reset();
      endpoint.answer(...answers, { text: 'All is done.' });
      await session.send(page, 'How many records are there?');
      await page.getByText('All is done.').waitFor();
      await session.idle(page);
      return session.asked(endpoint).reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    };
    await session.newSession(page, providerName, new RegExp(modelName));
    const ours = await bytesOf([
      { calls: [{ name: 'run_python', arguments: JSON.stringify({ code }) }] },
    ]);
    await session.newSession(page, providerName, new RegExp(modelName));
    await session.choice(page, 'Local tools');
    await page.getByRole('switch', { name: 'Programs' }).uncheck();
    await page.keyboard.press('Escape');
    const one = { name: 'city__records_0', arguments: '{"count":30}' };
    const floor = await bytesOf(Array.from({ length: calls }, () => ({ calls: [one] })));
    const bytes = { ours, floor, spread: 0 };
    return [
      { name: 'program', unit: 'ms', ...times, target: 1.3 },
      { name: 'program-bytes', unit: 'bytes', ...bytes, target: 0.4 },
    ];
  } finally {
    await endpoint.close();
  }
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {import('../models.mjs').ModelEndpoint} endpoint
 */
async function timed(page, endpoint) {
  await session.newSession(page, providerName, new RegExp(modelName));
  endpoint.reset();
  /** @type {number[]} */
  const arrivals = [];
  const run = { name: 'run_python', arguments: JSON.stringify({ code: timedCode }) };
  endpoint.habits.otherwise = () => {
    arrivals.push(performance.now());
    return arrivals.length > rounds + 1 ? { text: 'All is done.' } : { calls: [run] };
  };
  await session.send(page, 'How many records are there?');
  await page.getByText('All is done.').waitFor();
  await session.idle(page);
  if (!session.asked(endpoint).at(-1)?.text.includes(`${timedCalls} records`))
    throw new Error('The program has failed.');
  const times = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? NaN));
  /** @type {number[]} */
  const floor = [];
  const body = '{"arguments":{"count":1}}';
  for (let round = 0; round <= rounds; round += 1)
    floor.push(
      timedCalls * (await post(page, 'api/tools/city:records_0/invoke', body, timedCalls)),
    );
  // The first run starts the interpreter of the programs.
  return medians(times.slice(1), floor.slice(1));
}
