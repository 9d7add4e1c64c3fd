import { expect, test } from 'vitest';
import { pictureWarning } from './images.ts';

test('who attaches a picture is told what becomes of it', () => {
  const words = [true, false, null].map((images) => pictureWarning({ label: 'Large', images }));
  expect([...words, pictureWarning(undefined)]).toEqual([
    '',
    'Large reads no pictures, as far as is known: it is sent the text alone.',
    'Nobody says whether Large reads pictures: it may refuse them.',
    '',
  ]);
});
