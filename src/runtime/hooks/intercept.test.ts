import { expect, test } from 'vitest';
import { createInterceptors } from './intercept.ts';

const echo = (call: string): Promise<string> => Promise.resolve(`<${call}>`);

test('a call without interceptors runs unchanged', async () => {
  expect(await createInterceptors<string, string>().run('a', echo)).toBe('<a>');
});

test('interceptors run from the highest priority, and equal ones in order of registration', async () => {
  const interceptors = createInterceptors<string, string>();
  for (const [priority, name] of [
    [1, 'low'],
    [5, 'high'],
    [1, 'low2'],
  ] as const) {
    interceptors.intercept(
      priority,
      async (call, next) => `${name}(${await next(`${call}.${name}`)})`,
    );
  }
  expect(await interceptors.run('a', echo)).toBe('high(low(low2(<a.high.low.low2>)))');
});

test('an interceptor that does not call next answers instead of the tool', async () => {
  const interceptors = createInterceptors<string, string>();
  let ran = false;
  interceptors.intercept(0, () => Promise.resolve('denied'));
  const result = await interceptors.run('a', () => {
    ran = true;
    return Promise.resolve('ran');
  });
  expect([result, ran]).toEqual(['denied', false]);
});

test('an interceptor that throws fails the call, and the tool does not run', async () => {
  const interceptors = createInterceptors<string, string>();
  let ran = false;
  interceptors.intercept(0, () => {
    throw new Error('broken guard');
  });
  const running = interceptors.run('a', () => {
    ran = true;
    return Promise.resolve('ran');
  });
  await expect(running).rejects.toThrow('broken guard');
  expect(ran).toBe(false);
});

test('calling next twice throws and runs the call once', async () => {
  const interceptors = createInterceptors<string, string>();
  let runs = 0;
  interceptors.intercept(0, async (call, next) => {
    await next(call);
    return next(call);
  });
  const running = interceptors.run('a', () => {
    runs += 1;
    return Promise.resolve('ran');
  });
  await expect(running).rejects.toThrow('next twice');
  expect(runs).toBe(1);
});

test('an interceptor that is removed still serves calls that have begun', async () => {
  const interceptors = createInterceptors<string, string>();
  interceptors.intercept(2, async (call, next) => {
    end();
    return next(call);
  });
  const end = interceptors.intercept(1, async (call, next) => `inner(${await next(call)})`);
  expect(await interceptors.run('a', echo)).toBe('inner(<a>)');
  expect(await interceptors.run('a', echo)).toBe('<a>');
});
