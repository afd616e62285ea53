/** What `hermes auth spotify --help` prints. */
export const COMMANDS = `hermes auth spotify [COMMAND]

  login [--timeout S]  sign in with a browser within S seconds (default 300)
  status               show whether you are signed in
  logout               delete the stored sign-in
`;
