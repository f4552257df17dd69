import type { ApiResponse } from "./runtime.js";
/** Every item of a list, page by page, each page when its first item is asked for. */
export declare function itemsOf<Item>(readPage: (cursor: string | undefined) => Promise<ApiResponse<Item[]>>): AsyncGenerator<Item, void, undefined>;
/**
 * The `cursor` in the link to the next page (RFC 8288 §3); undefined on the last page. Only the cursor is used: the next
 * request goes to the same address as this one, and so does the API key.
 * @throws GatehouseError when there is a link to the next page and no cursor in it: the list would end early.
 */
export declare function nextCursor(page: Response): string | undefined;
