// Everything the page knows and does goes through the server's API.
import { t } from "./words.js";

export class ApiError extends Error {
  /** @param {number} status
   * @param {string} text */
  constructor(status, text) {
    super(text);
    this.status = status;
  }
}

/** @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>} */
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

/** @param {string} path */
export const get = (path) => call("GET", path);
/** @param {string} path
 * @param {unknown} [body] */
export const post = (path, body = {}) => call("POST", path, body);
/** @param {string} path
 * @param {unknown} body */
export const put = (path, body) => call("PUT", path, body);
/** @param {string} path
 * @param {unknown} body */
export const patch = (path, body) => call("PATCH", path, body);

/** The address of a file of the page, in the version of this one.
 * @param {string} path */
export const fileAt = (path) => new URL(`../../${path}`, import.meta.url).href;

/** A file of the page that is data.
 * @param {string} path */
export const file = (path) => fetch(fileAt(path)).then((reply) => reply.json());
