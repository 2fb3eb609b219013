// A page from a disk may load no module: this plain script says what to do then.

if (location.protocol === "file:") {
  const notice = document.getElementById("disk");
  if (notice) notice.hidden = false;
}
