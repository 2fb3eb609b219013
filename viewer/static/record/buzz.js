// A short vibration on a tap, if the phone can and its owner wants it.
// @ts-check

import { recall, remember } from "../memory.js";

export const canBuzz = "vibrate" in navigator;

export const wantsBuzz = () => recall("vibration") !== "off";

/** @param {boolean} on */
export function setBuzz(on) {
  remember("vibration", on ? "on" : "off");
  if (on) buzz();
}

export function buzz() {
  if (canBuzz && wantsBuzz()) navigator.vibrate(12);
}
