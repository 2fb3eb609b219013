// Types that many scripts of a replay speak of: only the type checker reads this file.

type Stepper = import("./stepper.js").Stepper;
type Player = import("./autoplay.js").Player;
