# What `make demo` shows.  Every line here can be typed by hand: DOMINO_LEDGER names the file of the ledger.
set -eu

say() { printf '\n\033[1m%s\033[0m\n' "$*"; }
[ -t 1 ] || say() { printf '\n%s\n' "$*"; }

say "1. The fixtures go into a ledger: $DOMINO_LEDGER"
domino-ledger import fixtures/*/*.json
domino-ledger list --game zigzag | head -n 12

say "2. One game, replayed step by step"
domino-ledger replay fixtures/build-up/example-*.json --steps | head -n 40

say "3. All of them audited, each finding with its clause"
domino-ledger audit || [ $? -eq 1 ]

say "The ledger stays at $DOMINO_LEDGER.  Try: domino-ledger --ledger $DOMINO_LEDGER list --verdict breach"
