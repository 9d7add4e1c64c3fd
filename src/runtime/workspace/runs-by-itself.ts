/** Recognises files of a workspace that other programs run or obey without being asked to. */

import { comparableName } from '../folder/file-names.ts';

type Rule = readonly [why: string, names: string];

/**
 * Rules by file name, without case; `*` at the beginning stands for any text. Names that begin with
 * a dot are marked anyway.
 */
const fileRules: readonly Rule[] = [
  ['direnv runs it when you enter the folder', '.envrc'],
  ['programs of the folder take their settings from it', '*.env'],
  ['tool managers act on it', 'mise.toml rust-toolchain rust-toolchain.toml'],
  [
    'your shell runs it when it starts',
    '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .cshrc .tcshrc .login .logout .inputrc config.fish profile.ps1 microsoft.powershell_profile.ps1',
  ],
  [
    'npm and other programs use it to choose what to install and run',
    'package.json .npmrc .yarnrc .yarnrc.yml .pnp.cjs package-lock.json npm-shrinkwrap.json pnpm-lock.yaml pnpm-workspace.yaml yarn.lock bun.lock deno.lock poetry.lock pipfile.lock pdm.lock uv.lock pixi.lock gemfile.lock composer.lock cargo.lock podfile.lock mix.lock flake.lock bunfig.toml deno.json deno.jsonc bower.json requirements.txt constraints.txt environment.yml pixi.toml poetry.toml uv.toml go.mod go.work',
  ],
  ['Python runs it at every start', '*.pth *._pth sitecustomize.py usercustomize.py pyvenv.cfg'],
  ['Python runs it in place of a module of the same name', '*.pyd *.so *.pyc'],
  [
    'test and build programs for Python run it or act on it',
    'conftest.py pytest.ini pytest.toml tox.ini tox.toml noxfile.py setup.py setup.cfg pyproject.toml hatch.toml pip.conf pylintrc pylintrc.toml mypy.ini dodo.py fabfile.py ipython_config.py jupyter_server_config.py jupyter_notebook_config.py jupyter_lab_config.py',
  ],
  [
    'build programs run it',
    'makefile gnumakefile justfile rakefile gemfile *.mk *.cmake configure cmakelists.txt cmakepresets.json cmakeuserpresets.json meson.build sconstruct sconscript wscript build.rs build.zig *.gradle *.gradle.kts gradle.properties gradlew gradlew.bat mvnw mvnw.cmd pom.xml build.xml *.sbt build.ninja build build.bazel *.bzl workspace.bazel workspace.bzlmod module.bazel workspace cargo.toml tasks.py mix.exs package.swift composer.json project.clj deps.edn setup.hs *.gemspec *.podspec *.csproj *.fsproj *.vbproj *.vcxproj *.sln *.slnx directory.build.props directory.build.targets directory.packages.props directory.build.rsp gradle-wrapper.properties libs.versions.toml nuget.config taskfile.yml taskfile.yaml',
  ],
  [
    'Git may take its folder for a repository, which can name programs to run',
    'head config config.worktree commondir gitdir alternates',
  ],
  [
    'Git acts on it',
    '.gitattributes .gitmodules .gitconfig .lfsconfig .pre-commit-config.yaml lefthook.yml lefthook.yaml',
  ],
  [
    'a build service runs it after it is pushed',
    '.gitlab-ci.yml .travis.yml jenkinsfile azure-pipelines.yml bitbucket-pipelines.yml appveyor.yml buildspec.yml cloudbuild.yaml action.yml action.yaml netlify.toml vercel.json serverless.yml',
  ],
  [
    'container programs and development environments run it',
    'dockerfile containerfile vagrantfile *.dockerfile docker-compose.yml docker-compose.yaml docker-compose.override.yml docker-compose.override.yaml compose.yml compose.yaml compose.override.yml compose.override.yaml *.nix devbox.json',
  ],
  [
    'Git runs it as a hook',
    'pre-commit prepare-commit-msg commit-msg post-commit pre-merge-commit pre-push pre-rebase post-checkout post-merge post-rewrite applypatch-msg pre-applypatch post-applypatch post-index-change fsmonitor-watchman reference-transaction pre-receive post-receive post-update pre-auto-gc',
  ],
  [
    'coding agents follow it as instructions',
    'claude.md claude.local.md agents.md agents.override.md agent.md gemini.md qwen.md warp.md conventions.md skill.md copilot-instructions.md mcp.json .mcp.json',
  ],
  [
    'the desktop follows it when the folder is shown or the file is opened',
    '*.desktop autorun.inf desktop.ini folder.htt *.lnk *.url *.website *.scf *.library-ms *.search-ms *.searchconnector-ms *.settingcontent-ms *.appref-ms *.application *.theme *.command *.terminal *.workflow *.inetloc *.fileloc *.webloc *.mobileconfig',
  ],
  [
    'Windows may run it in place of a program of the same name',
    '*.exe *.com *.bat *.cmd *.scr *.pif *.cpl *.dll *.ps1 *.psm1 *.psd1 *.vbs *.vbe *.wsf *.wsh *.hta *.msi *.msc *.jse *.jar *.reg *.chm *.xll',
  ],
  ['editors act on it', '*.code-workspace *.sublime-project *.iml'],
  [
    'its program runs it at every start',
    'procfile tiltfile earthfile snakefile caddyfile modelfile brewfile pipfile podfile fastfile appfile matchfile dangerfile jakefile gruntfile gulpfile thorfile guardfile capfile berksfile puppetfile steepfile conanfile sakefile ansible.cfg web.config init.lua startup.m authorized_keys crontab *.tfvars nx.json turbo.json lerna.json angular.json babel.config.json',
  ],
];

