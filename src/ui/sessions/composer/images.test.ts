import { expect, test } from 'vitest';
import { pictureWarning } from './images.ts';

test('who attaches a picture is told what becomes of it', () => {
  const words = [true, false, null].map((images) => pictureWarning({ label: 'Large', images }));
  expect([...words, pictureWarning(undefined)]).toEqual([
    '',
    'Large does not support images. Only the text is sent.',
    'Large may not support images.',
    '',
  ]);
});
