import { FAILURE_CODES } from "../../src/contract/common/failure.ts";
import type { TurnEndReason } from "../../src/contract/conversation/fact.ts";
import type { ModelFailure } from "../../src/contract/providers/model.ts";
import { EXIT } from "../../src/surfaces/shared/process/exit-code.ts";
import { code, page, table, type Page } from "./page.ts";

const EXIT_TEXTS: { readonly [K in keyof typeof EXIT]: string } = {
  ok: "Done. A turn in which a call was refused is done too: the answer says so.",
  failed: "The turn failed, or the command did.",
  usage: "The command line was not understood, or named something that does not exist.",
  limit: "The turn ran out of model requests before it was done.",
  denied: "`hermes tools call`: the call was refused.",
  config: "The configuration is not usable: `config.yaml`, a key that is missing, a provider nobody knows.",
  interrupted: "Stopped by Ctrl-C or SIGTERM. What is stored stays stored.",
};

const TURN_TEXTS: { readonly [K in TurnEndReason]: string } = {
  done: "The model has answered.",
  cancelled: "The person, or the end of the program, stopped it.",
  failed: "It could not go on; `detail` says why.",
  limit: "It used up its model requests (`agent.max_turns`, `--max-turns`). The last one asked for a summary.",
  budget: "It used up what it may cost.",
};

const MODEL_TEXTS: { readonly [K in ModelFailure["code"]]: string } = {
  auth: "The key is missing, wrong or not allowed to do this.",
  billing: "The account has no credit.",
  rate_limit: "Too many requests; the service may say how long to wait.",
  overloaded: "The service has too much to do.",
  server: "The service failed.",
  network: "The service could not be reached, or the connection broke.",
  timeout: "No answer in time.",
  context_overflow: "The conversation is longer than the model can read.",
  model_not_found: "The service has no model of this name.",
  refused: "The service will not answer this.",
  bad_request: "The service did not accept the request.",
  bad_response: "The service's answer could not be understood.",
  cancelled: "The turn was stopped.",
};

export function errorsPage(): Page {
  return page(
    "errors.md",
    "Failure codes and exit statuses",
    "What programs can rely on when something goes wrong. The words for people beside them may change.",
    "## Exit statuses of hermes",
    table(
      ["Status", "Meaning"],
      (Object.keys(EXIT) as (keyof typeof EXIT)[]).map((name) => [String(EXIT[name]), EXIT_TEXTS[name]]),
    ),
    "The launcher itself ends with 69 when it finds no Node.js and cannot fetch one.",
    "## How a turn ends",
    "`reason` in `turn.ended` and in the last line of `--json`.",
    table(
      ["Reason", "Meaning"],
      (Object.keys(TURN_TEXTS) as TurnEndReason[]).map((name) => [code(name), TURN_TEXTS[name]]),
    ),
    "## Failed tool calls",
    '`code` of an outcome of kind `failed`. The model reads `{"error": message}`, with `hint` where there is one. A plugin may use codes of its own.',
    table(
      ["Code", "Meaning"],
      Object.entries(FAILURE_CODES).map(([name, meaning]) => [code(name), meaning]),
    ),
    "## Failed model requests",
    "`failure.code` in `model.failed`. Whether it is sent again stands in `failure.retryable`.",
    table(
      ["Code", "Meaning"],
      (Object.keys(MODEL_TEXTS) as ModelFailure["code"][]).map((name) => [code(name), MODEL_TEXTS[name]]),
    ),
  );
}
