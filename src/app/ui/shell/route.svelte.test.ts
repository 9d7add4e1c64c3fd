import { expect, test } from 'vitest';
import { Route } from './route.svelte.ts';

function fakeBar(hash: string) {
  const bar = new EventTarget();
  const location = {
    hash,
    replace(address: string | URL) {
      location.hash = String(address);
    },
  };
  return Object.assign(bar, {
    location,
    visit(next: string) {
      location.hash = next;
      bar.dispatchEvent(new Event('hashchange'));
    },
  });
}

test('the route follows the address bar', () => {
  const bar = fakeBar('#/tools/a:b/source?line=4');
  const route = new Route(bar, () => false);
  expect(route.place).toEqual({ at: 'tool', name: 'a:b', line: 4 });
  bar.visit('#/files/x.py?panel=runs');
  expect([route.place, route.panel]).toEqual([{ at: 'file', path: 'x.py', line: null }, 'runs']);
});

test('links keep the drawer open if the bench stays visible', () => {
  const bar = fakeBar('#/?panel=problems');
  expect(new Route(bar, () => false).toTool('a:b')).toBe('#/tools/a:b?panel=problems');
  expect(new Route(bar, () => true).toTool('a:b')).toBe('#/tools/a:b');
  expect(new Route(bar, () => false).withPanel(null)).toBe('#/');
});

test('an address can replace the current one in the history', () => {
  const bar = fakeBar('#/sessions/new');
  new Route(bar, () => false).replace('#/sessions/6f1c');
  expect(bar.location.hash).toBe('#/sessions/6f1c');
});
