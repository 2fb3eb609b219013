// The replay in a file of its own, which can check itself.
// @ts-check

import { original } from "./rules/original.js";
import "./replay.js";
import { checking } from "./rules/checking.js";

checking(original);
