import { expect, test } from 'vitest';
import { ToolError } from '../../../../runtime/spec/error.ts';
import { Composer, Composers } from './composer.svelte.ts';
import { fitSize } from './images.ts';

const image = { type: 'image', mediaType: 'image/png', data: 'AA==' } as const;

test('sending sends pictures and text, and empties the composer', async () => {
  const composer = new Composer(() => Promise.resolve(image));
  composer.write('  Look at this\n');
  await composer.add([new Blob(['x'])]);
  const sent: unknown[] = [];
  composer.send((parts) => sent.push(...parts));
  expect(sent).toEqual([image, { type: 'text', text: 'Look at this' }]);
  expect([composer.empty, composer.text, composer.images]).toEqual([true, '', []]);
});

test('a draft that cannot be sent stays, with the error', () => {
  const composer = new Composer(() => Promise.resolve(image), 'A long story');
  composer.send(() => {
    throw new ToolError('limit', 'This message is too long.');
  });
  expect([composer.text, composer.fault?.message]).toEqual([
    'A long story',
    'This message is too long.',
  ]);
});

test('an unreadable picture is reported, and the others stay', async () => {
  const files = [new Blob(['good']), new Blob(['bad!'])];
  const composer = new Composer(async (file) => {
    if ((await file.text()) === 'bad!') throw new ToolError('bad-input', 'No picture.');
    return image;
  });
  await composer.add(files);
  expect([composer.images, composer.fault, composer.reading]).toEqual([
    [image],
    { message: 'No picture.', hint: '' },
    0,
  ]);
});

test('a message has a limited number of pictures', async () => {
  const composer = new Composer(() => Promise.resolve({ ...image }));
  await composer.add(Array.from({ length: 12 }, () => new Blob(['x'])));
  expect(composer.images).toHaveLength(10);
  expect(composer.fault?.message).toBe('A message can have at most 10 attachments.');
});

test('earlier messages are recalled one after another, and then the draft returns', () => {
  const composer = new Composer();
  const earlier = ['newest', 'oldest'];
  composer.write('half');
  const seen = [1, 1, 1, -1, -1, -1].map((by) => [
    composer.recall(earlier, by as 1 | -1),
    composer.text,
  ]);
  expect(seen).toEqual([
    [true, 'newest'],
    [true, 'oldest'],
    [false, 'oldest'],
    [true, 'newest'],
    [true, 'half'],
    [false, 'half'],
  ]);
});

test('each session has its own draft', () => {
  const composers = new Composers();
  composers.of('a').write('to a');
  expect([composers.of('a').text, composers.of('b').text]).toEqual(['to a', '']);
});

test('a picture keeps its proportions within the longest edge', () => {
  expect([fitSize(4096, 1024), fitSize(100, 50), fitSize(9_000_000, 1)]).toEqual([
    { width: 2048, height: 512 },
    { width: 100, height: 50 },
    { width: 2048, height: 1 },
  ]);
});

const said = (text: string) => [{ type: 'text', text }] as const;

test('queued messages return before the draft, and nothing is lost', () => {
  const composer = new Composer(undefined, '', [image]);
  composer.putBefore([{ ...image, data: 'BB==' }, ...said('Look at this')]);
  expect([composer.text, composer.images.map((one) => ('data' in one ? one.data : ''))]).toEqual([
    'Look at this',
    ['BB==', 'AA=='],
  ]);
  composer.putBefore(said('First'));
  expect(composer.text).toBe('First\n\nLook at this');
  const full = new Composer(
    undefined,
    '',
    Array.from({ length: 10 }, () => ({ ...image })),
  );
  full.putBefore([image, image]);
  expect(full.images).toHaveLength(12);
});

test('a message that returns during a recall goes before the original draft', () => {
  const composer = new Composer(undefined, 'Half a');
  composer.recall(['earlier'], 1);
  composer.putBefore(said('Taken back'));
  expect(composer.text).toBe('Taken back\n\nHalf a');
});

test('messages that return while another page writes appear when this page writes again', () => {
  const composers = new Composers();
  const first = composers.of('a', () => '');
  composers.putBefore('a', said('One'));
  expect([first.text, composers.isEmpty('a')]).toEqual(['One', false]);
  first.write('Written');
  composers.leave('a', [], '');
  composers.putBefore('a', [...said('Two'), image]);
  expect(composers.isEmpty('a')).toBe(true);
  const again = composers.of('a', () => 'Kept elsewhere');
  expect([again.text, again.images]).toEqual(['Two\n\nWritten\n\nKept elsewhere', [image]]);
  composers.putBefore('a', said('Three'));
  expect(again.text).toBe('Three\n\nTwo\n\nWritten\n\nKept elsewhere');
});

const attached = (id: number, content = 'x') => ({
  id,
  session: 's',
  name: String(id),
  extension: 'gate',
  file: 'gate.py',
  image: new Blob([content]),
});

test('images of extensions follow what is attached, and are named', async () => {
  const composer = new Composer(() => Promise.resolve({ ...image }));
  const gone: number[] = [];
  const attach = async (...all: ReturnType<typeof attached>[]): Promise<void> => {
    composer.attach(all, (id) => gone.push(id));
    await new Promise((resolve) => setTimeout(resolve));
  };
  await composer.add([new Blob(['mine'])]);
  const one = attached(1);
  const two = attached(2);
  await attach(one, two);
  await attach(one, two);
  expect(composer.images.map((added) => composer.originOf(added))).toEqual([
    '',
    'From the extension gate, gate.py',
    'From the extension gate, gate.py',
  ]);
  await attach(two);
  expect(composer.images).toHaveLength(2);
  const last = composer.images[1];
  if (last !== undefined) composer.remove(last);
  expect([composer.images.length, gone]).toEqual([1, [2]]);
  await attach(attached(3));
  composer.send(() => undefined);
  expect([composer.images, gone]).toEqual([[], [2, 3]]);
});

test('an image of an extension that cannot be used is dropped, without an error in the draft', async () => {
  const composer = new Composer(() => Promise.reject(new ToolError('bad-input', 'No picture.')));
  const gone: number[] = [];
  composer.attach([attached(1)], (id) => gone.push(id));
  await new Promise((resolve) => setTimeout(resolve));
  expect([composer.images, composer.fault, gone, composer.reading]).toEqual([[], null, [1], 0]);
});

test('an image that is detached while it is read does not appear', async () => {
  let read = (): void => undefined;
  const composer = new Composer(
    () =>
      new Promise((resolve) => {
        read = () => {
          resolve({ ...image });
        };
      }),
  );
  composer.attach([attached(1)], () => undefined);
  composer.attach([], () => undefined);
  read();
  await new Promise((resolve) => setTimeout(resolve));
  expect([composer.images, composer.reading]).toEqual([[], 0]);
});
