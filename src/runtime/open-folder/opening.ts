/** Bundles the modules that opening a folder needs into one chunk, loaded after the first paint. */

export { readFolder } from '../folder/read-folder.ts';
export { scan } from '../scan/scan.ts';
export { toolFiles } from '../folder/tool-files.ts';
export { WatchedFolder } from './watched-folder.ts';
export { getPackages } from './opened-packages.ts';
