import { expect, test } from 'vitest';
import { fakeTool } from '../../../runtime/scan/tool.fixture.ts';
import { writeProgram, type CallableTool } from './saved-program.ts';

function callable(name: string, over: Partial<CallableTool['tool']> = {}): CallableTool {
  const [module = '', own = ''] = name.split(':');
  const handler = { kind: 'function', name: `do_${own}`, file: `${module}.py`, line: 1 } as const;
  return {
    module,
    function: own,
    tool: { ...fakeTool(name), handler, ...over },
  };
}

test('the last line is returned, also over several lines, and strings keep their lines', () => {
  const code =
    'text = """a\nb"""\nfor n in range(3):\n    print(n)\nawait asyncio.gather(\n    x(),\n)';
  expect(writeProgram(code, 'mine:run', [])).toContain(`
    text = """a
b"""
    for n in range(3):
        print(n)
    return await asyncio.gather(
        x(),
    )
`);
  expect(writeProgram('f()\n# The end', 'mine:run', [])).toContain(
    '    return f()\n    # The end\n',
  );
  expect(writeProgram('x = 1', 'mine:run', [])).toContain('    x = 1\n');
});

test('tools that the program calls are imported; the file asks for approval if one of them does', () => {
  const tools = [
    callable('weather:get'),
    callable('mail:send', { requires_approval: true }),
    callable('other:get'),
  ];
  const text = writeProgram('await weather.get(city="Oslo")', 'mine:run', tools);
  expect(text).toContain('get=_tool("weather", "do_get"),');
  expect(text).not.toContain('mail');
  expect(text).toContain('"requires_approval": False');
  const asking = writeProgram('await mail . send()', 'mine:run', tools);
  expect(asking).toContain('"requires_approval": True');
});

test('a tool whose function cannot be called directly fails with its name', () => {
  const handler = { kind: 'function', name: '<lambda>', file: 'm.py', line: 1 } as const;
  for (const over of [{ takesContext: true }, { handler }])
    expect(writeProgram('await m.f()', 'mine:run', [callable('m:f', over)])).toContain(
      'f=_missing("m:f"),',
    );
});
