// Caches the page for offline use. Each version has a cache of its own, so files of two versions never mix; a new version is used once no
// page of the old one is open. The server is asked for each file: the browser's own cache may still have older ones.
"use strict";

// Written by web/build: a hash of all files, and those that the game needs.
const kVersion = "";
const kFiles = [];
const kCache = "spellpool-" + kVersion;

addEventListener("install", (event) => event.waitUntil(caches.open(kCache).then((cache) => cache.addAll(["./", ...kFiles].map((name) => new Request(name, {cache: "no-cache"}))))));

addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("spellpool-") && name !== kCache) await caches.delete(name);
  await clients.claim();
})()));

async function answer(request) {
  const kept = await (await caches.open(kCache)).match(request, {ignoreSearch: true});
  return kept || fetch(request);
}

addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && new URL(event.request.url).origin === location.origin) event.respondWith(answer(event.request));
});
