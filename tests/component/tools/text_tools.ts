/** text_tools.py of tests/corpus, as far as tests need it. */

import { tool, type ToolFile } from '../page/tool-file.ts';

const tools: ToolFile = {
  tools: {
    slugify: tool('A text as a slug for addresses.', { text: 'string' }, ({ text }) => text, {
      parameters: {
        type: 'object',
        properties: {
          text: { type: 'string' },
          separator: { type: 'string' },
          max_length: { type: ['integer', 'null'] },
        },
        required: ['text'],
      },
    }),
    count_words: tool(
      'The words of a text and how often they stand in it.',
      { text: 'string' },
      ({ text }) => ({ total: text.split(' ').length }),
      {
        parameters: {
          type: 'object',
          properties: { text: { type: 'string' }, top: { type: 'integer', minimum: 1 } },
          required: ['text'],
        },
      },
    ),
  },
};
export default tools;
