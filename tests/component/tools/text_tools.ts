/** text_tools.py of tests/corpus, as far as it is looked at. */

import { tool, type ToolFile } from '../page/tool-file.ts';

const tools: ToolFile = {
  tools: {
    slugify: tool('A text as a slug for addresses.', { text: 'string' }, ({ text }) => text),
    count_words: tool(
      'The words of a text and how often they stand in it.',
      { text: 'string', top: { type: 'integer', minimum: 1 } },
      ({ text }) => ({ total: text.split(' ').length }),
    ),
  },
};
export default tools;
