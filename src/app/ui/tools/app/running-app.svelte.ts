/** An app that is shown: its frame, what it asks the user, and what the page shows of it. */

import { appFrameAddress } from '../../../../runtime/protocol/app-frame.ts';
import type { ResourceContent } from '../../../../runtime/protocol/mcp.ts';
import { errorText } from '../../../../runtime/spec/error.ts';
import type { JsonObject, JsonText } from '../../../../runtime/spec/json.ts';
import type { ToolResult } from '../../../../runtime/spec/result.ts';
import type { RegisteredTool } from '../../../../runtime/spec/tool.ts';
import type { Ui } from '../../shell/ui.svelte.ts';
import { appArguments, appResult, callForApp } from './app-calls.ts';
import { appDocument, appPolicy, type AppOrigins } from './app-document.ts';
import { startApp, type AppFrame } from './app-frame.ts';
import { errorCodes, Refusal } from './app-messages.ts';
import { appSource, resourceResult } from './app-source.ts';
import { AppRelay, maxHeight, type AppHost, type AppRequest } from './app-relay.ts';

const startHeight = 320;

/** The look of the page, by the names that MCP Apps has for it. */
const looks: Readonly<Record<string, string>> = {
  '--color-background-primary': '--float',
  '--color-background-secondary': '--well',
  '--color-text-primary': '--ink',
  '--color-text-secondary': '--ink-soft',
  '--color-border-primary': '--line',
  '--color-ring-primary': '--accent',
  '--font-sans': '--sans',
  '--font-mono': '--mono',
};

export interface ShownCall {
  readonly tool: RegisteredTool;
  readonly args: JsonText;
}

export class RunningApp implements AppHost {
  readonly takesMessages: boolean;
  /** The app's request to the user; null if there is none. */
  asked: AppRequest | null = $state.raw(null);
  /** Text that the app offers for the next message to the model. */
  offered: string = $state('');
  height: number = $state(startHeight);
  /** Why it has ended; empty while it runs. */
  ended: string = $state('');
  isLarge: boolean = $state(false);
  origins: AppOrigins | null = $state.raw(null);
  /** The address of the outer frame; empty until the app has been read. */
  address: string = $state('');
  readonly #ui: Ui;
  readonly #tool: RegisteredTool;
  readonly #relay: AppRelay;
  readonly #isDark: () => boolean;
  readonly #stop = new AbortController();
  #frame: AppFrame | null = null;
  #answer: (yes: boolean) => void = () => undefined;
  #isStarted = false;
  #content = '';
  #hasResult = false;

  constructor(ui: Ui, { tool, args }: ShownCall, takesMessages: boolean, isDark: () => boolean) {
    this.#ui = ui;
    this.#tool = tool;
    this.takesMessages = takesMessages;
    this.#isDark = isDark;
    this.#relay = new AppRelay(this, () => performance.now());
    this.#relay.notify('ui/notifications/tool-input', { arguments: appArguments(args) });
  }

