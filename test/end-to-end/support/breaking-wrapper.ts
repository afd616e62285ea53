/** A program that wraps the command line and throws when its part of the screen is drawn, as a user's wrapper may. */
import { run } from "hermes-agent/cli";

let seen = false;

process.exitCode = await run(process.argv.slice(2), {
  layout: ({ status_bar, ...above }) => [
    ...Object.values(above),
    {
      render: () => {
        if (!seen)
          setTimeout(() => {
            throw new Error("broken");
          }, 200);
        seen = true;
        return [" of my own"];
      },
      invalidate: () => {},
    },
    status_bar,
  ],
});
