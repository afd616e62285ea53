import assert from "node:assert/strict";
import { test } from "node:test";
import { nearFields } from "./near-fields.ts";

test("suggests fields with similar names, the nearest first", () => {
  const names = ["group_size", "batch_size", "temperature", "wandb_name", "wandb_project"];
  assert.deepEqual(
    [
      nearFields("groupsize", names),
      nearFields("batch_sise", names),
      nearFields("size", names),
      nearFields("project_of_wandb", names),
      nearFields("x", names),
    ],
    [["group_size"], ["batch_size"], ["group_size", "batch_size"], ["wandb_project", "wandb_name"], []],
  );
});
