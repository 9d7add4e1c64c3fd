/** Which folder may import which: the four wings, and the folders in each. `npm run check` enforces it. */

import { readFileSync } from 'node:fs';
import { appPackages } from './scripts/app-packages.mjs';

/** @type {unknown} */
const packageJson = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
/** @type {unknown} */
const lockFile = JSON.parse(readFileSync(new URL('package-lock.json', import.meta.url), 'utf8'));
const { appDependencies } = /** @type {{appDependencies: readonly string[]}} */ (packageJson);
const { packages } =
  /** @type {{packages: Record<string, import("./scripts/app-packages.mjs").LockEntry>}} */ (
    lockFile
  );
/** The packages of the app, and the types of them that have none. */
const appFolders = [...appPackages(packages, appDependencies)]
  .map((path) => path.slice('node_modules/'.length))
  .concat('@types');

// Four wings, and the folders in each. A folder may import the folders before it in its wing, and the wings before its own.
/** @type {Record<string, readonly string[]>} */
const wings = {
  runtime: [
    ...['spec', 'protocol', 'hooks', 'async', 'folder', 'scan', 'registry', 'call', 'grants'],
    ...['workspace', 'zip', 'packages', 'sandbox', 'storage', 'open-folder', 'connect'],
  ],
  agent: [
    ...[
      'session',
      'providers',
      'programs',
      'turn',
      'saved-tests',
      'runner',
      'evals',
      'extensions',
      'mcp',
      'storage',
    ],
  ],
  app: ['offline', 'api', 'connect', 'ui'],
  embed: ['element', 'client', 'bridge', 'playground'],
  cli: ['mcp'],
};
/**
 * Folders with limits of their own: what other pages load, and the UI, which gets the app from src/main.ts.
 * @type {Record<string, string>}
 */
const exceptions = {
  'app/connect': 'runtime/|agent/|app/(api|offline)/|app/[^/]+$',
  'app/ui': 'runtime/|agent/|app/(api|offline)/|app/app\\.ts$',
  'embed/client': 'runtime/(spec|protocol)/',
  'embed/bridge': 'runtime/(spec|protocol)/',
  'cli/mcp': 'runtime/(spec|protocol|async)/|cli/[^/]+$',
};

const wingNames = Object.keys(wings);
const folders = wingNames.flatMap((wing, order) => {
  const rooms = wings[wing] ?? [];
  return rooms.map((room, index) => {
    const before = [
      ...wingNames.slice(0, order).map((name) => `${name}/`),
      ...rooms.slice(0, index).map((name) => `${wing}/${name}/`),
    ];
    const allowed = exceptions[`${wing}/${room}`] ?? before.join('|');
    return {
      name: `folder-${wing}-${room}`,
      comment: `src/${wing}/${room} may import ${allowed}, and packages.`,
      severity: 'error',
      from: { path: `^src/${wing}/${room}/`, pathNot: '\\.(test|fixture)\\.ts$' },
      to: {
        path: '^(src|workers)/',
        pathNot: `^src/(${wing}/${room}/|virtual\\.d\\.ts$${allowed === '' ? '' : `|${allowed}`})`,
      },
    };
  });
});

/**
 * The doors of the two wings on which others build: the modules of each folder that other wings may import. The modules
 * directly in a wing compose it, and belong to its door too: docs/decisions/wings.md.
 * @type {Record<string, string>}
 */
