import { unexpectedAnswer } from "./gatehouse-error.js";
/** Every item of a list, page by page, each page when its first item is asked for. */
export async function* itemsOf(readPage) {
    let cursor;
    let seen;
    let pages = 0;
    let nextNoted = 1;
    do {
        const page = await readPage(cursor);
        yield* await page.value();
        const next = nextCursor(page.raw);
        if (next !== undefined && next === seen)
            throw unexpectedAnswer(page.raw, "The pages go round in a circle.");
        // One of them is enough to find a circle of any length: noted again after 1, 2, 4, … pages.
        if (++pages === nextNoted)
            [seen, nextNoted] = [next, nextNoted * 2];
        cursor = next;
    } while (cursor !== undefined);
}
const PARAMETER = /;\s*([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?\s*/y;
const TARGET = /[\s,]*<([^>]*)>\s*/y;
/**
 * The `cursor` in the link to the next page (RFC 8288 §3); undefined on the last page. Only the cursor is used: the next
 * request goes to the same address as this one, and so does the API key.
 * @throws GatehouseError when there is a link to the next page and no cursor in it: the list would end early.
 */
export function nextCursor(page) {
    const text = page.headers.get("link") ?? "";
    let at = 0;
    const taken = (pattern) => {
        pattern.lastIndex = at;
        const match = pattern.exec(text);
        if (match !== null)
            at = pattern.lastIndex;
        return match;
    };
    for (let target = taken(TARGET); target !== null; target = taken(TARGET)) {
        let relations;
        for (let parameter = taken(PARAMETER); parameter !== null; parameter = taken(PARAMETER))
            // Of several `rel` the first counts (RFC 8288 §3.3).
            if (parameter[1]?.toLowerCase() === "rel")
                relations ??= parameter[2] ?? parameter[3];
        if (relations?.toLowerCase().split(/\s+/).includes("next"))
            return cursorOf(target[1] ?? "", page);
    }
    return undefined;
}
function cursorOf(target, page) {
    const cursor = URL.canParse(target, "http://any") ? new URL(target, "http://any").searchParams.get("cursor") : null;
    if (!cursor)
        throw unexpectedAnswer(page, "The link to the next page has no cursor.");
    return cursor;
}
