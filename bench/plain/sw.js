/** A minimal service worker: it answers by itself. */

addEventListener('install', () => {
  void self.skipWaiting();
});
addEventListener('activate', (event) => {
  event.waitUntil(self.clients.claim());
});
addEventListener('fetch', (event) => {
  if (event.request.url.endsWith('/echo')) event.respondWith(new Response('{}'));
});
