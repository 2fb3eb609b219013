"""Reports for people: text for the terminal, and Markdown."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from ledger.audit.report_in_a_sentence import ALIKE, summary
from ledger.audit.review import Review
from ledger.record.events import Open
from ledger.record.visible import markdown as escape
from ledger.record.visible import markdown_code, visible
from ledger.record.words import day, format_value, listed, plural
from ledger.rules.game import Finding, Judged

if TYPE_CHECKING:
    from ledger.audit.other_rulings import Readings

MARKS = {"impossible": "⚑̸", "breach": "⚑", "unproven": "⚐", "note": "·", "clean": "✓", "scores-only": "–"}
"""A mark for each verdict, always shown with the word."""


def headline(review: Review) -> str:
    """A record in one line: verdict, name, game, scores and winner."""
    report = review.report
    verdict = f"{MARKS[report.verdict]} {report.verdict}"
    return f"{verdict:<13} {visible(review.name)}  {review.title}: {outcome(review)}"


def outcome(review: Review) -> str:
    """The scores, and the winners or 'not finished'."""
    report = review.report
    scores = ", ".join(
        f"{review.names[player]} {'–' if score is None else score}" for player, score in report.scores.items()
    )
    if not report.finished:
        return f"{scores}; not finished"
    if report.winners is None:
        return f"{scores}; it is not known who won"
    winners = listed(review.names[player] for player in report.winners) or "nobody"
    if not report.title:
        return f"{scores}; {winners} won"
    # The title depends only on the cheats, so other mistakes are mentioned beside it.
    caveat = ", though there are mistakes" if report.verdict in ("breach", "impossible") else ""
    return f"{scores}; {winners} won, {report.title}{caveat}"


def event_of(review: Review, finding: Finding) -> str:
    """The event of a finding, as a sentence."""
    place = review.place(finding.seq)
    return review.words(place) if place is not None else "a correction"


def adds_up(review: Review) -> str:
    """The report's line on what adds up; a called number that is only noted stands beside it with its reason."""
    noted = [f for f in review.judged if f.verdict == "note" and f.claimed is not None]
    reasons = [f"noted, no mistake: {review.message(finding)}" for finding in noted]
    return "; ".join([review.report.balance, *reasons])


def by_rules(review: Review) -> str:
    """The revision of the rules that judges a record; empty for a game with only one."""
    newest, revision = review.newest.revision, review.game.revision
    if review.newest.earlier is None:
        return ""
    return f"judged by revision {revision} of the rules" + (f"; the newest is {newest}" if newest != revision else "")


def finding_lines(review: Review, finding: Judged) -> Iterator[str]:
    """A finding for the terminal: the event, what is wrong with it, and the clause."""
    yield f"  {MARKS[finding.verdict]} {finding.verdict} at {review.called(finding.seq)}: {event_of(review, finding)}"
    yield f"    {review.message(finding)}."
    yield f"    {finding.clause}: {review.meaning(finding.clause)}"


def explained_lines(review: Review) -> Iterator[str]:
    """The findings for the terminal: the slip behind several of them above these, a correction below a single one."""
    for sentences, findings in by_cause(review):
        follows = len(findings) > 1 and bool(sentences)
        if follows:
            yield ""
            yield from (f"  {line}" for line in sentences)
        for finding in findings:
            yield ""
            yield from (f"{'  ' if follows else ''}{line}" for line in finding_lines(review, finding))
        if sentences and not follows:
            yield f"    {sentences[0]}"


def by_cause(review: Review) -> Iterator[tuple[list[str], list[Judged]]]:
    """The findings in groups: one for each cause, with sentences about what would clear it, then the rest."""
    report = review.report
    explained = set[int]()
    for cause in report.causes or ():
        explained.update(cause.findings)
        sentences = [f"{'Or: ' if number else ''}{repair.message}" for number, repair in enumerate(cause.repairs)]
        yield sentences or [ALIKE] * cause.alike, [review.judged[index] for index in cause.findings]
    rest = [finding for index, finding in enumerate(review.judged) if index not in explained]
    if rest:
        yield [], rest


def text(review: Review) -> Iterator[str]:
    """A report for the terminal, line by line."""
    yield headline(review)
    yield f"  {summary(review)}"
    yield from explained_lines(review)
    yield ""
    yield f"  {adds_up(review)}"
    if by_rules(review):
        yield f"  {by_rules(review)}"
    if review.report.rulings:
        rulings = ", ".join(f"{name} = {format_value(value)}" for name, value in review.report.rulings.items())
        yield f"  depends on {'these rulings' if len(review.report.rulings) > 1 else 'this ruling'}: {rulings}"


