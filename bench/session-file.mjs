/** Creates the exported file of a long session: questions, and answers as models write them. */

/** The title of the session in the file. */
export const title = 'A long session';

const began = Date.UTC(2026, 0, 5, 9);
/** Milliseconds from one question to the next. */
const apart = 60_000;

/** @typedef {import('../src/runtime/spec/session.ts').SessionFact} SessionFact */

/**
 * @param {number} messages of the user and the model together
 * @param {import('../src/runtime/spec/model.ts').ModelRef} model with its provider's name, not its id
 * @returns {string}
 */
export function sessionFile(messages, model) {
  /** @type {SessionFact[]} */
  const facts = [
    { type: 'created', folder: 'tools', folderId: '' },
    { type: 'model', model },
    { type: 'selected', tools: [tool], names: [[tool.name, wire]] },
    { type: 'titled', title, by: 'user' },
  ];
  const timed = facts.map((fact) => ({ at: began, ...fact }));
  for (let turn = 0; turn < messages / 2; turn += 1)
    for (const fact of turnFacts(turn, model)) timed.push({ at: began + turn * apart, ...fact });
  const events = timed.map((fact, n) => ({ n, ...fact }));
  return JSON.stringify({ format: 'cloche-session', version: 1, events });
}

const wire = 'weather_tools__get_weather_info';
const tool = {
  name: 'weather_tools:get_weather_info',
  description: 'The weather in a city.',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  deferred: false,
};

/**
 * A turn: a question and its answer. Every fourth answer follows a call, which is a separate message only for the model.
 * @param {number} turn
 * @param {import('../src/runtime/spec/model.ts').ModelRef} model
 * @returns {SessionFact[]}
 */
function turnFacts(turn, model) {
  const turnId = `turn-${turn}`;
  const question = `Question ${turn}: what is to be known about subject ${turn % 97}, and why?`;
  return [
    {
      type: 'message',
      id: `message-${turn}`,
      turnId,
      steering: false,
      parts: [{ type: 'text', text: question }],
    },
    { type: 'turn-began', turnId },
    ...stepFacts(turn, turnId, model),
    { type: 'turn-ended', turnId, end: 'done' },
  ];
}

/**
 * @param {number} turn
 * @param {string} turnId
 * @param {import('../src/runtime/spec/model.ts').ModelRef} model
 * @returns {SessionFact[]}
 */
function stepFacts(turn, turnId, model) {
  const stepId = `step-${turn}`;
  const callId = `call-${turn}`;
  const hasCall = turn % 4 === 3;
  const ended = { usage, cost: null, ms: 4_000 };
  /** @type {import('../src/runtime/spec/model.ts').AssistantPart} */
  const call = {
    type: 'call',
    id: callId,
    askedId: callId,
    wire,
    tool: tool.name,
    arguments: `{"city": "City ${turn}"}`,
  };
  const answer = { type: /** @type {const} */ ('text'), text: answerText(turn) };
  /** @type {SessionFact[]} */
  const called = [
    { type: 'step-began', turnId, stepId: `${stepId}-calls`, model },
    { type: 'step-ended', stepId: `${stepId}-calls`, parts: [call], finish: 'calls', ...ended },
    { type: 'call-began', callId, stepId: `${stepId}-calls` },
    { type: 'call-ended', callId, result: resultOf(turn) },
  ];
  return [
    ...(hasCall ? called : []),
    { type: 'step-began', turnId, stepId, model },
    { type: 'step-ended', stepId, parts: [answer], finish: 'stop', ...ended },
  ];
}

const usage = { input: 1_000, cached: 400, output: 200, reasoning: 0 };

/**
 * @param {number} turn
 * @returns {import('../src/runtime/spec/result.ts').ToolResult}
 */
function resultOf(turn) {
  const text = `{"city": "City ${turn}", "sky": "clear", "degrees": ${turn % 30}}`;
  return {
    resultType: 'success',
    textResultForLlm: text,
    content: [{ type: 'json', text }],
    isError: false,
    recoverable: true,
    metadata: '{}',
    updates: [],
    updatesDropped: 0,
    log: [],
    stdout: '',
    stderr: '',
    outputDropped: 0,
    durationMs: 3,
    interpreter: 'session',
    stateLost: false,
  };
}

/**
 * Markdown from two lines to two screens.
 * @param {number} turn
 */
export function answerText(turn) {
  const blocks = [sentences(turn), list(turn), code(turn), table(turn), sentences(turn + 1)];
  return [`Answer ${turn}.`, ...blocks.slice(0, 1 + (turn % 5))].join('\n\n');
}

/** @param {number} seed */
function sentences(seed) {
  const one = `The **subject ${seed}** has \`part_${seed % 7}\` in it, which [a page](https://example.org/${seed}) tells more of.`;
  return Array.from({ length: 2 + (seed % 4) }, () => one).join(' ');
}

/** @param {number} seed */
function list(seed) {
  return Array.from({ length: 6 }, (_, n) => `- point ${n} of ${seed}, with *stress* on it`).join(
    '\n',
  );
}

/** @param {number} seed */
function code(seed) {
  const lines = Array.from({ length: 12 }, (_, n) => `    total += weigh(values[${n}], ${seed})`);
  return [
    '```python',
    `def sum_${seed}(values: list[float]) -> float:`,
    '    total = 0.0',
    ...lines,
    '    return total',
    '```',
  ].join('\n');
}

/** @param {number} seed */
function table(seed) {
  const rows = Array.from({ length: 8 }, (_, n) => `| row ${n} | ${n * seed} | ${n + seed} |`);
  return ['| name | product | sum |', '|---|---:|---:|', ...rows].join('\n');
}
