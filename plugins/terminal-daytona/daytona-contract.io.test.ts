import { createFetch } from "../../src/host/web/guarded-fetch.ts";
import { cloudContract, liveKeys } from "../../test/servers/clouds/cloud-contract.ts";
import { DAYTONA_KEY } from "../../test/servers/clouds/daytona.ts";
import { DaytonaBackend } from "./daytona-backend.ts";

const keys = liveKeys("DAYTONA_API_KEY");
const fetch = createFetch({
  policy: () => ({ allowPrivate: keys === undefined, blocklist: [] }),
  secrets: () => [],
  proxy: (name) => process.env[name],
});
const backend = (key: string, url: string | undefined) =>
  new DaytonaBackend({
    home: "/contract",
    config: { container_persistent: false },
    fetch,
    target: process.env["DAYTONA_TARGET"],
    key,
    url,
  });
// req: terminal.backend-daytona
await cloudContract("daytona", keys && (() => backend(keys.DAYTONA_API_KEY, process.env["DAYTONA_API_URL"])), (url) =>
  backend(DAYTONA_KEY, url),
);
