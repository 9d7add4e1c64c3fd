/** The state that all components share: one object, created when the page is mounted. */

import { MediaQuery } from 'svelte/reactivity';
import type { App, Controls } from '../../app.ts';
import type { RegisteredTool } from '../../../runtime/spec/tool.ts';
import type { MessageLog } from '../debug/message-log.ts';
import { FolderDialogs } from '../editor/folder-dialogs.svelte.ts';
import { FolderOpener } from '../home/folder-opener.svelte.ts';
import { RecentFolders } from '../home/recent-folders.svelte.ts';
import { Announcer } from '../parts/announcer.svelte.ts';
import type { StartOffer } from '../starts/start-preview.ts';
import { ToolList } from '../tools/list/tool-list.svelte.ts';
import { Runs, type Run } from '../tools/runs/runs.svelte.ts';
import type { Place } from './address.ts';
import type { LateState } from './late-state.ts';
import type { ResultUi } from './result-ui.ts';
import { Commands } from './commands.svelte.ts';
import { Layout, Preferences, type Memory } from './preferences.svelte.ts';
import { Route, type AddressBar } from './route.svelte.ts';
import { StatusEntries } from './status-entries.svelte.ts';

export interface UiDeps {
  readonly app: App;
  /** Whether a page of another origin frames this one. */
  readonly framed: boolean;
  readonly controls: Controls;
  readonly bar: AddressBar;
  /** Null if the browser denies storage. */
  readonly memory: Memory | null;
  /** The log of the debug mode; null or absent if it is off. */
  readonly messages?: MessageLog | null;
}

export type Overlay = 'palette' | 'keys';

export class Ui implements ResultUi {
  readonly app: App;
  readonly framed: boolean;
  readonly controls: Controls;
  readonly route: Route;
  readonly layout: Layout;
  readonly preferences: Preferences;
  readonly recent: RecentFolders;
  readonly opener: FolderOpener;
  readonly tools: ToolList;
  /** Null if the browser denies storage. */
  readonly memory: Memory | null;
  /** The log of the debug mode; null if it is off. */
  readonly messages: MessageLog | null;
  readonly runs: Runs;
  readonly dialogs = new FolderDialogs();
  readonly announcer = new Announcer();
  readonly commands = new Commands();
  readonly statusEntries = new StatusEntries();
  readonly #narrow = new MediaQuery('(max-width: 44.99rem)');
  #late: LateState | null = null;
  overlay: Overlay | null = $state(null);
  /** The offer that waits for the user to start it. */
  offered: StartOffer | null = $state.raw(null);
  /** Name of the folder with the example that the start page runs. */
  #example: string | null = $state(null);

  constructor(deps: UiDeps) {
    const { app, framed, controls, bar, memory } = deps;
    const { folders } = controls;
    this.app = app;
    this.framed = framed;
    this.controls = controls;
    this.route = new Route(bar, () => this.narrow);
    this.layout = new Layout(memory);
    this.preferences = new Preferences(memory);
    this.recent = new RecentFolders(folders.known);
    this.opener = new FolderOpener(app, folders, this.recent);
    this.tools = new ToolList(
      app.registry,
      (tool) => this.#late?.savedTests.fails(tool) === true,
      () => app.folder.current,
    );
    this.memory = memory;
    this.messages = deps.messages ?? null;
    this.runs = new Runs({
      calls: app.calls,
      newId: () => crypto.randomUUID(),
      now: () => Date.now(),
    });
    this.#announce();
  }

  /** Whether only one area is shown at a time. */
  get narrow(): boolean {
    return this.#narrow.current;
  }

  show(overlay: Overlay | null): void {
    this.overlay = overlay;
  }

  /** Shows what something from outside would do, with a button that starts it; null shows nothing. */
  offer(offer: StartOffer | null): void {
    this.offered = offer;
  }

  /** Starts something from the open folder if the folder comes with Cloche. Otherwise first shows what it would do. */
  offerFromFolder(offer: Omit<StartOffer, 'from'>, path: string): void {
    const { current } = this.app.folder;
    if (current?.source.kind === 'samples') offer.start();
    else this.offer({ ...offer, from: `${path} in the folder ${current?.snapshot.name ?? ''}` });
  }

  /** Whether the folder of the last visit may still be reopened. */
  get returning(): boolean {
    return this.recent.isReopening && this.opener.status.phase === 'none';
  }

