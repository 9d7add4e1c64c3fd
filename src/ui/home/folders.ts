/** What shows known folders: loaded when there are any, as one chunk. */

export { default as FolderMenu } from './FolderMenu.svelte';
export { default as Returning } from './Returning.svelte';
