/**
 * Everything that the first paint does not need, loaded after it as one chunk: each further file costs a round trip on
 * slow networks, and may be replaced by a newer version meanwhile.
 */

import '../styles/controls.css';

export { default as Dialogs } from './Dialogs.svelte';
export { default as Divider } from './Divider.svelte';
export { default as Drawer } from './Drawer.svelte';
export { default as ExampleFile } from '../home/ExampleFile.svelte';
export { default as FolderButtons } from '../home/FolderButtons.svelte';
export { offerImport, offerSpecs } from '../editor/dropped-files.ts';
export { hasFunctions } from '../editor/spec-offer.ts';
export { default as FolderMenu } from '../home/FolderMenu.svelte';
export { default as FrameNotice } from './FrameNotice.svelte';
export { default as KeyboardMap } from './palette/KeyboardMap.svelte';
export { default as LiveExample } from './LiveExample.svelte';
export { LateState } from './late-state.ts';
export { default as MessagesPanel } from '../debug/MessagesPanel.svelte';
export { default as Palette } from './palette/Palette.svelte';
export { default as ExtensionOverlays } from '../extensions/ExtensionOverlays.svelte';
export { default as MoreWays } from '../home/MoreWays.svelte';
export { default as NoticeLine } from './NoticeLine.svelte';
export { default as OpeningFailure } from '../home/OpeningFailure.svelte';
export { default as PagesMenu } from './PagesMenu.svelte';
export { pageCommands } from './page-commands.ts';
export { pageEntries } from './page-entries.ts';
export { default as PhoneBar } from './PhoneBar.svelte';
export { default as PlayedSession } from './PlayedSession.svelte';
export { default as Questions } from '../policy/Questions.svelte';
export { default as Place } from './Place.svelte';
export { default as Rail } from '../tools/list/ToolsRail.svelte';
export { default as Returning } from '../home/RecentFoldersPanel.svelte';
export { default as StartDialog } from '../starts/StartDialog.svelte';
export { default as UpdateNotice } from './UpdateNotice.svelte';