const doors = {
  'agent/evals': 'eval-record eval-report evals figures read-evaluation version-words versions',
  'agent/extensions':
    'app attachments blocks built-ins contributions extensions load-extensions open-built-ins open-extensions owner pickers shortcut',
  'agent/mcp': 'known-tools server server-fault-text servers stored-server',
  'agent/programs': 'program-limits programs run-python-definition tool-functions',
  'agent/providers': 'base-url model-facts model-providers provider-types tool-conversions',
  'agent/runner':
    'plan-needs plan-problems plan-runs plans read-json-or-yaml read-plan recorded-run run-record run-report run-tasks run-timeline task-order work-time',
  'agent/saved-tests': 'expectations folder-tests judged-outcome saved-tests test-file',
  'agent/session':
    'compare-sessions fork-session open-sessions search-sessions session-head session-state usage',
  'agent/session/file': 'file-format session-file',
  'agent/session/log': 'draft',
  'agent/session/recording': 'playback-position recording-files',
  'agent/session/trace': 'otlp trace',
  'agent/storage': 'run-store server-store',
  'agent/turn':
    'built-in-tools hooks kept-selections live-session-types live-state page-session prompt tool-answer',
  'runtime/call':
    'call-log call-path intercepted-call interceptors log-search open-pages output-mask results stored-calls',
  'runtime/folder':
    'edit-draft handle-source known-folder known-folder-list known-folders path-rules permission samples-source served-source source subfolder tool-files',
  'runtime/grants':
    'allowed-sites call-grants folder-policy network-sender policies powers program-approvals provider-grant questions request-log request-parts request-refusal secret-parts',
  'runtime/open-folder':
    'current-folder fetched-folder folder-editing folder-interpreters folder-loader folder-sources last-folder opened-packages status',
  'runtime/packages': 'check-wheel declared download index-listing prepare wheel-content',
  'runtime/registry':
    'mcp-names provider-definitions provider-listing provider-names registry tool-extras',
  'runtime/sandbox':
    'argument-checker arguments-before-call assets call-limits interpreter interpreter-allocator interpreter-pool interpreter-slot interpreter-source snapshots',
  'runtime/scan': 'check-tool read-tests schema-faults settle-inspection',
  'runtime/scan/fixes': 'fix fix-for spec-change spec-source',
  'runtime/storage':
    'call-store copy-store db folder-stores package-store private-folders snapshot-store',
  'runtime/workspace':
    'changes checkpoints choice diff-worker folder-on-disk handle-disk pick-workspace runs-by-itself served-disk workspace workspaces',
  'runtime/zip': 'write-zip',
};
/** What all wings share: values and types without behaviour of their own, and the helpers for waiting and observing. */
const shared = 'runtime/(spec|protocol|async|hooks|connect)/';
const doorRules = ['runtime', 'agent'].map((wing) => {
  const modules = Object.entries(doors)
    .filter(([folder]) => folder.startsWith(`${wing}/`))
    .map(([folder, names]) => `${folder}/(${names.replaceAll(' ', '|')})\\.ts$`);
  return {
    name: `door-${wing}`,
    comment: `Other wings import from src/${wing} only the modules that "doors" lists. Add one if it is meant for them.`,
    severity: 'error',
    from: { path: '^src/', pathNot: `^src/(${wing}/|main\\.ts$)|\\.(test|fixture)\\.ts$` },
    to: {
      path: `^src/${wing}/`,
      pathNot: `^src/(${shared}|${wing}/[^/]+\\.ts$|${modules.join('|')})`,
    },
  };
});

// The UI by feature: each may import the primitives, the features named here, and the modules (not the components) of the
// shell, which has the shared state. The shell itself shows all of them.
/** @type {Record<string, string[]>} */
const features = {
  json: [],
  markdown: ['json'],
  home: [],
  sections: [],
  // What the user sees before something from outside starts.
  starts: ['json'],
  workspace: ['home'],
  // A question about a call has the form of its arguments.
  policy: ['json', 'home', 'tools/forms', 'sections', 'starts'],
  editor: ['home', 'workspace'],
  // The page of a tool shows its pass rates.
  tools: ['json', 'markdown', 'home', 'workspace', 'editor', 'policy', 'evals'],
  sessions: ['json', 'markdown', 'tools', 'policy', 'starts', 'evals'],
  settings: ['home', 'workspace', 'sections'],
  help: [],
  extensions: ['home', 'editor'],
  // What is known about an address before the user confirms it.
  servers: ['workspace', 'policy'],
  // Texts in YAML, edited as text or as a form.
  yaml: ['json'],
  plans: ['json', 'home', 'workspace', 'policy', 'starts', 'yaml'],
  // A new request starts with the same arguments as the form.
  api: ['json', 'tools/forms'],
  evals: ['home', 'editor', 'starts', 'workspace', 'yaml'],
  imports: ['editor'],
};

