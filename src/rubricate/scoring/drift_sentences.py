"""A drift in plain words: what has changed and by how much, or how large a change would have had to be in order to be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..foundation.share_text import decimals, p_value, per_cent

if TYPE_CHECKING:
    from .drift import Difference, Drift

MOST_LABELS = 10  # that are named


def sentences(drift: Drift) -> list[str]:
    """The documents that were compared; changes that can be shown; those that cannot."""
    of_what = (
        "training documents, each as a model that had not seen it answers" if drift.held_out else "reference documents"
    )
    out = [f"{drift.documents:,} new documents beside {drift.reference_documents:,} {of_what}."]
    changed = sorted((label for label in drift.labels if label.changed), key=lambda label: label.adjusted)
    for label in changed[:MOST_LABELS]:
        out.append(f"Label {label.name!r}: {change(label)} of the documents ({p_value(label.adjusted)}).")
    if len(changed) > MOST_LABELS:
        out.append(f"So have the shares of {len(changed) - MOST_LABELS:,} further labels changed.")
    if drift.labels_changed and not changed:
        p = p_value(drift.labels_adjusted)
        out.append(f"The labels' shares have changed as a whole ({p}), though of no single label can it be shown.")
    if drift.unknown_terms.changed:
        p = p_value(drift.unknown_terms.adjusted)
        out.append(f"Terms that the model does not know: {change(drift.unknown_terms)} of a document's terms ({p}).")
    if drift.certainty.changed:
        before, now = decimals(drift.certainty.before), decimals(drift.certainty.now)
        out.append(f"Mean certainty: {before} -> {now} ({p_value(drift.certainty.adjusted)}).")
    if drift.length.changed:
        before, now = f"{drift.length.before:,.0f}", f"{drift.length.now:,.0f}"
        out.append(f"Typical length: {before} -> {now} terms ({p_value(drift.length.adjusted)}).")
    return out + ([] if (sentence := not_shown(drift)) is None else [sentence])


def change(difference: Difference) -> str:
    return f"{per_cent(difference.before, 1)} % -> {per_cent(difference.now, 1)} %"


def not_shown(drift: Drift) -> str | None:
    """What has not been shown to change, and the change that would have been shown four times out of five."""
    parts = []
    if drift.labels and not drift.labels_changed:
        label = max(drift.labels, key=lambda row: row.before)
        parts.append(
            f"{points(label.detectable)} points in the share of {label.name!r} ({per_cent(label.before, 1)} %)"
        )
    if not drift.unknown_terms.changed:
        parts.append(f"{points(drift.unknown_terms.detectable)} points in the share of unknown terms")
    if not drift.certainty.changed:
        parts.append(f"{drift.certainty.detectable:.3f} in certainty")
    if not drift.length.changed:
        parts.append(f"{100 * drift.length.detectable / (drift.length.before + 1):.0f} % in length")
    if not parts:
        return None
    what = "No change can be shown" if not drift.changed else "No other change can be shown"
    needed = "; ".join(parts)
    return f"{what} with {drift.documents:,} documents; for four chances in five to see it, it must be about {needed}."


def points(share: float) -> str:
    return f"{100 * share:.1f}"
