import { expect, test } from 'vitest';
import { definitionPermission, parseDefinitionPermission } from './tool.ts';

test('a permission for a tool of a server names the tool and its definition', () => {
  const permission = definitionPermission('db:echo', '0123456789abcdef0123456789abcdef');
  expect(permission).toBe('db:echo (0123456789abcdef)');
  expect(parseDefinitionPermission(permission)).toEqual({
    tool: 'db:echo',
    definition: '0123456789abcdef',
  });
});

test('a permission for a tool of a folder names only the tool', () => {
  for (const name of ['t:f', 'db:echo (new)', 'a b (0123456789abcdef)'])
    expect(parseDefinitionPermission(name)).toBeNull();
});
