import type { Dispatch, DispatchPorts, JudgeEffect } from "../../engine/ports.ts";
import { lazily } from "./lazily.ts";

/** Judges and runs tool calls. */
export interface CallPipeline {
  readonly dispatch: Dispatch;
  readonly judgeEffect: JudgeEffect;
  /** Loads the code of calls before the first one needs it. */
  load(): Promise<unknown>;
}

/** The pipeline of this process, whose code loads with the first call: a start needs none of it. */
export function callPipeline(ports: DispatchPorts): CallPipeline {
  let made: Pick<CallPipeline, "dispatch" | "judgeEffect"> | undefined;
  const load = lazily(async () => {
    const [{ createDispatch }, { createJudgeEffect }] = await Promise.all([
      import("../../engine/dispatch/dispatch.ts"),
      import("../../engine/approval/judge-effect.ts"),
      import("../../engine/dispatch/run-calls.ts"),
    ]);
    return (made = { dispatch: createDispatch(ports), judgeEffect: createJudgeEffect(ports) });
  });
  return {
    dispatch: (request, session, signal) =>
      made?.dispatch(request, session, signal) ?? load().then(({ dispatch }) => dispatch(request, session, signal)),
    judgeEffect: (request, session) =>
      made?.judgeEffect(request, session) ?? load().then(({ judgeEffect }) => judgeEffect(request, session)),
    load,
  };
}
