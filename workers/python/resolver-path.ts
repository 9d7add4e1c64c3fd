/** Where the resolver's Python finds it, a zip. The build writes it into the compiled modules. */
export const resolverPath = '/usr/lib/cloche/resolver.zip';
