import { quietLog } from "hermes-agent/testing";
import { cloudContract, liveKeys } from "../../test/servers/clouds/cloud-contract.ts";
import { MODAL_TOKEN, modalAt } from "../../test/servers/clouds/modal.ts";
import { ModalBackend, type ModalOptions } from "./modal-backend.ts";
import type { ModalSdk } from "./modal-sdk.ts";

const load = async () => (await import("modal")) as unknown as ModalSdk;
const storage = () => {
  throw new Error("nothing is to be kept");
};
const backend = (access: Pick<ModalOptions, "tokenId" | "tokenSecret" | "load">) =>
  new ModalBackend({ home: "/contract", config: { container_persistent: false }, storage, log: quietLog(), ...access });
const keys = liveKeys("MODAL_TOKEN_ID", "MODAL_TOKEN_SECRET");
// req: terminal.backend-modal
await cloudContract(
  "modal",
  keys && (() => backend({ tokenId: keys.MODAL_TOKEN_ID, tokenSecret: keys.MODAL_TOKEN_SECRET, load })),
  (url) => backend({ ...MODAL_TOKEN, load: modalAt(url) }),
);
