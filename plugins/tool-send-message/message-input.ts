/** Arguments of `send_message`. */
export interface MessageInput {
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly message?: string | undefined;
}
