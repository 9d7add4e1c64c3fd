/** Where the sandbox's Python finds the loader, a zip. The build writes it into the compiled modules. */
export const loaderPath = '/usr/lib/cloche/loader.zip';
