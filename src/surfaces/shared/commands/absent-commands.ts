/** Commands of the original whose service is not in this version, and what helps instead. Both `hermes NAME` and `/NAME` say it. */
export const ABSENT_COMMANDS: { readonly [name: string]: string } = {
  login:
    "Keys of models are kept by `hermes model NAME --api-key KEY`; `hermes auth` lists the services that are signed in to by browser.",
  voice:
    "This version has no spoken conversation at the terminal; `tts.provider` lets the agent make speech, and voice messages in chats are understood.",
};
