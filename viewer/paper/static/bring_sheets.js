// The pages for sheets on paper: files that are dropped or chosen are sent, a photograph is shown beside the text.

const text = /** @type {HTMLTextAreaElement | null} */ (document.querySelector(".bring textarea"));
const chooser = /** @type {HTMLInputElement | null} */ (document.querySelector(".bring input[type=file]"));
const photos = document.getElementById("photos");

/** Takes files: pictures to type from; the server reads all others. @param {FileList} files */
function readFiles(files) {
  const others = new DataTransfer();
  for (const file of files) {
    if (file.type.startsWith("image/")) {
      const image = document.createElement("img");
      const reader = new FileReader();
      reader.onload = () => (image.src = String(reader.result));
      reader.readAsDataURL(file);
      image.alt = "Your photograph of the sheet";
      photos?.append(image);
    } else others.items.add(file);
  }
  if (!chooser) return;
  chooser.files = others.files;
  if (others.files.length) chooser.form?.requestSubmit();
  else text?.focus();
}

chooser?.addEventListener("change", () => chooser.files && readFiles(chooser.files));
document.addEventListener("dragover", (event) => {
  if (!photos) return;
  event.preventDefault();
  document.body.classList.add("dropping");
});
document.addEventListener("drop", (event) => {
  if (!photos) return;
  event.preventDefault();
  document.body.classList.remove("dropping");
  if (event.dataTransfer) readFiles(event.dataTransfer.files);
});
document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
document.getElementById("print")?.addEventListener("click", () => print());