/** Rules by folder name, for all files below it. */
const folderRules: readonly Rule[] = [
  ['GitHub runs it, or agents follow it, after it is pushed', '.github'],
  ['Git runs it as a hook', '.husky .githooks .hooks'],
  ['Git acts on it', '*.git'],
  ['development environments run it', '.devcontainer'],
  ['coding agents act on it', '.claude .cursor .gemini .codex .windsurf .agents .kiro .goose'],
  ['build programs act on it', 'buildsrc'],
  ['the system runs it when you log in', 'launchagents launchdaemons autostart'],
];

const files = byName(fileRules);
const folders = byName(folderRules);
/** Names with a variable part, such as `docker-compose.dev.yml`. */
const patterns: readonly (readonly [why: string, names: RegExp])[] = [
  [
    'build programs run it',
    /^((gnu|bsd)?makefile|justfile|rakefile|taskfile|build)\.(?!txt$|md$).+$/,
  ],
  [
    'container programs and development environments run it',
    /^((docker|container)file|docker-bake)\..+$|^(docker-)?compose\..+\.ya?ml$/,
  ],
  [
    'npm and other programs use it to choose what to install and run',
    /^(requirements|constraints|environment)[-_.].*(txt|in|ya?ml)$|\.(lockb|lockfile|resolved)$|^(pubspec|paket|devbox|chart|shard|rebar|conan|mojo)\.lock$|^(conda-lock|pylock)\b.*\.(ya?ml|toml)$|^packages\.lock\.json$|^go(\.work)?\.sum$/,
  ],
  [
    'a build service runs it after it is pushed',
    /^jenkinsfile\..+$|^(wrangler|fly|firebase|render|heroku)\.(toml|jsonc?|ya?ml)$/,
  ],
];
/** Files in a folder `hooks` that have no extension, which Git runs. */
const gitHook = /(^|\/)hooks\/[^./]+$/;
/** Settings of JavaScript tools, which are programs themselves. */
const script =
  /^(.+\.config(\.babel)?|karma\.conf|wdio.*\.conf)\.(c|m)?(js|ts)$|^(gulp|grunt|jake|danger|conan)file\..+$/;
/** Names with a dot at the beginning that only list or keep files. */
const harmless = /^\.([a-z]*ignore|[a-z]*keep|editorconfig)$/;

/**
 * Returns why a file can take effect without being opened or started by the user, as a sentence; null if it cannot. It
 * knows widely used programs, not all.
 */
export function runsByItself(path: string): string | null {
  const names = path.split('/').map(comparableName);
  const name = names.pop() ?? '';
  const above = names.map((folder) => ruleOf(folders, folder)).find((why) => why !== undefined);
  const why = above ?? ruleOf(files, name);
  if (why !== undefined) return why;
  const pattern = patterns.find(([, alike]) => alike.test(name));
  if (pattern !== undefined) return pattern[0];
  if (gitHook.test([...names, name].join('/'))) return 'Git runs it as a hook';
  if (script.test(name)) return 'its program runs it at every start';
  const isSetting = [...names, name].some((one) => one.startsWith('.')) && !harmless.test(name);
  return isSetting ? 'a program may act on it, since its name begins with a dot' : null;
}

function ruleOf(rules: ReadonlyMap<string, string>, name: string): string | undefined {
  // No ending has more than two dots.
  const endings = /(?:\.[^.]*)?(\.[^.]*)$/.exec(name) ?? [];
  const found = endings.map((ending) => rules.get(`*${ending}`));
  return rules.get(name) ?? found.find((why) => why !== undefined);
}

function byName(rules: readonly Rule[]): ReadonlyMap<string, string> {
  return new Map(rules.flatMap(([why, names]) => names.split(' ').map((name) => [name, why])));
}
