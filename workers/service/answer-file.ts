/** Answers for the app's files. */

import type { Site } from './answer-navigation.ts';

/**
 * A name with a hash in it means one content for ever, so that a page gets the files of its own build wherever they are
 * left; under other names the server's is newer than what is stored.
 */
export async function answerFile(request: Request, site: Site): Promise<Response> {
  const { url } = request;
  if (url.startsWith(`${site.address}assets/`))
    return (await site.stored.find(url)) ?? site.fetch(request);
  try {
    return await site.fetch(request);
  } catch (thrown) {
    const found = await site.stored.find(url);
    if (found === undefined) throw thrown;
    return found;
  }
}
