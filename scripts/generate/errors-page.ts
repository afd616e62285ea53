import { FAILURE_CODES } from "../../src/contract/common/failure.ts";
import type { TurnEndReason } from "../../src/contract/conversation/fact.ts";
import type { ModelFailure } from "../../src/contract/providers/model.ts";
import { EXIT } from "../../src/surfaces/shared/process/exit-code.ts";
import { code, page, table, type Page } from "./page.ts";

const EXIT_TEXTS: { readonly [K in keyof typeof EXIT]: string } = {
  ok: "Success. A turn with a refused call also succeeds: the answer says so.",
  failed: "The turn or the command failed.",
  usage: "The command line is invalid, or names something that does not exist.",
  limit: "The turn ran out of model requests.",
  denied: "`hermes tools call`: the call was refused.",
  config: "The configuration is not usable: an error in `config.yaml`, a missing key, an unknown provider.",
  interrupted: "Stopped by Ctrl-C or SIGTERM. Stored facts are kept.",
};

const TURN_TEXTS: { readonly [K in TurnEndReason]: string } = {
  done: "The model answered.",
  cancelled: "The user, or the end of the program, stopped it.",
  failed: "It could not continue; `detail` says why.",
  limit: "It used all its model requests (`agent.max_turns`, `--max-turns`). The last one asked for a summary.",
  budget: "A budget is spent (`budgets` in config.yaml), and no user was connected to raise it.",
};

const MODEL_TEXTS: { readonly [K in ModelFailure["code"]]: string } = {
  auth: "The key is missing, wrong or has no permission for this.",
  billing: "The account has no credit.",
  rate_limit: "Too many requests; the service may say how long to wait.",
  overloaded: "The service is overloaded.",
  server: "The service failed.",
  network: "Hermes could not connect to the service, or the connection broke.",
  timeout: "The service did not answer in time.",
  context_overflow: "The conversation is longer than the model's context window.",
  model_not_found: "The service has no model with this name.",
  refused: "The service refuses to answer this.",
  bad_request: "The service did not accept the request.",
  bad_response: "Hermes could not parse the service's answer.",
  budget: "A budget of the user is spent, so the request was not sent.",
  cancelled: "The turn was stopped.",
};

export function errorsPage(): Page {
  return page(
    "errors.md",
    "Failure codes and exit statuses",
    "Programs can rely on these codes. The messages next to them may change.",
    "## Exit statuses of hermes",
    table(
      ["Status", "Meaning"],
      (Object.keys(EXIT) as (keyof typeof EXIT)[]).map((name) => [String(EXIT[name]), EXIT_TEXTS[name]]),
    ),
    "The launcher exits with 69 if it finds no Node.js and cannot download one.",
    "## How a turn ends",
    "`reason` in `turn.ended` and in the last line of `--json`.",
    table(
      ["Reason", "Meaning"],
      (Object.keys(TURN_TEXTS) as TurnEndReason[]).map((name) => [code(name), TURN_TEXTS[name]]),
    ),
    "## Failed tool calls",
    '`code` of an outcome of kind `failed`. The model reads `{"error": message}`, with `hint` if there is one. A plugin may define more codes.',
    table(
      ["Code", "Meaning"],
      Object.entries(FAILURE_CODES).map(([name, meaning]) => [code(name), meaning]),
    ),
    "## Failed model requests",
    "`failure.code` in `model.failed`. `failure.retryable` says whether Hermes retries the request.",
    table(
      ["Code", "Meaning"],
      (Object.keys(MODEL_TEXTS) as ModelFailure["code"][]).map((name) => [code(name), MODEL_TEXTS[name]]),
    ),
  );
}
