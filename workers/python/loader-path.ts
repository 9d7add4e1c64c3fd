/** Path of the loader's zip in the sandbox's file system. The build also writes it into the compiled modules. */
export const loaderPath = '/usr/lib/cloche/loader.zip';

/** Folder of the time zones in the archive of the standard library. */
export const zonesFolder = 'zones';

/** Folder of the loader's late modules in the same archive: those that few folders need. */
export const lateLoaderFolder = 'loader';
