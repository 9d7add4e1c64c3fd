import { expect, test } from 'vitest';
import { pictureWarning } from './images.ts';

test('the user is told what happens to an attached picture', () => {
  const words = [true, false, null].map((images) => pictureWarning({ label: 'Large', images }));
  expect([...words, pictureWarning(undefined)]).toEqual([
    '',
    'Large does not support images. Only the text is sent.',
    'Large may not support images.',
    '',
  ]);
});
