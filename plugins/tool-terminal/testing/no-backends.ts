import type { Reach } from "../processes/detached-elsewhere.ts";

/** For tests without detached processes in remote environments. */
export const noPlaces: Reach = () => Promise.reject(new Error("There is no place elsewhere in this test."));
