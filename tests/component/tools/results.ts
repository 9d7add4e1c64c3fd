/** Tools for how results and progress are shown. Stands for no tool file: tests give it the source that they look at. */

import { ExactJson, Formatted, tool, type ToolFile } from '../page/tool-file.ts';

const returns = {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: {
      type: 'array',
      items: {
        type: 'object',
        properties: { low: { type: 'number' }, high: { type: 'number' } },
        required: ['low', 'high'],
      },
    },
  },
  required: ['city', 'days'],
};

/** A tenth of a second of silence. */
function silence(): Uint8Array {
  const samples = 800;
  const bytes = new Uint8Array(44 + samples).fill(128, 44);
  const view = new DataView(bytes.buffer);
  const write = (at: number, text: string): void => {
    for (let index = 0; index < text.length; index += 1)
      view.setUint8(at + index, text.charCodeAt(index));
  };
  write(0, 'RIFF');
  view.setUint32(4, 36 + samples, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, 8_000, true);
  view.setUint32(28, 8_000, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  write(36, 'data');
  view.setUint32(40, samples, true);
  return bytes;
}

const tools: ToolFile = {
  tools: {
    download: tool(
      'Tells its progress until it is stopped.',
      { until: 'integer' },
      async ({ until }, call) => {
        for (let step = 0; step <= until; step += 1) {
          call.update({ progress: step, total: 8, message: `Reading file ${step}` });
          await call.sleep(400);
        }
        await call.sleep(60_000);
      },
    ),
    watch: tool('Streams rows until it is stopped.', {}, async (_, call) => {
      for (let step = 1; step <= 3; step += 1) call.update({ epoch: step, loss: 1 / step });
      await call.sleep(60_000);
    }),
    metrics: tool('Streams wide rows until it is stopped.', {}, async (_, call) => {
      for (let step = 1; ; step += 1) {
        const members = Array.from({ length: 20 }, (_, at) => [`m${at}`, step + at] as const);
        call.update(Object.fromEntries(members));
        if (step >= 16) await call.sleep(100);
      }
    }),
    forecast: tool(
      'Its result may break its spec.',
      { fine: 'boolean' },
      ({ fine }) => {
        const days = Array.from({ length: 12 }, () => '{"low": 1.0, "high": 2.0}');
        if (!fine) days[11] = '{"low": "cold"}';
        return new ExactJson(`{"city": "Oslo", "days": [${days.join(', ')}]}`);
      },
      { returns },
    ),
    cities: tool('A long table.', { n: 'integer' }, ({ n }) => {
      const names = ['Berlin', 'Oslo', '=SUM(A1)', 'Rome'];
      const rows = Array.from(
        { length: n },
        (_, i) =>
          `{"n": ${i}, "name": "${names[i % 4]}", "size": ${((i * 7_919) % 1_000).toFixed(1)}}`,
      );
      return new ExactJson(`[${rows.join(', ')}]`);
    }),
    wide_table: tool('A table with long texts.', {}, () => [
      { city: 'Berlin', about: 'A long text about the city. '.repeat(10), more: 'x'.repeat(200) },
      { city: 'Copenhagen', about: 'Another text. '.repeat(20), more: 'y' },
    ]),
    orders: tool(
      'A table, from three arguments.',
      { customer: 'string', status: 'string', limit: 'integer' },
      ({ customer, status, limit }) =>
        Array.from({ length: limit }, (_, n) => ({ order: 1_000 + n, customer, status })),
    ),
    page: tool('HTML.', { html: 'string' }, ({ html }) => new Formatted('text/html', html)),
    notes: tool(
      'Markdown.',
      {},
      () =>
        new Formatted(
          'text/markdown',
          '# Notes\n\n- one\n- **two** <script>top.taken = 1</script>',
        ),
    ),
    plural: tool('A parameter that not all providers accept.', { größe: 'integer' }, () => 1, {
      examples: [{ größe: 2 }],
    }),
    sound: tool('Audio.', {}, silence),
    people: tool('Its keys are names.', { n: 'integer' }, ({ n }) => ({
      count: n,
      ages: { Ada: n, Alan: n + 1 },
    })),
  },
};
export default tools;
