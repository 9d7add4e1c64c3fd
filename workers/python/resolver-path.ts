/** Where the sandbox has the resolver of packages. */
export const resolverPath = '/lib/cloche_resolver.zip';
