// Sends what a signed-in operator asks for with the session's token, and signs out.

export const csrfToken = document.querySelector('meta[name="csrf-token"]')?.content;

/** Asks the server and returns its JSON, or throws an Error with the server's reason. */
export async function ask(method, path, body) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (csrfToken) headers["X-CSRF-Token"] = csrfToken;
  const answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), credentials: "same-origin" });
  const text = await answer.text();
  let value = null;
  try { value = text ? JSON.parse(text) : null; } catch { /* the status alone speaks */ }
  if (!answer.ok) throw new Error(value?.error?.reason ?? `The server answered ${answer.status}.`);
  return value;
}

document.querySelector("[data-sign-out]")?.addEventListener("click", async () => {
  await ask("DELETE", "/api/session");
  location.assign("/sign-in");
});
