/** Commands of the original that this version lacks, and what to use instead. Shown for `hermes NAME` and `/NAME`. */
export const ABSENT_COMMANDS: { readonly [name: string]: string } = {
  login:
    "To store a model's API key, run `hermes model NAME --api-key KEY`. `hermes auth` lists the services with a browser sign-in.",
  voice:
    "This version has no voice mode in the terminal. With `tts.provider` the agent can create speech, and it understands voice messages in chats.",
};
