// The page with the form for a new game.
// @ts-check

import { prepareForm } from "./form.js";

prepareForm(/** @type {HTMLFormElement} */ (document.querySelector("form.opening")));
