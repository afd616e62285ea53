/** Loaded into each test process before its tests (`--import`): records which test opens what. */
import { beforeEach } from "node:test";
import { setRunningTest, trackOpenResources } from "./open-resources.ts";

trackOpenResources();
beforeEach((context) => setRunningTest(context.fullName));
