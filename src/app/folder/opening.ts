/** The modules that opening a folder takes, loaded behind the first paint as one chunk. */

export { readFolder } from '../../folder/read.ts';
export { scan, toolFiles } from '../../scan/scan.ts';
export { WatchedFolder } from './watched-folder.ts';
export { getPackages } from './opened-packages.ts';
