/*
 * Starts this clone: from the build of its sources while that matches them, else from the sources. A start from the sources leaves a
 * process behind that makes the build for later starts.
 */
"use strict";
const fs = require("fs");
const path = require("path");

const ROOT = path.join(__dirname, "..", "..");
/** make-build.ts deletes a build that no process has touched for an hour. */
const TOUCH_MS = 20 * 60 * 1000;

const argv = process.argv;
if (argv.length === 3 && (argv[2] === "--version" || argv[2] === "-V")) printVersion();
else start();

function printVersion() {
  try {
    fs.writeSync(1, "hermes-agent " + require("../../package.json").version + "\n"); // process.stdout would cost more than everything else
  } catch (error) {
    process.exitCode = error.code === "EPIPE" ? 0 : 1;
    if (process.exitCode === 1) console.error("Error: Cannot write the version: " + error.message);
  }
}

function start() {
  const clone = require("./matching-build.cjs");
  const wanted = process.env.HERMES_CLONE_BUILD;
  const off = wanted === "off";
  const mayBuild = !off && wanted !== "use";
  const build = off ? { why: "HERMES_CLONE_BUILD is off" } : clone.matchingBuild(ROOT);
  const obstacle = function () {
    return !mayBuild
      ? "HERMES_CLONE_BUILD=" + wanted + " makes no build."
      : clone.buildObstacle(ROOT) || lastFailure(path.join(ROOT, clone.BUILDS));
  };
  // For `hermes doctor`: src/host/clone-start.ts.
  globalThis.CLONE_START = { why: build.why, obstacle: obstacle };
  const cache = process.env.XDG_CACHE_HOME || path.join(process.env.HOME || "", ".cache");
  if (path.isAbsolute(cache)) require("module").enableCompileCache(path.join(cache, "hermes-agent", "compile"));
  if (build.main !== undefined) keepWhileRunning(build.folder);
  else if (mayBuild && clone.buildObstacle(ROOT) === undefined) process.once("exit", leaveBuilder);
  import(build.main === undefined ? "../../src/main.ts" : build.main).catch(function (error) {
    console.error(error);
    process.exitCode = 1;
  });
}

/** A long-running process loads parts of its build late. */
function keepWhileRunning(folder) {
  setInterval(function () {
    const now = new Date();
    fs.utimes(folder, now, now, function () {}); // Fails in a clone of another user.
  }, TOUCH_MS).unref();
}

function leaveBuilder() {
  try {
    const env = Object.assign({}, process.env);
    delete env.NODE_OPTIONS;
    require("child_process")
      .spawn(process.execPath, [path.join(__dirname, "make-build.ts")], {
        cwd: ROOT,
        detached: true,
        env: env,
        stdio: "ignore",
      })
      .unref();
  } catch {
    // The next start runs from the sources again.
  }
}

function lastFailure(builds) {
  try {
    return "The last build failed: " + fs.readFileSync(path.join(builds, "failure.txt"), "utf8").trim();
  } catch {
    return undefined; // It did not fail.
  }
}
