/** What opening a folder takes: loaded behind the first paint, as one chunk. */

export { readFolder } from './folder/read.ts';
export { scan, toolFiles } from './scan/scan.ts';
export { WatchedFolder } from './watched-folder.ts';
export { declaredPackages } from './packages/declared.ts';
export { inspectBeside } from './packages/beside-packages.ts';
export { preparePackages } from './packages/prepare.ts';
