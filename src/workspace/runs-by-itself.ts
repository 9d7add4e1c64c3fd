/** Which files of a workspace other programs run or obey without being asked to. */

import { comparableName } from '../folder/comparable-name.ts';

type Rule = readonly [why: string, names: string];

/** By file name, without case; `*` at the beginning stands for any text. */
const fileRules: readonly Rule[] = [
  ['direnv runs it when you enter the folder', '.envrc'],
  ['tool managers use it when you enter the folder', 'mise.toml .mise.toml .tool-versions'],
  [
    'your shell runs it when it starts',
    '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .inputrc config.fish profile.ps1 microsoft.powershell_profile.ps1 .xinitrc .xsession .xprofile',
  ],
  [
    'npm and its relatives use it to choose what to install and run',
    'package.json .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs pnpm-workspace.yaml .pnp.cjs .pnp.loader.mjs bunfig.toml deno.json deno.jsonc bower.json',
  ],
  ['Python runs it whenever it starts', '*.pth sitecustomize.py usercustomize.py'],
  [
    'test and build programs for Python run it or follow it',
    'conftest.py pytest.ini tox.ini noxfile.py setup.py setup.cfg pyproject.toml pip.conf .coveragerc dodo.py fabfile.py',
  ],
  [
    'build programs run it',
    'makefile gnumakefile *.mk justfile .justfile rakefile gemfile *.gemspec taskfile.yml taskfile.yaml gruntfile.js gulpfile.js cmakelists.txt cmakepresets.json meson.build sconstruct wscript build.rs build.zig build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.properties gradlew gradlew.bat mvnw mvnw.cmd pom.xml build.xml build.sbt build.ninja build.bazel workspace.bazel module.bazel workspace .bazelrc cargo.toml tasks.py mix.exs package.swift composer.json directory.build.props directory.build.targets *.csproj *.vcxproj nuget.config',
  ],
  [
    'Git follows it',
    '.gitattributes .gitmodules .gitconfig .lfsconfig .hgsub .pre-commit-config.yaml lefthook.yml lefthook.yaml .lintstagedrc',
  ],
  [
    'a build service runs it after it is pushed',
    '.gitlab-ci.yml jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml appveyor.yml .travis.yml .drone.yml .cirrus.yml .readthedocs.yaml netlify.toml vercel.json',
  ],
  [
    'container programs and development environments run it',
    'dockerfile *.dockerfile containerfile docker-compose.yml docker-compose.yaml compose.yml compose.yaml compose.override.yml vagrantfile procfile .devcontainer.json .gitpod.yml shell.nix default.nix flake.nix devbox.json',
  ],
  [
    'coding agents follow it as instructions',
    'claude.md claude.local.md agents.md agent.md gemini.md skill.md copilot-instructions.md .cursorrules .windsurfrules .clinerules .goosehints .mcp.json mcp.json .aider.conf.yml',
  ],
  [
    'the desktop follows it when the folder is shown or the file is opened',
    '*.desktop .directory autorun.inf desktop.ini folder.htt *.lnk *.url *.scf *.library-ms *.searchconnector-ms *.command *.inetloc *.webloc',
  ],
  [
    'Windows may run it in place of a program of the same name',
    '*.exe *.com *.bat *.cmd *.scr *.pif *.cpl *.dll *.ps1 *.vbs *.vbe *.wsf *.wsh *.hta *.msi *.jse',
  ],
  [
    'editors run it or follow it when they open the folder',
    '.vimrc .exrc .nvimrc .nvim.lua .lvimrc .dir-locals.el .emacs *.code-workspace *.sublime-project *.iml',
  ],
  [
    'its program runs it at every start',
    '.gdbinit .lldbinit .irbrc .pryrc .rspec .rprofile .psqlrc .sqliterc .pythonrc.py .pdbrc .ghci .ocamlinit ansible.cfg .htaccess .user.ini web.config .iex.exs .wgetrc .curlrc .netrc .ackrc .screenrc .tmux.conf',
  ],
];

/** By folder name, for all files below it. */
const folderRules: readonly Rule[] = [
  ['GitHub runs it, or agents follow it, after it is pushed', '.github'],
  [
    'a build service runs it after it is pushed',
    '.circleci .gitea .forgejo .woodpecker .buildkite',
  ],
  ['Git runs it as a hook', '.husky .githooks .hooks'],
  ['development environments run it', '.devcontainer'],
  [
    'coding agents follow it as instructions',
    '.claude .cursor .gemini .codex .continue .windsurf .clinerules .agents .roo .kiro .goose .opencode',
  ],
  ['editors run it or follow it when they open the folder', '.zed .fleet .vs .theia .settings'],
  ['build programs follow it', '.cargo .mvn .gradle .bundle .yarn .config'],
];

const files = byName(fileRules);
const folders = byName(folderRules);
/** Settings of JavaScript tools, which are programs themselves. */
const script = /^(\..+rc|.+\.config|karma\.conf)\.(c|m)?(js|ts)$/;

/**
 * Returns why a file can take effect without being opened or started by the user, as a sentence; null if it cannot. It
 * knows widely used programs, not all.
 */
export function runsByItself(path: string): string | null {
  const names = path.split('/').map(comparableName);
  const name = names.pop() ?? '';
  const above = names.map((folder) => folders.get(folder)).find((why) => why !== undefined);
  if (above !== undefined) return above;
  const dot = name.lastIndexOf('.');
  const why = files.get(name) ?? (dot < 0 ? undefined : files.get(`*${name.slice(dot)}`));
  return why ?? (script.test(name) ? 'its program runs it at every start' : null);
}

function byName(rules: readonly Rule[]): ReadonlyMap<string, string> {
  return new Map(rules.flatMap(([why, names]) => names.split(' ').map((name) => [name, why])));
}
