import { expect, test } from 'vitest';
import { attachmentWarning } from './images.ts';

test('the user is told what happens to attached images and documents', () => {
  const words = (images: boolean | null, documents: boolean, ...attached: ('image' | 'file')[]) =>
    attachmentWarning(
      { label: 'Large', images, ...(documents && { documents }) },
      [...attached, 'text' as const].map((type) => ({ type })),
    );
  expect([
    words(true, false),
    words(false, false),
    attachmentWarning(undefined, [{ type: 'image' }]),
    words(true, true, 'image', 'file'),
    words(true, false, 'image'),
    words(false, false, 'image'),
    words(false, false, 'file', 'image'),
    words(null, false, 'image'),
    words(true, false, 'file'),
    words(null, true, 'file'),
  ]).toEqual([
    '',
    '',
    '',
    '',
    '',
    'Large does not support images. Only the text is sent.',
    'Large does not support images or PDF documents. Only the text is sent.',
    'Large may not support images.',
    'Large may not support PDF documents.',
    '',
  ]);
});
