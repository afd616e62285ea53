const WORDS = {
  en: { sessions: "sessions", turns: "turns", calls: "calls", tokens: "tokens", week: "{} in a week" },
  "zh-Hans": { sessions: "会话", turns: "轮次", calls: "调用", tokens: "token", week: "一周 {}" },
};
const SVG = "http://www.w3.org/2000/svg";
/** Of a half circle with the radius 48. */
const LENGTH = Math.PI * 48;

/** A half circle for each gauge: how much of the week's sum the last day was. */
export default async function page(place, hermes) {
  const words = WORDS[hermes.language] ?? WORDS.en;
  const all = document.createElement("div");
  all.className = "gauges";
  for (const { name, day, week } of JSON.parse(await hermes.run("cockpit", "json"))) {
    const gauge = document.createElement("div");
    gauge.className = "gauge card";
    const dial = document.createElementNS(SVG, "svg");
    dial.setAttribute("viewBox", "0 0 112 66");
    dial.setAttribute("role", "img");
    dial.setAttribute("aria-label", `${words[name]}: ${day}`);
    dial.append(arc("track", LENGTH), arc("hand", week === 0 ? 0 : (LENGTH * day) / week), label(short(day)));
    gauge.append(
      dial,
      words[name],
      Object.assign(document.createElement("small"), { textContent: words.week.replace("{}", short(week)) }),
    );
    all.append(gauge);
  }
  place.append(all);
}

function arc(name, length) {
  const path = document.createElementNS(SVG, "path");
  for (const [key, value] of Object.entries({
    class: name,
    d: "M8 58 A48 48 0 0 1 104 58",
    fill: "none",
    "stroke-width": 9,
    "stroke-dasharray": `${length} 400`,
  }))
    path.setAttribute(key, value);
  return path;
}

function label(text) {
  const made = document.createElementNS(SVG, "text");
  made.setAttribute("x", "56");
  made.setAttribute("y", "52");
  made.textContent = text;
  return made;
}

function short(value) {
  return value >= 10_000 ? `${Math.round(value / 1000)}k` : String(value);
}
