import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export const WANDB_KEY = "wandb-key-of-the-test-5566";

/** A run as Weights & Biases stores it; metrics are JSON as text. */
export interface SavedRun {
  readonly entity: string;
  readonly project: string;
  readonly name: string;
  readonly displayName: string;
  readonly summaryMetrics: string;
  readonly history: readonly string[];
}

/** Weights & Biases' GraphQL API, for queries of a project's runs by a pattern of their names. */
export async function startWandb(viewer = "alice") {
  const runs: SavedRun[] = [];
  const received: {
    readonly authorization: string | undefined;
    readonly variables: { readonly [name: string]: unknown };
  }[] = [];
  let broken: { readonly status: number; readonly body: string } | undefined;
  const http = createServer(async (request, reply) => {
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString();
    const json = (status: number, value: unknown): void =>
      void reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (request.method !== "POST" || request.url !== "/graphql") return json(404, {});
    if (broken !== undefined)
      return void reply.writeHead(broken.status, { "content-type": "application/json" }).end(broken.body);
    if (request.headers.authorization !== `Basic ${Buffer.from(`api:${WANDB_KEY}`).toString("base64")}`)
      return json(401, { errors: [{ message: "user is not logged in" }] });
    const { query, variables } = JSON.parse(text) as {
      readonly query: string;
      readonly variables: { readonly entity: string; readonly project: string; readonly filters: string };
    };
    if (query.includes("viewer")) return json(200, { data: { viewer: { entity: viewer } } });
    received.push({ authorization: request.headers.authorization, variables });
    const pattern = new RegExp(
      (JSON.parse(variables.filters) as { readonly display_name: { readonly $regex: string } }).display_name.$regex,
    );
    const project = runs.filter((run) => run.entity === variables.entity && run.project === variables.project);
    const edges = project
      .filter(({ displayName }) => pattern.test(displayName))
      .map(({ name, displayName, summaryMetrics, history }) => ({
        node: { name, displayName, state: "running", summaryMetrics, history },
      }));
    if (variables.entity === "nousresearch" && project.length === 0)
      return json(200, { data: { project: null }, errors: [{ message: "permission denied", path: ["project"] }] });
    json(200, { data: { project: project.length === 0 ? null : { runs: { edges } } } });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    received: received as readonly (typeof received)[number][],
    keep: (run: SavedRun) => void runs.push(run),
    break: (how: typeof broken) => void (broken = how),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
