/** `GET /api/sessions/:id`. */
export interface RoutePattern {
  readonly at: string;
}

/** Finds the route of a request, with the decoded value of each `:name`. */
export function findRoute<Route extends RoutePattern>(
  routes: readonly Route[],
  method: string,
  path: string,
): { readonly route: Route; readonly params: readonly string[] } | undefined {
  const words = path.split("/");
  for (const each of routes) {
    const [verb, at = ""] = each.at.split(" ");
    const pattern = at.split("/");
    if (
      verb !== method ||
      pattern.length !== words.length ||
      !pattern.every((word, index) => word.startsWith(":") || word === words[index])
    )
      continue;
    return {
      route: each,
      params: pattern.flatMap((word, index) => (word.startsWith(":") ? [decoded(words[index]!)] : [])),
    };
  }
  return undefined;
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word; // Not decodable, so it will match nothing.
  }
}
