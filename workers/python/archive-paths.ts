/** Paths of the loader and the resolver in the sandbox's file system. The build writes them into the compiled modules too. */

export const loaderPath = '/usr/lib/cloche/loader.zip';
export const resolverPath = '/usr/lib/cloche/resolver.zip';

/** Folder of the time zones in the archive of the standard library. */
export const zonesFolder = 'zones';

/** Folder of the loader's late modules in the same archive: those that few folders need. */
export const lateLoaderFolder = 'loader';
