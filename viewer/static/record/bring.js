// The pages for sheets on paper: files that are dropped go into the text field, a photograph is shown beside it.
// @ts-check

const text = /** @type {HTMLTextAreaElement | null} */ (document.querySelector(".bring textarea"));
const chooser = /** @type {HTMLInputElement | null} */ (document.querySelector(".bring input[type=file]"));
const photos = document.getElementById("photos");

/** @param {Blob} file @param {"readAsText" | "readAsDataURL"} how @returns {Promise<string>} */
const readFile = (file, how) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader[how](file);
  });

/** Takes files: pictures to type from, and sheets as text. @param {Iterable<File>} files */
async function take(files) {
  for (const file of files) {
    if (file.type.startsWith("image/")) {
      const image = document.createElement("img");
      image.src = await readFile(file, "readAsDataURL");
      image.alt = "Your photograph of the sheet";
      photos?.append(image);
    } else if (text) {
      const more = await readFile(file, "readAsText");
      text.value = [text.value.trimEnd(), more].filter(Boolean).join("\n\n");
    }
  }
  text?.focus();
}

chooser?.addEventListener("change", async () => {
  await take(chooser.files || []);
  // The text field has them now.
  chooser.value = "";
});
document.addEventListener("dragover", (event) => {
  if (!photos) return;
  event.preventDefault();
  document.body.classList.add("dropping");
});
document.addEventListener("drop", (event) => {
  if (!photos) return;
  event.preventDefault();
  document.body.classList.remove("dropping");
  take(event.dataTransfer?.files || []);
});
document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
document.getElementById("print")?.addEventListener("click", () => print());
