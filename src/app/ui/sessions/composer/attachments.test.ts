/** Files as attachments. */

import { expect, test, vi } from 'vitest';
import { attachFrom, filesIn, takeFile } from './attachments.ts';

const file = (name: string, content: BlobPart, type = ''): File =>
  new File([content], name, { type });

test('the text of a file is attached with its name', async () => {
  expect(await takeFile(file('notes.md', '# Grüße'))).toEqual({
    type: 'text',
    name: 'notes.md',
    text: '# Grüße',
  });
  expect(await takeFile(file('data', 'a,b', 'text/csv'))).toMatchObject({ name: 'data' });
});

test.each([
  [file('a.txt', new Uint8Array([0xff, 0xfe, 0x00])), 'not encoded in UTF-8'],
  [file('a.txt', 'a\0b'), 'not encoded in UTF-8'],
  [file('a.txt', ' \n'), 'it is empty'],
  [file('a.txt', 'x'.repeat(400_001)), 'too large to be attached'],
  [file('a.pdf', 'Hello'), 'it is not a PDF document'],
  [file('a.bin', 'x'), 'models read images, texts and PDF documents'],
])('%o is refused', async (refused, why) => {
  await expect(takeFile(refused)).rejects.toThrow(why);
});

test('of dropped files, archives and unknown ones are left to the page', () => {
  const files = [file('a.zip', 'x', 'application/zip'), file('a.py', 'x'), file('folder', '')];
  expect(filesIn({ files } as unknown as DataTransfer).map(({ name }) => name)).toEqual(['a.py']);
  expect(filesIn(null)).toEqual([]);
});

test('a drop without files that can be attached leaves the message field as it is', () => {
  const add = vi.fn(() => Promise.resolve());
  const drop = (...files: File[]): boolean => {
    const event = new Event('drop', { cancelable: true });
    attachFrom(event, { files } as unknown as DataTransfer, { add });
    return event.defaultPrevented;
  };
  expect([drop(), drop(file('a.zip', 'x', 'application/zip'))]).toEqual([false, false]);
  expect(add).not.toHaveBeenCalled();
  const text = file('a.txt', 'x');
  expect(drop(text)).toBe(true);
  expect(add).toHaveBeenCalledExactlyOnceWith([text]);
});
