/** What `hermes auth spotify --help` prints. */
export const COMMANDS = `hermes auth spotify [COMMAND]

  login [--timeout S]  sign in by browser, in S seconds (300)
  status               whether somebody is signed in
  logout               forget the sign-in
`;
