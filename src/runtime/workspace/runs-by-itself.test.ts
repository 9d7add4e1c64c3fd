import { readFileSync } from 'node:fs';
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
    '.eslintrc.cjs': 'with a dot',
    '.eslintrc': 'with a dot',
    '.pylintrc': 'with a dot',
    '.ssh/authorized_keys': 'its program',
    '.some-new-agent/rules.md': 'with a dot',
    'bare/HEAD': 'Git',
    'some.git/config': 'Git',
    'bare/hooks/post-checkout': 'Git',
    'bare/hooks/update': 'Git',
    'bare/config': 'Git',
    CONFIG: 'Git',
    'bare/config.worktree': 'Git',
    'bare/commondir': 'Git',
    'bare/objects/info/alternates': 'Git',
    'Makefile.am': 'build',
    'build.gradle': 'build',
    'Dockerfile.dev': 'container',
    'compose.prod.yaml': 'container',
    'docker-bake.hcl': 'container',
    'requirements-dev.txt': 'install',
    'bun.lockb': 'install',
    'Package.resolved': 'install',
    'go.sum': 'install',
    'wrangler.toml': 'build service',
    'lib/json.so': 'Python',
    'docker-compose.override.yml': 'container',
    Tiltfile: 'its program',
    'dangerfile.ts': 'its program',
    'package-lock.json': 'install',
    'poetry.lock': 'install',
    'requirements.txt': 'install',
    'build.gradle.kts': 'build',
    'x.MSC': 'Windows',
    'rust-toolchain.toml': 'tool managers',
  };
  for (const [path, program] of Object.entries(found))
    expect(runsByItself(path), path).toContain(program);
});

test('ordinary files are not marked', () => {
  const plain = [
    'readme.md',
    'src/main.py',
    'src/make.py',
    'makefile.md',
    'src/hooks/readme.md',
    'app.json',
    'data/package.json.txt',
    '.editorconfig',
    '.gitignore',
    'data/.gitkeep',
    'file.txt',
    'profile.json',
    'header.html',
    'config.json',
    'git-notes.txt',
    'notes/agents.txt',
    'github/x.yml',
    'logfile',
    'data/zipfile',
    'src/hooks/use-thing.ts',
    'startup/readme.md',
    'gradle/notes.txt',
    'info.plist',
    'a.props',
    'session.lock',
    'exe',
    'config.js',
    'constructor',
    '__proto__',
    '',
  ];
  for (const path of plain) expect([path, runsByItself(path)]).toEqual([path, null]);
});

test('all names that the documentation promises to mark are marked', () => {
  const guide = readFileSync('docs/security.md', 'utf8');
  const [, promised = ''] = /\*\*Files that run by themselves\*\*([^\n]*)/.exec(guide) ?? [];
  const [before = ''] = promised.split('except lists');
  const names = [...before.matchAll(/`([^`]+)`/g)]
    .map(([, name = '']) => name.replace('…', 'x'))
    .filter((name) => name !== '.git');
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expect([name, runsByItself(name)]).not.toEqual([name, null]);
});
