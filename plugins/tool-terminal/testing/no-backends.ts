import type { Reach } from "../processes/detached-elsewhere.ts";

/** For tests in which nothing is left in a place elsewhere. */
export const noPlaces: Reach = () => Promise.reject(new Error("There is no place elsewhere in this test."));
