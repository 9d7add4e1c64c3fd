/** The least that a service worker can do: answer from itself. */

addEventListener('install', () => {
  void self.skipWaiting();
});
addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});
addEventListener('fetch', (event) => {
  if (event.request.url.endsWith('/echo')) event.respondWith(new Response('{}'));
});
