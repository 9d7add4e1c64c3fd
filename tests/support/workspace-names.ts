/** Names that a tool tries to write in a workspace. */

/** Each means `.git` or another program's folder, to some file system or to a reader. */
export const foreignNames = [
  '.git',
  'sub/.git',
  '.GIT/hooks/post-commit',
  '.Vscode/tasks.json',
  'Node_Modules/x/index.js',
  'git~1/config',
  'GIT~2',
  '.g\u200cit/config',
  '.gi\u00adt/config',
  '.git::$INDEX_ALLOCATION/config',
  '.git./config',
  '.git /config',
  '.g\u0456t/config',
  '\uff0egit/config',
  'CLAUDE~1.MD',
] as const;

/** Other programs run them without being asked. */
export const runningNames = [
  '.envrc',
  'src/Makefile',
  'package.json',
  '.github/workflows/x.yml',
  'bare/config',
  'bare/hooks/update',
  'bare/commondir',
];

export const plainNames = ['.gitignore', 'git-notes.txt', 'src/readme.md'];

export function filesOf(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, `by the tool: ${name}`]));
}
