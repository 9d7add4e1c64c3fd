/** workspace.py of tests/support, without Python. */

import { PythonError, tool, type ToolFile } from '../page/tool-file.ts';

const parameters = { type: 'object' };

const tools: ToolFile = {
  tools: {
    where: tool(
      'What the tool knows about its workspace.',
      {},
      (_, { files }) => ({
        path: files === null ? null : '/workspace',
      }),
      { parameters },
    ),
    edit: tool(
      'Writes texts by path; null removes a file.',
      { files: 'object' },
      ({ files: written }, { files }) => {
        for (const [path, text] of Object.entries(written))
          if (typeof text === 'string') files?.set(path, new TextEncoder().encode(text));
          else files?.delete(path);
        return 'done';
      },
      { parameters },
    ),
    contents: tool(
      'All files, by path.',
      {},
      (_, { files }) => {
        if (files === null)
          throw new PythonError(
            'TypeError',
            'expected str, bytes or os.PathLike object, not NoneType',
            'root = Path(context.workspace_path)',
          );
        return Object.fromEntries(
          Array.from(files, ([path, bytes]) => [path, new TextDecoder().decode(bytes)]),
        );
      },
      { parameters },
    ),
  },
};
export default tools;
