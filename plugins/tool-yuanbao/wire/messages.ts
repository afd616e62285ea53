import type { Given, Table } from "./protobuf.ts";

const HEAD = {
  kind: [1, "number"],
  command: [2, "text"],
  sequence: [3, "number"],
  id: [4, "text"],
  module: [5, "text"],
  needsAck: [6, "number"],
  status: [10, "number"],
} as const satisfies Table;

/** A WebSocket frame: a head, and the message of its command. */
export const FRAME = { head: [1, HEAD], data: [2, "bytes"] } as const satisfies Table;

/** Values of a head's `kind`; a request has 0. */
export const RESPONSE = 1;
export const PUSH = 2;

export const CONNECTION = "conn_access";
export const BOT = "yuanbao_openclaw_proxy";

export const SIGN_IN = {
  business: [1, "text"],
  account: [2, { id: [1, "text"], source: [2, "text"], token: [3, "text"] }],
  device: [3, { appVersion: [1, "text"], system: [2, "text"], instance: [10, "text"], botVersion: [24, "text"] }],
  environment: [5, "text"],
} as const satisfies Table;

export const SIGNED_IN = {
  code: [1, "number"],
  message: [2, "text"],
  connection: [3, "text"],
} as const satisfies Table;

export const KICKED_OUT = { status: [1, "number"], reason: [2, "text"] } as const satisfies Table;

/** The first fields of every response about groups and messages. */
export const ANSWER = { code: [1, "number"], message: [2, "text"] } as const satisfies Table;

export const GROUP_REQUEST = { group: [1, "text"] } as const satisfies Table;

export const GROUP_RESPONSE = {
  ...ANSWER,
  group: [3, { name: [1, "text"], ownerId: [2, "text"], ownerName: [3, "text"], size: [4, "number"] }],
} as const satisfies Table;

export const MEMBERS_REQUEST = {
  group: [1, "text"],
  from: [2, "number"],
  most: [3, "number"],
} as const satisfies Table;

export const MEMBERS_RESPONSE = {
  ...ANSWER,
  members: [3, [{ id: [1, "text"], name: [2, "text"], kind: [3, "number"] }]],
  next: [4, "number"],
  complete: [5, "number"],
} as const satisfies Table;

const PICTURE = {
  type: [1, "number"],
  bytes: [2, "number"],
  width: [3, "number"],
  height: [4, "number"],
  url: [5, "text"],
} as const satisfies Table;

/** The elements of a message, in the field order of the service's own clients. */
const ELEMENT = {
  type: [1, "text"],
  content: [
    2,
    {
      text: [1, "text"],
      uuid: [2, "text"],
      data: [4, "text"],
      url: [10, "text"],
      fileName: [12, "text"],
      pictureFormat: [3, "number"],
      index: [9, "number"],
      bytes: [11, "number"],
      pictures: [8, [PICTURE]],
    },
  ],
} as const satisfies Table;

export type Element = Given<typeof ELEMENT>;

export const TO_USER = {
  id: [1, "text"],
  to: [2, "text"],
  from: [3, "text"],
  random: [4, "number"],
  elements: [5, [ELEMENT]],
  group: [6, "text"],
} as const satisfies Table;

export const TO_GROUP = {
  id: [1, "text"],
  group: [2, "text"],
  from: [3, "text"],
  random: [5, "text"],
  elements: [6, [ELEMENT]],
  answers: [7, "text"],
} as const satisfies Table;
