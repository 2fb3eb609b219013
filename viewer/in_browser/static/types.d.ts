// A type that the scripts of several rooms speak of: only the type checker reads this file.

type PhoneRules = import("./rules_in_browser.js").PhoneRules;
