/** The ways to share a tool or the whole folder, in the order of the dialog. */

import type { SharePanel } from '../../editor/folder-dialogs.svelte.ts';

interface PanelWords {
  readonly panel: SharePanel;
  readonly words: string;
  /** Related words by which the palette finds it. */
  readonly also: string;
}

const forBoth: readonly PanelWords[] = [
  { panel: 'link', words: 'Link', also: 'address url copy send' },
  { panel: 'embed', words: 'Embed code', also: 'playground iframe docs website html markdown' },
  { panel: 'badge', words: 'README badge', also: 'markdown github shield' },
  { panel: 'zip', words: 'Zip file', also: 'download export archive' },
  {
    panel: 'mcp',
    words: 'MCP server',
    also: 'claude desktop cursor code mcpb server.json npx export python',
  },
  {
    panel: 'definition',
    words: 'Definition for a model',
    also: 'openai anthropic gemini mcp schema copy as',
  },
];

const forTools: readonly PanelWords[] = [
  { panel: 'call', words: 'Code that calls it', also: 'python javascript fetch prompt copy as' },
  { panel: 'test', words: 'pytest test', also: 'python unit copy as' },
];

/** Returns the panels of the dialog. @param tool null for the whole folder */
export function sharePanels(tool: string | null): readonly PanelWords[] {
  return tool === null ? forBoth : [...forBoth, ...forTools];
}
