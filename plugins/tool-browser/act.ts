import type { Page } from "hermes-agent/browser";
import { ToolFailure, type Json, type JsonObject } from "hermes-agent/plugin";
import { keyEvent } from "./keys.ts";
import { noElement } from "./refs.ts";

/**
 * Clicks like a user. An element without a position on the page (an option of a closed list) gets the event directly.
 */
export async function click(page: Page, node: number, ref: string, timeoutMs: number): Promise<void> {
  const place = await placeOf(page, node, ref);
  if (place === undefined) {
    const gone = await page.callOn(node, CHOOSE).catch(missing(ref));
    if (gone === false) throw noElement(ref);
    return page.loaded(5_000);
  }
  const { x, y } = place;
  const mouse = (type: string, more: JsonObject = {}) => page.send("Input.dispatchMouseEvent", { type, x, y, ...more });
  const button = { button: "left", clickCount: 1 };
  await page.act(async () => {
    await mouse("mouseMoved");
    await mouse("mousePressed", { ...button, buttons: 1 });
    await mouse("mouseReleased", button);
  }, timeoutMs);
}

/** Puts a text in the place of what a field holds. */
export async function type(page: Page, node: number, ref: string, text: string, timeoutMs: number): Promise<void> {
  await page.send("DOM.scrollIntoViewIfNeeded", { backendNodeId: node }).catch(() => undefined); // An element without a position can still be filled in.
  const how = await page.callOn(node, TAKE, text).catch(missing(ref));
  if (how === "no") throw new ToolFailure("failed", `@${ref.replace(/^@/, "")} is not a text field.`);
  if (how === "no option")
    throw new ToolFailure("failed", `@${ref.replace(/^@/, "")} has no option ${JSON.stringify(text)}.`, {
      hint: "browser_snapshot with full: true lists the options.",
    });
  if (how === "set") return;
  if (text === "") await press(page, "Delete", timeoutMs);
  else await page.act(() => page.send("Input.insertText", { text }), timeoutMs);
}

export async function press(page: Page, key: string, timeoutMs: number): Promise<void> {
  const event = keyEvent(key);
  await page.act(async () => {
    await page.send("Input.dispatchKeyEvent", {
      type: event["text"] === undefined ? "rawKeyDown" : "keyDown",
      ...event,
    });
    await page.send("Input.dispatchKeyEvent", { type: "keyUp", ...event, text: "" });
  }, timeoutMs);
}

/** 500 px of whatever scrolls in the middle of the page. */
export async function scroll(page: Page, direction: "up" | "down"): Promise<void> {
  await page.evaluate(`(${SCROLL})(${direction === "up" ? -500 : 500})`);
}

/** @returns where it is now: where it was, when there is nothing to go back to. */
export async function back(page: Page, timeoutMs: number): Promise<string> {
  const { currentIndex, entries } = (await page.send("Page.getNavigationHistory")) as {
    readonly currentIndex: number;
    readonly entries: readonly { readonly id: number; readonly url: string }[];
  };
  const entry = entries.slice(0, currentIndex).findLast(({ url }) => /^https?:/.test(url));
  if (entry === undefined) return entries[currentIndex]?.url ?? "about:blank";
  await page.act(() => page.send("Page.navigateToHistoryEntry", { entryId: entry.id }), timeoutMs);
  await page.loaded(timeoutMs);
  return entry.url;
}

export async function placeOf(
  page: Page,
  node: number,
  ref: string,
): Promise<{ readonly x: number; readonly y: number; readonly left: number; readonly top: number } | undefined> {
  try {
    await page.send("DOM.scrollIntoViewIfNeeded", { backendNodeId: node });
    const { quads } = await page.send("DOM.getContentQuads", { backendNodeId: node });
    const quad = (quads as readonly (readonly number[])[]).find(
      ([x1, y1, , , x3, y3]) => Math.abs(x3! - x1!) >= 1 && Math.abs(y3! - y1!) >= 1,
    );
    if (quad === undefined) return undefined;
    const [x1, y1, , , x3, y3] = quad as readonly [number, number, number, number, number, number];
    return { x: (x1 + x3) / 2, y: (y1 + y3) / 2, left: Math.min(x1, x3), top: Math.min(y1, y3) };
  } catch (cause) {
    // A node that is hidden has no place; one that is gone is not there at all.
    if (cause instanceof ToolFailure && /No node|not found|does not belong/i.test(cause.message)) throw noElement(ref);
    if (cause instanceof ToolFailure && cause.code === "failed") return undefined;
    throw cause;
  }
}

function missing(ref: string): (cause: unknown) => Json {
  return (cause) => {
    if (cause instanceof ToolFailure && /No node|not found/i.test(cause.message)) throw noElement(ref);
    throw cause;
  };
}

const CHOOSE = `function () {
  if (!this.isConnected) return false;
  if (this.tagName !== "OPTION") { this.click(); return true; }
  const list = this.closest("select");
  this.selected = true;
  for (const name of ["input", "change"]) list?.dispatchEvent(new Event(name, { bubbles: true }));
  return true;
}`;

/** Makes the field ready for its text, or puts it there where nothing is typed: a list, a date, a colour. */
const TAKE = `function (text) {
  const changed = () => { for (const name of ["input", "change"]) this.dispatchEvent(new Event(name, { bubbles: true })); return "set"; };
  if (this.tagName === "SELECT") {
    const same = (one) => one.value === text || one.label.trim() === text.trim();
    const entry = [...this.options].find(same);
    if (!entry) return "no option";
    entry.selected = true;
    return changed();
  }
  if (this.tagName === "INPUT" && ["date", "time", "datetime-local", "month", "week", "color", "range"].includes(this.type)) {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(this, text);
    return changed();
  }
  if (this.tagName === "INPUT" && ["checkbox", "radio", "button", "submit", "reset", "image", "file", "hidden"].includes(this.type)) return "no";
  if (this.disabled || this.readOnly) return "no";
  this.focus();
  if (this.tagName === "INPUT" || this.tagName === "TEXTAREA") { this.select(); return "type"; }
  if (!this.isContentEditable) return "no";
  getSelection().selectAllChildren(this);
  return "type";
}`;

const SCROLL = `(by) => {
  for (let one = document.elementFromPoint(innerWidth / 2, innerHeight / 2); one; one = one.parentElement) {
    const before = one.scrollTop;
    if (one.scrollHeight > one.clientHeight && /auto|scroll|overlay/.test(getComputedStyle(one).overflowY) && (one.scrollBy({ top: by, behavior: "instant" }), one.scrollTop !== before)) return;
  }
  scrollBy({ top: by, behavior: "instant" });
}`;
