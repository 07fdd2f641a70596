// Everything the page knows and does goes through the server's API.
import { signal } from "./lib.js";
import { t } from "./words.js";

export const me = signal(null);
export const notice = signal(null); // {text, kind}: one line at the foot of the page
export const connection = signal("online"); // "online", "lost"

export class ApiError extends Error {
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

export async function call(method, path, body) {
  let reply;
  try {
    reply = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
    });
  } catch {
    throw new ApiError(0, t("error.offline"));
  }
  const type = reply.headers.get("content-type") || "";
  const data = type.includes("json") ? await reply.json() : await reply.text();
  if (!reply.ok) throw new ApiError(reply.status, data?.error || t("error.unknown"));
  return data;
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);
export const put = (path, body) => call("PUT", path, body);
export const patch = (path, body) => call("PATCH", path, body);

let timer;
export function say(text, kind = "info") {
  notice.value = { text, kind };
  clearTimeout(timer);
  timer = setTimeout(() => (notice.value = null), kind === "error" ? 7000 : 4000);
}

/** Do something, and tell people if it failed; nothing is returned then. */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    say(error.message, "error");
    return undefined;
  }
}

/** Whether this browser was ever someone: who never was need not be asked for. */
const known = {
  get: () => document.cookie.includes("known=1"),
  set: () => (document.cookie = "known=1; path=/; max-age=31536000; samesite=lax"),
};

export async function loadMe() {
  if (!known.get()) return;
  try {
    me.value = await get("/api/me");
  } catch {
    me.value = null;
  }
}

/** Somebody must be someone to sit at a table: a guest, if nobody yet. */
export async function beSomeone(name) {
  if (me.value === null) me.value = (await post("/api/me", { name: name || t("me.guest") })).me;
  known.set();
  return me.value;
}

const SILENCE = 40000; // milliseconds

/** Follow a table. `onTable` and `onChat` get each event; the answer ends it. */
export function follow(game, seat, onTable, onChat) {
  let source;
  let closed = false;
  let retry;
  let heard = performance.now();
  const query = seat === null || seat === undefined ? "" : `?seat=${seat}`;
  const open = () => {
    source?.close();
    heard = performance.now();
    source = new EventSource(`/api/games/${game}/stream${query}`);
    source.addEventListener("open", () => (connection.value = "online"));
    for (const kind of ["table", "chat", "beat"]) source.addEventListener(kind, () => (heard = performance.now()));
    source.addEventListener("table", (event) => {
      connection.value = "online";
      onTable(JSON.parse(event.data));
    });
    source.addEventListener("chat", (event) => onChat(JSON.parse(event.data)));
    source.addEventListener("error", () => {
      if (closed) return;
      connection.value = "lost";
      // A browser gives up when the answer was no stream, as from a proxy of a stopped server.
      if (source.readyState === EventSource.CLOSED) {
        clearTimeout(retry);
        retry = setTimeout(open, 1500);
      }
    });
  };
  // A browser that is off the net may take minutes to find out about its streams.
  const onOffline = () => {
    clearTimeout(retry);
    source.close();
    connection.value = "lost";
  };
  // After a sleep a stream can be dead without knowing: the server beats every 15 seconds.
  const watch = setInterval(() => {
    if (performance.now() - heard > SILENCE && navigator.onLine) open();
  }, 5000);
  addEventListener("offline", onOffline);
  addEventListener("online", open);
  open();
  return () => {
    closed = true;
    removeEventListener("offline", onOffline);
    removeEventListener("online", open);
    clearTimeout(retry);
    clearInterval(watch);
    source.close();
    connection.value = "online";
  };
}
