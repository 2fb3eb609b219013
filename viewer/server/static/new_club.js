// Fills in the secret of the link of the host's owner, which stands in a part of the address that is never sent.

const field = /** @type {HTMLInputElement | null} */ (document.querySelector("#new-club [name=key]"));
if (field && location.hash.length > 40) field.value = location.hash.slice(1);