  /** Reads the app, and decides what it may reach. Never rejects. */
  async load(): Promise<void> {
    try {
      const source = await appSource(this.#tool, {
        file: (path) => this.#ui.app.folder.source(path),
        resource: (...asked) => this.#resource(...asked),
      });
      const { policies } = await this.#ui.controls.policy;
      await policies.loaded();
      if (this.#stop.signal.aborted) return;
      const policy = policies.current;
      const origins = appPolicy(
        source,
        ({ origin, local }) => policy.decide(origin) === 'allow' && (!local || policy.local),
        location.origin,
      );
      this.origins = origins;
      this.#content = appDocument(source.html, origins);
      this.address = appFrameAddress(origins.allowed);
    } catch (thrown) {
      if (!this.#stop.signal.aborted) this.end(errorText(thrown));
    }
  }

  /** Starts the app in a frame that has loaded its address. */
  start(outer: HTMLIFrameElement): void {
    if (this.#isStarted) {
      this.end('Cloche ended it because its frame was loaded again.');
      return;
    }
    this.#isStarted = true;
    try {
      this.#frame = startApp(outer, this.#content, `App of ${this.#tool.name}`, {
        count: () => this.#relay.count(),
        receive: (data) => this.#relay.receive(data),
        end: (why) => this.end(why),
      });
      this.#frame.setTheme(this.#theme);
    } catch (thrown) {
      this.end(errorText(thrown));
    }
  }

  /** Gives the app the result of its call, once. */
  give(result: ToolResult): void {
    if (this.#hasResult) return;
    this.#hasResult = true;
    if (result.error === 'cancelled')
      this.#relay.notify('ui/notifications/tool-cancelled', { reason: 'cancelled' });
    else this.#relay.notify('ui/notifications/tool-result', appResult(result));
  }

  /** Says that theme or size have changed. */
  contextChanged(): void {
    // Read in any case: an effect notices what it depends on.
    const context = this.context();
    if (this.#frame === null) return;
    this.#frame.setTheme(this.#theme);
    this.#relay.notify('ui/notifications/host-context-changed', context);
  }

  /** Lets the app finish before it is ended. */
  leave(): Promise<void> {
    return this.#relay.leave();
  }

  /** The user's answer to what the app asks. */
  answer(reply: 'yes' | 'no'): void {
    const { asked } = this;
    this.asked = null;
    const yes = reply === 'yes';
    if (yes && asked?.kind === 'link') open(asked.url, '_blank', 'noopener,noreferrer');
    this.#answer(yes);
  }

  send(message: JsonObject): void {
    this.#frame?.send(message);
  }

  context(): JsonObject {
    const look = getComputedStyle(document.documentElement);
    const { name, description, parameters } = this.#tool;
    return {
      theme: this.#theme,
      displayMode: this.isLarge ? 'fullscreen' : 'inline',
      availableDisplayModes: ['inline', 'fullscreen'],
      containerDimensions: { maxHeight: this.isLarge ? innerHeight : maxHeight },
      locale: navigator.language,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      userAgent: 'Cloche',
      platform: 'web',
      toolInfo: { tool: { name, description, inputSchema: parameters } },
      styles: {
        variables: Object.fromEntries(
          Object.entries(looks).map(([to, from]) => [to, look.getPropertyValue(from).trim()]),
        ),
      },
    };
  }

  callTool(signal: AbortSignal, name: string, args: JsonObject): Promise<JsonObject> {
    return callForApp(signal, this.#tool, { name, args }, this.#ui.app);
  }

  async readResource(_: AbortSignal, uri: string): Promise<JsonObject> {
    const { server } = this.#tool;
    if (server === undefined)
      throw new Refusal(errorCodes.noResource, `There is no resource ${uri}.`);
    return resourceResult(await this.#resource(server.id, uri));
  }

  ask(signal: AbortSignal, request: AppRequest): Promise<boolean> {
    return new Promise((resolve) => {
      this.asked = request;
      this.#answer = resolve;
      signal.addEventListener('abort', () => {
        if (this.asked === request) this.asked = null;
        resolve(false);
      });
    });
  }

  resize(height: number): void {
    this.height = height;
  }

  offer(text: string): void {
    this.offered = text;
  }

  end(why: string): void {
    if (this.ended === '') this.ended = why;
    this.dispose();
  }

  dispose(): void {
    this.asked = null;
    this.isLarge = false;
    this.#stop.abort();
    this.#relay.dispose();
    this.#frame?.dispose();
  }

  get #theme(): 'dark' | 'light' {
    return this.#isDark() ? 'dark' : 'light';
  }

  async #resource(server: string, uri: string): Promise<readonly ResourceContent[]> {
    const servers = await this.#ui.controls.servers();
    await servers.loaded;
    return servers.server(server).resource(uri);
  }
}