/**
 * The folders that only a worker runs: what they do would block the page.
 * @type {Record<string, string>}
 */
const inWorkers = {
  'agent/mcp/wire': 'mcp',
  'agent/providers/wire': 'models',
  'agent/runner/yaml': 'texts',
};
const workerRules = Object.entries(inWorkers).flatMap(([folder, worker]) => [
  {
    name: `worker-${worker}`,
    comment: `workers/${worker} runs src/${folder}, and shares types and protocols with the page.`,
    severity: 'error',
    from: { path: `^workers/${worker}/` },
    to: { path: '^src/', pathNot: `^src/(runtime/(spec|protocol)|${folder})/` },
  },
  {
    name: `only-in-worker-${worker}`,
    comment: `src/${folder} runs in workers/${worker}: it would block the page.`,
    severity: 'error',
    from: { path: '^src/', pathNot: `^src/${folder}/|\\.(test|fixture)\\.ts$` },
    to: { path: `^src/${folder}/` },
  },
]);

const ui = [
  {
    name: 'ui-parts',
    comment: 'src/app/ui/parts holds primitives: they know no feature and no shared state.',
    severity: 'error',
    from: { path: '^src/app/ui/parts/', pathNot: '\\.test\\.ts$' },
    to: { path: '^src/app/ui/', pathNot: '^src/app/ui/(parts|styles)/' },
  },
  ...Object.entries(features).map(([feature, allowed]) => ({
    name: `ui-${feature}`,
    comment: `src/app/ui/${feature} may import ${['parts', ...allowed].join(', ')} and the modules of the shell.`,
    severity: 'error',
    from: { path: `^src/app/ui/${feature}/`, pathNot: '\\.(test|fixture)\\.ts$' },
    to: {
      path: '^src/app/ui/',
      pathNot: `^src/app/ui/((${[feature, 'parts', 'styles', ...allowed].join('|')})/|shell/(?!workbench\\.ts|mount\\.ts)[^/]+\\.ts$)`,
    },
  })),
  {
    name: 'ui-in-features',
    comment: 'Every file of the UI belongs to a feature, to its primitives, or to the shell.',
    severity: 'error',
    from: {},
    to: { path: '^src/app/ui/[^/]+\\.(ts|svelte)$' },
  },
];

