import { expect, test } from 'vitest';
import { runsByItself } from './runs-by-itself.ts';

test('files that take effect by being there are named with the program that runs them', () => {
  const found = {
    '.envrc': 'direnv',
    'deep/er/.ENVRC': 'direnv',
    'package.json': 'npm',
    '.npmrc': 'npm',
    'lib/x.pth': 'Python',
    'conftest.py': 'Python',
    'sitecustomize.py': 'Python',
    'setup.py': 'Python',
    'pyproject.toml': 'Python',
    'tox.ini': 'Python',
    'noxfile.py': 'Python',
    Makefile: 'build',
    'src/Makefile': 'build',
    'Make\u200cfile': 'build',
    justfile: 'build',
    Rakefile: 'build',
    '.pre-commit-config.yaml': 'Git',
    '.gitattributes': 'Git',
    '.gitmodules': 'Git',
    '.husky/pre-commit': 'Git',
    '.github/workflows/test.yml': 'GitHub',
    '.gitlab-ci.yml': 'build service',
    Dockerfile: 'container',
    '.devcontainer/devcontainer.json': 'environments',
    'CLAUDE.md': 'agents',
    'AGENTS.md': 'agents',
    '.cursor/rules/x.mdc': 'agents',
    'x.desktop': 'desktop',
    'Autorun.inf': 'desktop',
    'desktop.ini': 'desktop',
    '.bashrc': 'shell',
    'git.exe': 'Windows',
    'git.BAT ': 'Windows',
    'x.code-workspace': 'editors',
    'vite.config.ts': 'its program',
    '.eslintrc.cjs': 'its program',
  };
  for (const [path, program] of Object.entries(found))
    expect(runsByItself(path), path).toContain(program);
});

test('ordinary files are not marked', () => {
  const plain = [
    'readme.md',
    'src/main.py',
    'src/make.py',
    'data/package.json.txt',
    '.editorconfig',
    '.gitignore',
    'git-notes.txt',
    'notes/agents.txt',
    'github/x.yml',
    'exe',
    'config.js',
    'constructor',
    '__proto__',
    '',
  ];
  for (const path of plain) expect([path, runsByItself(path)]).toEqual([path, null]);
});
