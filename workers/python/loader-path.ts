/** Path of the loader's zip in the sandbox's file system. The build also writes it into the compiled modules. */
export const loaderPath = '/usr/lib/cloche/loader.zip';
