/** Path of the resolver's zip in the sandbox's file system. The build also writes it into the compiled modules. */
export const resolverPath = '/usr/lib/cloche/resolver.zip';
