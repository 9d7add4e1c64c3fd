import { expect, test } from 'vitest';
import { draftOf, filesOf, showAsText } from './offer-as-draft.ts';

const text = { type: 'text', text: 'Hello' } as const;
const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;

test('a resource becomes files that are named after it', async () => {
  const files = filesOf([text, { type: 'json', text: '{}' }, image], 'docs/notes');
  expect(files.map(({ name, type, size }) => [name, type, size])).toEqual([
    ['notes.txt', 'text/plain', 5],
    ['notes.json', '', 2],
    ['notes', 'image/png', 3],
  ]);
  expect(await files[0]?.text()).toBe('Hello');
  expect(filesOf([text], 'a.md')[0]?.name).toBe('a.md');
});

test('damaged data is reported, and not attached as an empty file', () => {
  const damaged = { ...image, data: 'AA*A' };
  expect(() => filesOf([damaged], 'docs/logo')).toThrow(
    'The server sent “logo” with damaged data.',
  );
});

test('the messages of a prompt become one text, which says what the assistant has said', () => {
  const messages = [
    { role: 'user', part: text },
    { role: 'assistant', part: { type: 'text', text: 'Hi' } },
    { role: 'user', part: image },
  ] as const;
  expect(draftOf(messages)).toEqual({ text: 'Hello\n\nAssistant: Hi', others: [image] });
  expect(showAsText([text, image])).toBe('Hello\n\n[image/png]');
});
