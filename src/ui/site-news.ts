/** What the page says about itself as a site: loaded behind the first paint, and before a newer version has other files. */

export { default as OfflineEntry } from './updates/OfflineEntry.svelte';
export { default as UpdateNotice } from './updates/UpdateNotice.svelte';
