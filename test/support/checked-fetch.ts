import type { CustomFetch } from "openid-client";

/** fetch, for clients that bring their own requests: each answer is held against the published contract before they see it. */
export const checkedFetch: CustomFetch = async (url, init) => {
  const response = await fetch(url, init as RequestInit);
  const text = await response.text();
  expect({ status: response.status, headers: response.headers, text }).toMatchContract({
    method: init.method,
    url,
  });
  return new Response(text === "" ? null : text, response);
};
