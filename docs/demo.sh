# What `make demo` shows.  Every line here can be typed by hand: DOMINO_LEDGER names the file of the ledger.
set -eu

say() { printf '\n%s\n' "$*"; }

say "1. The fixtures go into a ledger: $DOMINO_LEDGER"
domino-ledger import fixtures/ziggurat fixtures/domino-ziggurat fixtures/build-up fixtures/zigzag
domino-ledger list --limit 8

say "2. One game, replayed step by step: seq, state digest, what happened, the score"
domino-ledger replay fixtures/build-up/ending-hands-empty.json --steps | head -n 40
domino-ledger show fixtures/build-up/ending-hands-empty.json --at 20

say "3. All of them audited, each finding with its clause"
domino-ledger audit || [ $? -eq 1 ]

say "The ledger stays at $DOMINO_LEDGER.  Try, in another terminal:
  export PATH=\"$PWD/.venv/bin:\$PATH\" DOMINO_LEDGER=$DOMINO_LEDGER
  domino-ledger list --verdict breach
  domino-ledger replay fixtures/zigzag/example-the-example-of-play.json"

say "4. The viewer"
domino-ledger serve || domino-ledger serve --port 0
