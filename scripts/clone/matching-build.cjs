/*
 * Finds the build of this clone that may run instead of its sources. Plain CommonJS that imports only Node: every start of a clone runs it.
 *
 * .cache/build/current.json lists every file and folder that the last build depends on, with the system's data about each. A build is used
 * only while all of that is the same. It reads no content: every change of a file also changes its ctime, which no program can choose.
 */
"use strict";
const fs = require("fs");
const path = require("path");

const BUILDS = path.join(".cache", "build");
/** For each input: mtimeMs, the time of its last change, size and ino. All zero: it did not exist. */
const FIELDS = 4;
const WRITABLE_BY_OTHERS = 0o022;

/**
 * @param {string} root The folder of the clone.
 * @returns {{ folder: string, main: string } | { why: string }} Where the build is and what to run, or why there is none.
 */
function matchingBuild(root) {
  const builds = path.join(root, BUILDS);
  let current;
  try {
    if (!belongsToOwner(root, builds)) return { why: builds + " can be written by other users than the clone's owner" };
    current = JSON.parse(fs.readFileSync(path.join(builds, "current.json"), "utf8"));
  } catch {
    return { why: "the sources have not been built yet" };
  }
  if (current.runtime !== runtime()) return { why: "the last build was made with " + current.runtime };
  const changed = changedInput(root, current.inputs, current.states);
  if (changed !== undefined) return { why: changed + " has changed since the last build" };
  const folder = path.join(builds, current.id);
  const main = path.join(folder, "dist", "main.js");
  return fs.existsSync(main) ? { folder: folder, main: main } : { why: main + " does not exist" };
}

/** A build that another user could write would run with this user's rights. */
function belongsToOwner(root, builds) {
  const stat = fs.lstatSync(builds);
  return stat.isDirectory() && stat.uid === fs.statSync(root).uid && (stat.mode & WRITABLE_BY_OTHERS) === 0;
}

function changedInput(root, inputs, states) {
  const above = root + path.sep;
  for (let at = 0, field = 0; at < inputs.length; at += 1, field += FIELDS) {
    const stat = statOf(above + inputs[at]);
    const same =
      stat === undefined
        ? states[field + 1] === 0
        : stat.mtimeMs === states[field] &&
          changedAt(inputs[at], stat) === states[field + 1] &&
          stat.size === states[field + 2] &&
          stat.ino === states[field + 3];
    if (!same) return inputs[at];
  }
  return undefined;
}

/**
 * @param {string} root
 * @param {readonly string[]} inputs
 * @returns {number[]} The numbers that `changedInput` compares, for all inputs one after the other.
 */
function statesOf(root, inputs) {
  return inputs.flatMap(function (input) {
    const stat = statOf(path.join(root, input));
    return stat === undefined ? [0, 0, 0, 0] : [stat.mtimeMs, changedAt(input, stat), stat.size, stat.ino];
  });
}

/** Package managers share files between projects by hard links, and the ctime of a file changes with every new link. */
function changedAt(input, stat) {
  return input.startsWith("node_modules/") ? stat.mtimeMs : stat.ctimeMs;
}

function statOf(file) {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined; // For example a folder above it that may not be searched.
  }
}

/** A build contains code compiled for this Node.js. */
function runtime() {
  return "Node.js " + process.version + " for " + process.platform + "-" + process.arch;
}

/**
 * @param {string} root
 * @returns {string | undefined} Why this user cannot make a build, or what made the last attempt fail.
 */
function buildObstacle(root) {
  try {
    const uid = process.getuid && process.getuid();
    if (uid !== undefined && uid !== fs.statSync(root).uid) return "Only the owner of the clone can build it.";
    fs.accessSync(root, fs.constants.W_OK);
  } catch {
    return "A build cannot be written to " + path.join(root, BUILDS) + ".";
  }
  return undefined;
}

module.exports = { BUILDS, FIELDS, belongsToOwner, buildObstacle, matchingBuild, runtime, statesOf };
