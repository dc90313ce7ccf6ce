// The service worker, which lets the page open offline. The cache is named after the version, so that files
// of two versions are never mixed.

const VERSION = "@VERSION@";
const FILES = "@FILES@".split(" ");
/** A page with a server asks the server first; without a server, all files are in the cache. */
const HAS_SERVER = "@SERVER@" === "yes";
const NAME = `sanban-${VERSION}`;

self.addEventListener("install", (event) => {
	const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
	event.waitUntil(
		caches
			.open(NAME)
			.then((cache) => cache.addAll(fresh))
			.then(() => self.skipWaiting()),
	);
});

self.addEventListener("activate", (event) => {
	const old = (names) => names.filter((name) => name.startsWith("sanban-") && name !== NAME);
	event.waitUntil(
		caches
			.keys()
			.then((names) => Promise.all(old(names).map((name) => caches.delete(name))))
			.then(() => self.clients.claim()),
	);
});

async function answer(request) {
	const cache = await caches.open(NAME);
	const kept = () => cache.match(request.mode === "navigate" ? "index.html" : request, { ignoreSearch: true });
	if (!HAS_SERVER) return (await kept()) ?? fetch(request);
	try {
		return await fetch(request);
	} catch (error) {
		const found = await kept();
		if (found) return found;
		throw error;
	}
}

self.addEventListener("fetch", (event) => {
	const url = new URL(event.request.url);
	if (event.request.method !== "GET" || url.origin !== location.origin || url.pathname.endsWith("/socket")) return;
	event.respondWith(answer(event.request));
});
