/** What is needed once a folder is open: loaded behind the first paint, as one chunk. */

export { default as CallPage } from './runs/CallPage.svelte';
export { default as Drawer } from './frame/Drawer.svelte';
export { default as FilePage } from './file/FilePage.svelte';
export { default as Overview } from './home/Overview.svelte';
export { default as Rail } from './tools/Rail.svelte';
export { default as ToolPage } from './tool/ToolPage.svelte';
