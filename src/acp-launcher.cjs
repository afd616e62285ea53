#!/usr/bin/env node
/* The installed `hermes-acp`, which some editors start: runs `hermes acp` with the given arguments. */
"use strict";
const hermes = require("path").join(__dirname, "hermes.cjs");
process.argv.splice(1, 1, hermes, "acp");
require(hermes);
