/** The page's state that the first paint does not need; made with the workbench. */

import { RecentChoices } from './palette/recent-choices.ts';
import { type EditedFiles, openFiles } from '../editor/edited-files.svelte.ts';
import { Drafts } from '../tools/forms/draft.svelte.ts';
import { KeptDrafts } from '../tools/forms/kept-drafts.ts';
import { DismissedRules } from '../tools/list/dismissed-rules.svelte.ts';
import { ShownPictures } from '../tools/pictures/shown-pictures.ts';
import { ReturnCheck } from '../tools/result/return-check.ts';
import { LazyPart } from '../parts/lazy-part.svelte.ts';
import { ExtensionsState, type ExtensionsUi } from '../extensions/extensions-state.svelte.ts';
import { PlansState } from '../plans/plans-state.svelte.ts';
import { ServersState } from '../servers/servers-state.svelte.ts';
import { EvalsState } from '../evals/evals-state.svelte.ts';
import { ProgramConsole } from '../tools/console/console.svelte.ts';
import { RunLog } from '../tools/runs/run-log.svelte.ts';
import type { Runs } from '../tools/runs/runs.svelte.ts';
import { SavedTestList } from '../tools/tests/saved-test-list.svelte.ts';
import type { ToolList } from '../tools/list/tool-list.svelte.ts';
import { findWrittenNames } from '../tools/list/written-names.ts';
import { RecentChanges } from '../tools/list/recent-changes.svelte.ts';
import { Notices } from '../parts/notices.svelte.ts';
import type { Announcer } from '../parts/announcer.svelte.ts';
import type { RecentFolders } from '../home/recent-folders.svelte.ts';
import type { FolderUpdate } from '../../../runtime/open-folder/current-folder.ts';
import type { Route } from './route.svelte.ts';
import type { App, Controls } from '../../app.ts';
import type { Memory } from './preferences.svelte.ts';

interface LateDeps extends ExtensionsUi {
  readonly app: App;
  readonly controls: Controls;
  /** Whether a page of another origin frames this one. */
  readonly framed: boolean;
  readonly recent: RecentFolders;
  readonly tools: Pick<ToolList, 'namesIn'>;
  readonly route: Route;
  readonly announcer: Announcer;
  readonly runs: Runs;
  /** Null if the browser denies storage. */
  readonly memory: Memory | null;
}

export class LateState {
  readonly files: EditedFiles;
  readonly log: RunLog;
  readonly drafts: Drafts;
  readonly changes: RecentChanges;
  readonly savedTests: SavedTestList;
  /** Whether the folder has no workspace. */
  readonly lacksWorkspace: () => Promise<boolean>;
  readonly dismissed: DismissedRules;
  readonly pictures = new ShownPictures();
  readonly notices: Notices;
  readonly returnCheck: ReturnCheck;
  readonly recentChoices: RecentChoices;
  readonly console: ProgramConsole;
  /** Loaded when the folder has an extension, or for the page of extensions. */
  readonly extensions: LazyPart<ExtensionsState>;
  /** Loaded for the pages of plans. */
  readonly plans: LazyPart<PlansState>;
  /** Loaded for the pages of evaluations. */
  readonly evals: LazyPart<EvalsState>;
  /** Loaded for the page of servers. */
  readonly servers: LazyPart<ServersState>;

  constructor(ui: LateDeps) {
    const { app, controls, recent, memory } = ui;
    const folder = (): string | null => recent.current;
    this.notices = new Notices(ui.announcer);
    this.files = openFiles({ app, editing: controls.editing });
    ui.tools.namesIn = (file) => findWrittenNames(file, app.folder.source(file) ?? '');
    this.log = new RunLog(app.log, folder);
    this.drafts = new Drafts(
      (tool) => this.log.earlierArguments(tool),
      new KeptDrafts(memory, folder),
    );
    this.changes = new RecentChanges(app.folder, (update) => announceUpdate(ui, update));
    this.savedTests = new SavedTestList(controls.tests);
    this.lacksWorkspace = async () => {
      // Read before the first wait, so that an effect runs again once the folder is known.
      const id = folder();
      return (await controls.workspaces).workspaces.lacks(id);
    };
    this.returnCheck = new ReturnCheck(() => app.argumentChecking());
    this.dismissed = new DismissedRules(memory, folder);
    this.recentChoices = new RecentChoices(memory);
    const { sessions } = controls;
    this.console = new ProgramConsole({ runs: ui.runs, sessions, memory });
    this.extensions = new LazyPart(
      async () => new ExtensionsState(ui, await controls.extensions()),
    );
    this.plans = new LazyPart(
      async () => new PlansState(await controls.plans(), controls.policy, memory),
    );
    this.servers = new LazyPart(async () => {
      const servers = await controls.servers();
      await servers.loaded.catch(() => undefined);
      return new ServersState(servers, this.notices);
    });
    this.evals = new LazyPart(async () => new EvalsState(await controls.evals()));
    const { registry } = app;
    const follow = (): void => {
      if (registry.extensions.length > 0 && !ui.framed) void this.extensions.start();
    };
    registry.observe(follow);
    follow();
  }

  /** Forgets the open folder's state, because another one may have tools of the same names. */
  leaveFolder(): void {
    this.drafts.clear();
    this.changes.clear();
    this.files.clear();
    this.console.clear();
  }
}

/** Announces only updates of the tool whose page is open, since the user usually edits one file. */
function announceUpdate(
  { app, route, announcer }: LateDeps,
  { loaded, kept, gone }: FolderUpdate,
): void {
  const { place } = route;
  if (place.at !== 'tool') return;
  const file = app.registry.get(place.name)?.source.file ?? '';
  if (gone.some(({ tool }) => tool === place.name)) announcer.say(`${place.name} was removed`);
  else if (kept.includes(file))
    announcer.say(`${file} has an error. The last good version of ${place.name} is in use`);
  else if (loaded.includes(file)) announcer.say(`${place.name} was updated`);
}
