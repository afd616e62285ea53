#!/usr/bin/env node
/* The installed `hermes-acp`, which some editors start: `hermes acp` and what stands behind it. */
"use strict";
const hermes = require("path").join(__dirname, "hermes.cjs");
process.argv.splice(1, 1, hermes, "acp");
require(hermes);