export default {
  forbidden: [
    ...folders,
    ...doorRules,
    ...ui,
    {
      name: 'element-alone',
      comment:
        'src/embed/element runs in other people’s pages: it imports only the protocol with its frame, the guards, and the modules that coalesce and defer work.',
      severity: 'error',
      from: { path: '^src/embed/element/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^(src|workers)/|node_modules',
        pathNot:
          '^src/(embed/element/|runtime/(protocol/embed|spec/guards|async/(coalesce|defer))\\.ts)',
      },
    },
    {
      name: 'playground-alone',
      comment:
        'src/embed/playground is the frame’s page, a composition like src/main.ts: nothing imports it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/embed/playground/' },
      to: { path: '^src/embed/playground/' },
    },
    {
      name: 'playground-without-app',
      comment:
        'src/embed/playground shows components of the interface on a runtime, so it must not import the app, the agent or the shared UI state.',
      severity: 'error',
      from: { path: '^src/embed/playground/' },
      to: {
        path: '^src/(agent/|app/([^/]+|api/.*|connect/.*|ui/shell/(context|ui|workbench|mount).*|ui/shell/.*\\.svelte)$)',
        reachable: true,
      },
    },
    {
      name: 'app-without-ui',
      comment: 'src/app composes everything but the UI; src/main.ts mounts that.',
      severity: 'error',
      from: { path: '^src/app/', pathNot: '^src/app/ui/' },
      to: { path: '^src/(app/ui|embed)/' },
    },
    {
      name: 'cli-alone',
      comment:
        'src/cli is a program for Node: it drives the page from outside, and shares types and protocols with it.',
      severity: 'error',
      from: { path: '^src/cli/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(src|workers)/', pathNot: '^src/(cli|runtime/(spec|protocol|async))/' },
    },
    {
      name: 'nothing-loose',
      comment:
        'src/main.ts starts the page; every other module lies in a folder that says what it is for.',
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+\\.ts$', pathNot: '^src/(main|virtual\\.d)\\.ts$' },
    },
    {
      name: 'nothing-loose-above',
      comment:
        'src/main.ts starts the page; every other module lies in a folder that says what it is for.',
      severity: 'error',
      from: { path: '^src/[^/]+\\.ts$', pathNot: '^src/(main|virtual\\.d)\\.ts$' },
      to: {},
    },
    {
      name: 'page-without-workers',
      comment: 'The page never imports worker code: it starts scripts that the build made.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^workers/' },
    },
    {
      name: 'workers-without-page',
      comment: 'A worker shares types and protocols with the page, nothing else.',
      severity: 'error',
      from: { path: '^workers/', pathNot: '^workers/(mcp|models|offline|service|texts)/' },
      to: { path: '^src/', pathNot: '^src/runtime/(spec|protocol)/' },
    },
    {
      name: 'offline-worker-stores-builds',
      comment:
        'The offline worker runs the store of builds, whose other methods are used on the page.',
      severity: 'error',
      from: { path: '^workers/offline/' },
      to: { path: '^src/', pathNot: '^src/(runtime/(spec|protocol)|app/offline)/' },
    },
    {
      name: 'service-worker-lists-tools',
      comment: 'The service worker answers with the stored listing in each provider’s format.',
      severity: 'error',
      from: { path: '^workers/service/' },
      to: {
        path: '^src/',
        pathNot: '^src/runtime/((spec|protocol)/|registry/provider-listing\\.ts$)',
      },
    },
    ...workerRules,
    {
      name: 'no-node-in-the-browser',
      comment: 'Only tests and scripts run in Node.',
      severity: 'error',
      from: { path: '^(src|workers)/', pathNot: '^src/cli/|\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-development-tools-in-the-app',
      comment:
        'What the app imports belongs to "appDependencies" in package.json, or comes with one of them.',
      severity: 'error',
      from: { path: '^(src|workers)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '(^|/)node_modules/',
        pathNot: `^node_modules/(${appFolders.join('|')})/`,
      },
    },
    {
      name: 'no-import-of-tests',
      comment: 'Tests are entry points; what two of them share has a file of its own.',
      severity: 'error',
      from: {},
      to: { path: '\\.test\\.ts$' },
    },
    {
      name: 'no-unresolvable',
      comment:
        'An import that cannot be resolved would pass every other rule. The build makes virtual:cloche/*.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^virtual:cloche/' },
    },
    {
      name: 'no-cycles',
      comment:
        'Two files that need each other are one idea, or three. A tree’s component shows itself for what is inside.',
      severity: 'error',
      from: {},
      to: {
        circular: true,
        pathNot: '^src/app/ui/(json/JsonTree|tools/forms/FormField|help/HelpTokens)\\.svelte$',
      },
    },
    {
      name: 'no-orphans',
      comment: 'Nothing imports it, and it is no entry point: delete it.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '\\.d\\.ts$',
          '\\.test\\.ts$',
          '^src/main\\.ts$',
          '^src/cli/main\\.ts$',
          '^workers/(files/fetcher|frame/(boot|broker)|mcp/client|models/asker|network/sender|python/(prelude|worker)|service/service)\\.ts$',
        ],
      },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(py|__pycache__)/' },
    tsConfig: { fileName: 'tsconfig.page.json' },
    // Types count too: a module that uses an adapter's type depends on the adapter.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.svelte', '.json', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['svelte', 'browser', 'import', 'types', 'default'],
    },
  },
};