  get isPythonReady(): boolean {
    const { python } = this.opener.status;
    return python === 'ready' || python === 'busy';
  }

  get isLoadingTools(): boolean {
    return this.opener.isOpening || this.returning;
  }

  hasFile(path: string): boolean {
    return this.app.folder.source(path) !== undefined;
  }

  /** Whether the place of the address is not shown here, because a page of another origin could make the user press in it. */
  get needsOwnWindow(): boolean {
    return (
      this.framed &&
      /^(sessions?|settings|policy|workspace|extensions|servers|plans?|evals?|api)$/.test(
        this.route.place.at,
      )
    );
  }

  /** Whether the start page is shown: no folder is open, or only its example. */
  get welcoming(): boolean {
    const { phase } = this.opener.status;
    if (phase === 'none' || this.isTryingExample) return true;
    return phase === 'failed' && this.tools.all.length === 0;
  }

  /** Whether the start page runs its example, in a separate folder. */
  get isTryingExample(): boolean {
    return this.#example !== null && this.opener.status.folder === this.#example;
  }

  /** Opens a new folder with these files, while the start page stays. @throws {ToolError} */
  async tryExample(files: Readonly<Record<string, string>>): Promise<void> {
    const source = await (await this.controls.editing()).newFolder('example', files);
    this.#example = source.name;
    void this.app.folder.open(source);
  }

  /** Leaves the start page: the folder of its example is shown like any other. */
  leaveExample(): void {
    this.#example = null;
  }

  /** The state for parts of the page that load after the first paint. */
  get late(): LateState {
    if (this.#late === null) throw new Error('The workbench has not been loaded yet');
    return this.#late;
  }

  /** Hands over what was loaded after the first paint. */
  useLate(late: LateState): void {
    this.#late = late;
  }

  /** The tool whose page is open. */
  get toolHere(): RegisteredTool | undefined {
    const { place } = this.route;
    return place.at === 'tool' ? this.tools.tool(place.name) : undefined;
  }

  /** The running call to the tool whose page is open. */
  get runHere(): Run | undefined {
    const run = this.toolHere === undefined ? undefined : this.runs.latest(this.toolHere.name);
    return run?.phase === 'ended' ? undefined : run;
  }

  /** Creates a folder in this browser with these files, opens it, and goes to a place in it. @throws {ToolError} */
  async createFolder(
    name: string,
    files: Readonly<Record<string, string>>,
    place: Place,
  ): Promise<void> {
    const control = await this.controls.editing();
    void this.app.folder.open(await control.newFolder(name, files));
    this.route.go(this.route.to(place));
  }

  /** Announces events to screen readers. */
  #announce(): void {
    this.app.calls.observe((event) => {
      if (event.type === 'call-queued' && event.call.caller === 'user')
        this.announcer.say(`Running ${event.call.tool}`);
      if (event.type !== 'call-ended' || event.call.caller !== 'user') return;
      this.announcer.sayEnd(event.call.tool, event.result);
    });
    this.#announceOpening();
  }

  /**
   * Leaves a place whose folder was changed or closed: its tools, files and runs would look like failures, and an edited
   * evaluation would still be that of the other folder.
   */
  #leavePlace(): void {
    const { place } = this.route;
    const isOfFolder =
      /^(tool|file|call|compare)$/.test(place.at) ||
      (place.at === 'eval' && place.id.startsWith('evals/'));
    if (isOfFolder) this.route.go(this.route.to({ at: 'home' }));
  }

  #announceOpening(): void {
    let phase = this.app.status.get().phase;
    let folder = this.app.status.get().folderKey;
    this.app.status.observe((status) => {
      if (status.folderKey !== folder) {
        this.#late?.leaveFolder();
        this.runs.clear();
        if (folder !== '') this.#leavePlace();
      }
      folder = status.folderKey;
      if (status.phase === phase) return;
      phase = status.phase;
      const name = status.folder ?? '';
      if (phase === 'reading') this.announcer.say(`Reading ${name}`);
      if (phase === 'scanning') this.announcer.say(`Inspecting tool files in ${name}`);
      if (phase === 'ready') this.announcer.say(`${name} is open`);
      if (phase === 'failed') this.announcer.say(`Could not open the folder: ${status.message}`);
    });
  }
}
