"""An example of each command, for its page: a sentence, and what is typed and shown.

tests/docs/test_docs.py types them, each page in an empty folder, and compares what is shown with standard output: `…` on a line
of its own stands for any lines, inside a line for anything. What a command prints is not compared where nothing is shown. An
example that needs real collections has no `$` and is not run. A command without an example fails the tests.
"""

from __future__ import annotations

__all__ = ["EXAMPLES"]

TRAIN = "$ rubricate train enquiries --part train -m prtfidf -o enquiries.rub\n"

EXAMPLES = {
    "collections": (
        "The sample that ships inside is the collection that is always there:",
        """\
$ rubricate collections enquiries
enquiries  Enquiries to the Harrowgate Valley Libraries
…
""",
    ),
    "compare": (
        "Is a support vector machine better than PrTFIDF on the enquiries of the last months, or only luckier?",
        TRAIN
        + """\
$ rubricate train enquiries --part train -m svm -o svm.rub
$ rubricate compare enquiries.rub svm.rub enquiries --part test
190 documents
   system     microF1     95 % interval
a  enquiries   0.8571  0.8199 to 0.8929
b  svm         0.8842  0.8485 to 0.9153
…
""",
    ),
    "count": (
        "Count the sample once, into one file; from then on the text is not needed:",
        """\
$ rubricate count enquiries -o enquiries.counts
enquiries.counts: 1,200 documents, 8 labels, 5,470 terms, … bytes
$ rubricate terms enquiries.counts --top 2
term  occurrences  documents
the         2,394        995
a           1,154        704
""",
    ),
    "demo": (
        "The tour, with its files in a folder of your choice:",
        """\
$ rubricate demo --out tour
1. A first look at the documents and their labels
$ rubricate info enquiries
…
""",
    ),
    "drift": (
        "Are the enquiries that came later like those of the training ([what is compared](../../drift.md))?",
        TRAIN
        + """\
$ rubricate drift enquiries.rub enquiries --version new --top 2
120 new documents beside 1,010 training documents, each as a model that had not seen it answers.
Typical length: 37 -> 33 terms (p = 0.0032).
No other change can be shown with 120 documents; …
…
""",
    ),
    "evaluate": (
        "Judge a model on documents that it has not seen, and write the page ([how to read it](../../reading-the-report.md)):",
        TRAIN
        + """\
$ rubricate evaluate enquiries.rub enquiries --part test --report page.html
enquiries.rub on 190 documents of enquiries

Of 100 labels that it gives, 87 are right; between 83 and 92 is likely.
Of 100 labels that you gave, it finds 84; between 79 and 89 is likely.
…
""",
    ),
    "explain": (
        "Why a sentence gets its labels, and why it does not get another:",
        TRAIN
        + """\
$ rubricate explain enquiries.rub "The app says my card has expired" --top 3
account: yes; probability 0.975, score 0.370, threshold 0.243
  adds  term
+0.114  card
+0.095  expired
+0.050  my
+0.111  (all other terms)
+0.000  (before any term)
…
$ rubricate explain enquiries.rub "The app says my card has expired" --label events --top 3
events: no; probability 0.002, score 0.060, threshold 0.181
…
""",
    ),
    "forget": (
        "Learn the enquiries of the last months, then take them back out. A count model forgets exactly:",
        TRAIN
        + """\
$ rubricate split enquiries --test-set "date>=2026-01-01" -o parts
$ rubricate learn enquiries.rub parts/test.jsonl -o more.rub
$ rubricate forget more.rub parts/test.jsonl -o again.rub
again.rub: forgot 190 documents by its statistics, exactly; thresholds and calibration are those of the last fit; …
…
""",
    ),
    "info": (
        "A first look at the sample:",
        """\
$ rubricate info enquiries
enquiries labelled: 1,200 documents, fields subject, text
5,470 terms; terms a document: 7 to 110, median 37, mean 38.9; 0 documents have none
8 labels; documents by number of labels: 1,000 with 1, 176 with 2, 24 with 3
…
""",
    ),
    "inspect": (
        "The threshold of one label and the terms that it goes by:",
        TRAIN
        + """\
$ rubricate inspect enquiries.rub --label research --terms 5
…
label     documents  threshold  its interval    expected F  interval
research        108      0.163  0.142 to 0.179       0.860  0.804 to 0.913

research: archive 0.83, history 0.68, local 0.69, photographs 0.79, census 0.83
""",
    ),
    "learn": (
        "Add the enquiries of the last months to a model. A count model does so exactly; others are fitted anew:",
        TRAIN
        + """\
$ rubricate split enquiries --test-set "date>=2026-01-01" -o parts
$ rubricate learn enquiries.rub parts/test.jsonl -o more.rub
more.rub: learned 190 further documents by its statistics, exactly; thresholds and calibration are those of the last fit; …
…
""",
    ),
    "merge": (
        "Count two parts apart, add them up, take one back out:",
        """\
$ rubricate split enquiries --test-set 0.25 -o parts
$ rubricate count parts/train.jsonl -o train.counts
$ rubricate count parts/test.jsonl -o test.counts
$ rubricate merge train.counts test.counts -o all.counts
all.counts: 1,200 documents, 8 labels, 5,470 terms
$ rubricate merge all.counts --minus test.counts -o again.counts
again.counts: 900 documents, 8 labels, 4,645 terms
""",
    ),
    "label-errors": (
        "Of the sample, the document whose labels are contradicted most. Either people were wrong or the model is; here a person "
        "would keep «building» and add nothing:",
        """\
$ rubricate label-errors enquiries -m svm --top 1
295 of 1,200 documents have labels that support vector on ltc contradicts, unseen

HV-0433  has building; others are 32,832 times more probable
  improbable: building (0.033)
  probable, and not given: events (0.999)
…
""",
    ),
    "predict": (
        "Labels for enquiries that came later. Documents that are not all right with probability 0.5 are left to a person; "
        "`--to` gives other forms:",
        TRAIN
        + """\
$ rubricate predict enquiries.rub enquiries --version new --abstain 0.5 -o answers.jsonl
$ rubricate predict enquiries.rub enquiries --version new --to tsv -k 1
id	labels	probabilities
HV-1201	borrowing	0.953385
HV-1202	purchase	0.876917
…
""",
    ),
    "replicate": (
        "Needs the collections, so nothing is run in the tests of this page ([replications](../../replications.md)):",
        "rubricate replicate joachims --data FOLDER --quick\n",
    ),
    "route": (
        "A topic learns from the enquiries of 2025, whose labels stand in for a person; then the next months pass by:",
        """\
$ rubricate topic new events "talks, readings and story time: when do they take place, and can I book a seat?"
$ rubricate topic evaluate --from enquiries --part train --all-documents --qrels-out judged.qrels
$ rubricate topic judge --qrels judged.qrels --from enquiries --part train
$ rubricate route enquiries --part test
{"id":"HV-1014","topics":[{"topic":"events","score":…}]}
{"id":"HV-1033","topics":[{"topic":"events","score":…}]}
…
""",
    ),
    "serve": (
        "A service goes on until it is stopped, so nothing is run in the tests of this page ([serving](../../serving.md)):",
        "rubricate serve enquiries.rub --port 8765\n",
    ),
    "page": (
        "A model for somebody without Python ([what the page does](../../page.md)):",
        TRAIN
        + """\
$ rubricate page enquiries.rub -o enquiries.html
enquiries.html: … bytes; 8 labels, 5,027 terms
it holds terms of the training documents, 2,738 of which only one document has (names and numbers are among such): …
…
$ rubricate page enquiries.rub -o enquiries.html --min-documents 3 --check enquiries.jsonl
enquiries.html: … bytes; 8 labels, 1,565 terms
…
changed: … of 1,200 documents of enquiries.jsonl get other labels; scores differ by … at most
""",
    ),
    "screen": (
        "What to judge first in a pile of which nothing is known but a sentence ([following a topic](../../routing.md)):",
        """\
$ rubricate topic new digital "e-books, audiobooks and the app: downloads and streaming"
$ rubricate screen enquiries --topic digital --next 3
document   score  why        begins
HV-1184   0.2061  relevance  new phone, new trouble New phone and the app's signed me …
…
""",
    ),
    "simulate": (
        "How much reading would have been saved for one label of the sample (one seed is too few to tell; say more):",
        """\
$ rubricate simulate enquiries --label events --says "events=talks, readings and story time" --seeds 1
topic   relevant  judged for 95 %  saved (WSS@95)  range  one-shot  random
events       159              452           0.573  0.000     0.121  -0.017
…
""",
    ),
    "split": (
        "By date, so that the test part is later than the training part, as it is in use:",
        """\
$ rubricate split enquiries --test-set "date>=2026-01-01" -o parts
parts/train.jsonl: 1,010 documents; parts/test.jsonl: 190 documents
""",
    ),
    "terms": (
        "Which words tell the label «research» from the rest:",
        """\
$ rubricate terms enquiries --label research --recipe stop=english --top 3
term     information  documents of research  documents
archive       0.0869                     46         48
local         0.0570                     37         45
history       0.0564                     38         48
""",
    ),
    "topic": (
        "A topic from a sentence, a ranking, a judgement ([following a topic](../../routing.md) goes on from here):",
        """\
$ rubricate topic new events "talks, readings and story time: when do they take place, and can I book a seat?"
events: looks for book, place, readings, seat, story, take, talks, time
$ rubricate topic rank events enquiries --top 2
rank  document   score  passes  judged
   1  HV-0938   0.1556
   2  HV-0862   0.1432
$ rubricate topic judge events HV-0938 yes
1 judgement kept
…
""",
    ),
    "warm": (
        "For an image, where the first user should not wait ([containers and servers](../../containers.md)):",
        """\
$ rubricate warm kernels
$ NUMBA_CACHE_DIR=kernels rubricate count enquiries -o enquiries.counts
""",
    ),
    "train": (
        "A model of your own choice, judged at the end on a quarter of the documents. Without `-m` the usual ways are tried, and "
        "the simplest that is not significantly worse than the best is taken:",
        """\
$ rubricate train enquiries -m multinomial:smoothing=0.01 --select chi2:2000 --test-set 0.25 -o mine.rub
mine.rub: multinomial (smoothing 0.01) of chi2:2000; 900 documents, 8 labels, several labels a document, 2,000 terms, …
…
""",
    ),
}