def markdown(review: Review) -> str:
    """A report as Markdown: the verdict, each finding with its rule, the scores with their reasons.

    Text that somebody typed never becomes HTML, a link or a line of its own.
    """
    report, opening = review.report, review.record.opening
    when = when_and_where(review, opening)
    lines = [f"# {review.title}: {escape(' – '.join(review.names.values()))}", ""]
    lines += [escape(when), ""] if when else []
    verdict = f"**{MARKS[report.verdict]} {report.verdict}**"
    lines += [f"{verdict} · {escape(outcome(review))} · record {markdown_code(review.name)}", ""]
    lines += [escape(summary(review)), "", "## Findings", ""]
    for sentences, findings in by_cause(review):
        follows = len(findings) > 1 and bool(sentences)
        if follows:
            lines.append("- " + "  \n  ".join(map(escape, sentences)))
        for finding in findings:
            lines += [f"{'  ' if follows else ''}{line}" for line in _markdown_of(review, finding)]
        if sentences and not follows:
            lines[-1] += "  "
            lines.append(f"  {escape(sentences[0])}")
    if not report.findings:
        lines.append("None.")
    lines += [
        "",
        "## Where the points come from",
        "",
        *_reasons(review),
        "",
        "## What adds up",
        "",
        escape(adds_up(review)),
        "",
    ]
    if report.rulings:
        lines += ["## Rulings", "", "The verdict depends on how these points of the rules are read:", ""]
        lines += [
            f"- `{name}` = {escape(format_value(value))}: {ruling(review, name)}"
            for name, value in report.rulings.items()
        ]
        lines.append("")
    return "\n".join(lines)


def _markdown_of(review: Review, finding: Judged) -> list[str]:
    verdict = f"**{MARKS[finding.verdict]} {finding.verdict} at {review.called(finding.seq)}**"
    return [
        f"- {verdict}: {escape(event_of(review, finding))}.  ",
        f"  {escape(review.message(finding))}.  ",
        f"  *{review.meaning(finding.clause)}* (`{finding.clause}`)",
    ]


def when_and_where(review: Review, opening: Open) -> str:
    """When and where a game was played, and which rules judge it."""
    played = day(opening.played) if opening.played else None
    return " · ".join(part for part in (played, opening.place, opening.event, by_rules(review)) if part)


def ruling(review: Review, name: str) -> str:
    """How this record's rules are read, as a sentence: ``A bid may be 0.``"""
    option = next(option for option in review.game.rulings if option.name == name)
    value = review.report.rulings[name]
    # True equals 1, but is another value.
    same = (known == value and type(known) is type(value) for known in option.values)
    sentences = [sentence for fits, sentence in zip(same, option.sentences, strict=False) if fits]
    return sentences[0] if sentences else f"{option.meaning[:1].upper()}{option.meaning[1:]}: {format_value(value)}."


def _reasons(review: Review) -> list[str]:
    players = review.opening.players
    scored = [entry for entry in review.scored if entry.reason.points]
    if not scored:
        return ["Nothing was scored."]
    rows = ["| move | player | points | why | rule |", "| --- | --- | --- | --- | --- |"]
    for seq, reason in scored:
        player, because = escape(review.names[players[reason.player]]), escape(review.named(reason.because))
        rows.append(f"| {review.place(seq)} | {player} | {reason.points} | {because} | `{reason.clause}` |")
    return rows


def all_readings(readings: "Readings", names: Mapping[str, str], rulings: Iterable[str]) -> Iterator[str]:
    """What depends on the `rulings` of a report, as lines for the terminal; `names` are by id."""
    tried = plural(len(readings.readings), "other reading")
    yield f"  rulings that matter here: {', '.join(rulings) or 'none'}; tried {tried}"
    for subject in ("verdict", "scores", "winners"):
        changing: tuple[str, ...] = getattr(readings.depends, subject)
        changes = f"changes with {', '.join(changing)}" if changing else "does not change with any single ruling"
        yield f"  {subject}: {changes}"
    for jointly in readings.jointly:
        yield f"  changes only with {listed(jointly)} together"
    for reading in readings.readings:
        if len(reading.rulings) == 1 or tuple(sorted(reading.rulings)) in readings.jointly:
            values = ", ".join(f"{name} = {format_value(value)}" for name, value in reading.rulings.items())
            scores = ", ".join(f"{names[player]} {score}" for player, score in reading.report.scores.items())
            winners = listed(map(names.__getitem__, reading.report.winners)) if reading.report.winners else "nobody"
            yield f"    {values}: {reading.report.verdict}; {scores}; {winners} won"
    if not readings.complete:
        yield "  not every combination of readings was tried"


def step_lines(review: Review) -> list[str]:
    """Every step as a line, and its findings below it."""
    lines = []
    for place, (step, digest) in enumerate(zip(review.steps, review.fingerprints(), strict=True)):
        standing = review.standing(place)
        scores = ", ".join(f"{name} {score}" for name, score in zip(review.names.values(), standing.shown, strict=True))
        lines.append(f"{place:>4}  {digest}  {review.words(place)}  | {scores}")
        lines += [
            f"      {finding.verdict}: {review.message(finding)} ({finding.clause})"
            for finding in review.findings.get(step.seq, ())
        ]
    return lines
