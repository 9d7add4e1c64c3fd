/** Tools whose results are tables and trees. Stands for no tool file: tests give it the source that they look at. */

import { ExactJson, tool, type ToolFile } from '../page/tool-file.ts';

const long = 'A description that goes on for longer than a phone is high. '.repeat(12);

const tools: ToolFile = {
  tools: {
    rows: tool(
      'Rows of a table.',
      { n: 'integer' },
      ({ n }) => {
        const rows = Array.from(
          { length: n },
          (_, i) => `{"name": "row ${i}", "size": ${i.toFixed(1)}}`,
        );
        return new ExactJson(`{"big": 12345678901234567890, "rows": [${rows.join(', ')}]}`);
      },
      {
        kind: 'function',
        parameters: {
          type: 'object',
          properties: {
            n: { type: 'integer', description: 'How many rows' },
            note: { type: 'string', enum: ['none', 'some'] },
            fine: { type: 'boolean' },
          },
          required: ['n'],
        },
        examples: [{ n: 2 }],
      },
    ),
    nested: tool('Nested values.', {}, () => {
      return new ExactJson('{"10": [1, 2.0, {"deep": null}], "2": "text"}');
    }),
    slow: tool('Takes a while.', {}, async (_, call) => {
      await call.sleep(400);
      return 'done';
    }),
    wide: tool(
      long,
      { a_name_that_is_longer_than_most_names_of_arguments_are: 'string' },
      () => ({ done: true }),
      {
        takesMore: true,
        examples: [{ a_name_that_is_longer_than_most_names_of_arguments_are: 'x'.repeat(300) }],
      },
    ),
  },
};
export default tools;
