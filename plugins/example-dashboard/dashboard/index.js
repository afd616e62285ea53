const WORDS = {
  en: { total: "conversations in {} days", none: "No conversations in these days.", row: "{} conversations, {} turns" },
  "zh-Hans": { total: "次对话，最近 {} 天", none: "这些天没有对话。", row: "{} 次对话，{} 轮" },
};

/** Draws a bar for each day. `hermes.run` runs the plugin's own slash command, the only thing this page can reach. */
export default async function page(place, hermes) {
  const words = WORDS[hermes.language] ?? WORDS.en;
  const days = JSON.parse(await hermes.run("example-dashboard", "json 14"));
  const most = Math.max(1, ...days.map(({ sessions }) => sessions));
  const total = days.reduce((sum, { sessions }) => sum + sessions, 0);
  const head = document.createElement("p");
  head.append(
    Object.assign(document.createElement("span"), { className: "figure", textContent: String(total) }),
    ` ${put(words.total, days.length)}`,
  );
  const list = document.createElement("ul");
  list.className = "days";
  for (const { day, sessions, turns } of days) {
    const row = document.createElement("li");
    const bar = document.createElement("meter");
    Object.assign(bar, { min: 0, max: most, value: sessions, title: put(words.row, sessions, turns) });
    row.append(
      Object.assign(document.createElement("time"), { textContent: day }),
      bar,
      Object.assign(document.createElement("span"), { textContent: String(sessions) }),
    );
    list.append(row);
  }
  place.append(
    head,
    total === 0 ? Object.assign(document.createElement("p"), { className: "quiet", textContent: words.none }) : list,
  );
}

function put(text, ...values) {
  return values.reduce((result, value) => result.replace("{}", value), text);
}
