import { Input } from "@earendil-works/pi-tui";

/** Shows how much was typed, never what. */
export class SecretInput extends Input {
  override render(_width: number): string[] {
    return [`> ${"•".repeat(Math.min(32, this.getValue().length))}`];
  }
}
