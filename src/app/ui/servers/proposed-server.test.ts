import { expect, test } from 'vitest';
import { parseAddress } from '../shell/address.ts';
import { proposeServer, proposesServer } from './proposed-server.ts';

const origin = 'https://cloche.example';
const proposed = (address: string, framed = false) =>
  proposeServer(new URLSearchParams({ server: address }).toString(), { origin, framed });
const fault = (words: string) => ({ fault: expect.stringContaining(words) as string });

test('a link proposes the server of its address, as it would be stored', () => {
  const { place } = parseAddress('#/open?server=https%3A%2F%2Fmcp.example.com%2Fmcp%3Fa%3D1%23x');
  const query = place.at === 'open' ? place.query : '';
  expect(proposesServer(query)).toBe(true);
  expect(proposeServer(query, { origin, framed: false })).toEqual({
    url: 'https://mcp.example.com/mcp?a=1',
    origin: 'https://mcp.example.com',
  });
  expect(proposed('mcp.example.com')).toMatchObject({ url: 'https://mcp.example.com/' });
  expect(proposesServer('tool=server&arguments=server')).toBe(false);
});

test('a link proposes no server in a frame of another origin', () => {
  expect(proposed('https://mcp.example.com/mcp', true)).toEqual(fault('own window'));
  // Control: in its own window.
  expect(proposed('https://mcp.example.com/mcp')).toHaveProperty('url');
});

test('a link cannot propose a server on the computer or network of the user', () => {
  for (const address of [
    'http://127.0.0.1:3000/mcp',
    'localhost:3000',
    'http://[::1]/mcp',
    'http://2130706433/mcp',
    'http://192.168.0.1/mcp',
    'https://printer.local/mcp',
    'http://intranet/mcp',
  ])
    expect(proposed(address), address).toEqual(fault('on your computer or network'));
});

test('a link with another address than that of a server says why it cannot be used', () => {
  for (const address of ['', 'javascript:alert(1)', 'ftp://a.example', 'data:text/html,a'])
    expect(proposed(address), address).toEqual(fault('http or https'));
  expect(proposed('https://user:key@a.example')).toEqual(fault('user name or password'));
  expect(proposed(`${origin}/api/mcp`)).toEqual(fault('Cloche itself'));
  expect(proposed('https://a.example./mcp')).toEqual(fault('ends with a dot'));
  expect(proposed(`https://a.example/${'a'.repeat(9_000)}`)).toEqual(fault('more than 8000'));
});
