import { expect, test } from 'vitest';
import type { ToolConversion } from '../../../../runtime/protocol/models.ts';
import { conversionWords } from './conversion-words.ts';

const conversion: ToolConversion = {
  kind: 'google',
  refused: [],
  renamed: [],
  changes: [],
  describes: false,
  afterRefusal: [],
  definition: null,
};

test('a tool is accepted, altered or refused', () => {
  const change = { pointer: '/anyOf', is: 'left out' } as const;
  expect([
    conversionWords(conversion),
    conversionWords({ ...conversion, afterRefusal: [change] }),
    conversionWords({ ...conversion, changes: [change], describes: true }),
    conversionWords({ ...conversion, renamed: [['größe', 'gr_e_h1']], changes: [change] }),
    conversionWords({ ...conversion, refused: ['a b', 'a_b'] }),
  ]).toEqual([
    { state: 'accepted', words: 'Sent as it is', details: [] },
    {
      state: 'accepted',
      words: 'Sent as it is; some servers refuse it, and are sent less',
      details: ['If refused: /anyOf is left out'],
    },
    {
      state: 'altered',
      words: 'Sent in another form',
      details: ['/anyOf is left out', 'The description says what is left out at the top level'],
    },
    {
      state: 'altered',
      words: 'Sent in another form',
      details: ['Parameter größe is sent as gr_e_h1'],
    },
    {
      state: 'refused',
      words: 'Refused: some parameters have names that it cannot tell apart. Rename one of them',
      details: ['a b', 'a_b'],
    },
  ]);
});
