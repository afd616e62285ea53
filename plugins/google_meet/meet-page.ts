/** State of a call's page. */
export interface Seen {
  readonly state: "loading" | "name" | "asked" | "denied" | "in" | "ended";
  readonly captioning: boolean;
  /** Captions by row, with an id unique to the row and its document. */
  readonly captions: readonly { readonly row: string; readonly speaker: string; readonly text: string }[];
}

/**
 * An expression that reads a call's page and does the next step: enter a name, ask to join, turn captions on. It finds
 * controls by their labels, which change less often than CSS classes.
 */
export function lookAt(name: string): string {
  return `(${LOOK})(${JSON.stringify(name)})`;
}

/** Presses the leave button and waits until it disappears, which means that the page has informed its server. */
export const LEAVE = `new Promise((resolve) => {
  const button = () => document.querySelector('button[aria-label*="eave call" i]');
  button()?.click();
  const ask = (left) => (left === 0 || !button() ? resolve() : setTimeout(ask, 100, left - 1));
  ask(50);
})`;

const LOOK = `(name) => {
  const labelled = (words) => [...document.querySelectorAll("button, [role=button]")].find((one) => words.test(((one.getAttribute("aria-label") || "") + " " + one.textContent).trim()) && !one.disabled && one.getAttribute("aria-disabled") !== "true");
  const said = document.body ? document.body.innerText : "";
  const nothing = { captioning: false, captions: [] };
  const region = document.querySelector('[role="region"][aria-label*="aption" i]');
  if (labelled(/leave call/i)) {
    if (!region) labelled(/turn on captions/i)?.click();
    const rows = globalThis.hermesRows ??= { known: new WeakMap(), count: 0 };
    const captions = [];
    for (const row of region ? region.children : []) {
      const [speaker = "", ...lines] = row.innerText.split("\\n").map((line) => line.trim()).filter(Boolean);
      if (lines.length === 0) continue;
      if (!rows.known.has(row)) rows.known.set(row, performance.timeOrigin + " " + (rows.count += 1));
      captions.push({ row: rows.known.get(row), speaker: speaker.slice(0, 200), text: lines.join(" ").slice(0, 5000) });
    }
    return { state: "in", captioning: Boolean(region), captions };
  }
  if (/you left the (?:meeting|call)|(?:call|meeting) (?:has )?ended|you(?:'|’)?(?:ve| have) been removed|removed you/i.test(said)) return { state: "ended", ...nothing };
  if (/can(?:'|’)?t join this|denied your request|no one responded|not allowed to join|check your meeting code/i.test(said)) return { state: "denied", ...nothing };
  const field = document.querySelector('input[aria-label*="name" i]');
  if (field && field.value !== name) {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(field, name);
    field.dispatchEvent(new Event("input", { bubbles: true }));
    return { state: "name", ...nothing };
  }
  const join = labelled(/ask to join|join now/i);
  if (join) {
    join.click();
    return { state: "asked", ...nothing };
  }
  return { state: /asking to (?:join|be let in)|let you in|wait(?:ing)? (?:for|until)/i.test(said) ? "asked" : "loading", ...nothing };
}`;
