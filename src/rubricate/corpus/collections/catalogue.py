"""The table of collections: what each is, its versions and their sizes, who uses it, where a person gets it, the terms.

The papers: 000 Joachims 1996, 001 Lewis et al. 1996, 002 Schneider 2004, 003 Wilbur & Kim 2009, 004 Sable et al. 2002.
A fingerprint (see `fingerprint`) tells whether the documents a person has are those the table speaks of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ...foundation.arrays import Bools
    from .. import Columns, Corpus, Row

TEN_TOPICS = ("earn", "acq", "money-fx", "grain", "crude", "trade", "interest", "wheat", "ship", "corn")
_DISEASES = """Bacterial Infections and Mycoses; Virus Diseases; Parasitic Diseases; Neoplasms; Musculoskeletal Diseases;
Digestive System Diseases; Stomatognathic Diseases; Respiratory Tract Diseases; Otorhinolaryngologic Diseases;
Nervous System Diseases; Eye Diseases; Urologic and Male Genital Diseases; Female Genital Diseases and Pregnancy Complications;
Cardiovascular Diseases; Hemic and Lymphatic Diseases; Neonatal Diseases and Abnormalities; Skin and Connective Tissue Diseases;
Nutritional and Metabolic Diseases; Endocrine Diseases; Immunologic Diseases; Disorders of Environmental Origin; Animal Diseases;
Pathological Conditions, Signs and Symptoms"""
LABEL_NAMES = {
    f"C{n:02d}": name.strip() for n, name in enumerate(_DISEASES.split(";"), 1)
}  # OHSUMED's chapters of MeSH


@dataclass(frozen=True, slots=True)
class Part:
    """Documents, and the SHA-256 of their ids, labels and texts as read with the default options."""

    documents: int
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Version:
    """One way of using a collection. `parts`: train and test; or all, where the split is drawn by a seed."""

    name: str
    about: str
    parts: Mapping[str, Part]
    files: tuple[str, ...]
    sign: str
    aliases: tuple[str, ...] = ()
    labels: int = 0


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection, for people. `options`: load's extra keywords with their default, or choices, default first."""

    name: str
    title: str
    about: str
    papers: tuple[str, ...]
    source: str
    terms: str
    versions: tuple[Version, ...]
    aliases: tuple[str, ...] = ()
    options: Mapping[str, tuple[str, ...] | float | int] = field(default_factory=dict)

    @property
    def sizes(self) -> dict[str, dict[str, int]]:
        """Documents in each part of each version."""
        return {
            version.name: {name: part.documents for name, part in version.parts.items()} for version in self.versions
        }


class Split(NamedTuple):
    """Masks of the training and test documents (others are unused), and the labels that stay (None: all)."""

    train: Bools
    test: Bools
    labels: frozenset[str] | None = None


class CollectionReader(NamedTuple):
    """How a collection is read. `settings`: its options with their values."""

    columns: Callable[[dict[str, Any]], Columns]
    rows: Callable[..., Iterable[Row]]  # of path, name of the version, settings, tally
    split: Callable[[Corpus, str, dict[str, Any]], Split]


def comparable_name(name: str) -> str:
    """A name as it is compared: small letters and digits alone, so that `20_Newsgroups` is `20newsgroups`."""
    return "".join(filter(str.isalnum, name.lower()))


def _reuters(name: str, about: str, train: Part, test: Part, labels: int, *aliases: str) -> Version:
    return Version(name, about, {"train": train, "test": test}, ("reuters21578",), "reut2-000.sgm", aliases, labels)


REUTERS = Collection(
    name="reuters21578",
    title="Reuters-21578, Distribution 1.0",
    about="21,578 newswire stories of 1987 with economic topics, several or none each; 22 SGML files",
    papers=("000", "002", "003", "004"),
    source=(
        "David D. Lewis's page of test collections (daviddlewis.com, Resources, Reuters-21578) and the UCI Machine "
        "Learning Repository (Reuters-21578 Text Categorization Collection): reuters21578.tar.gz"
    ),
    terms="Copyright Reuters Ltd.; free for research only. Name the collection and its place when you publish.",
    aliases=("reuters",),
    versions=(
        _reuters(
            "modapte",
            "the Modified Apte split: TOPICS=YES, LEWISSPLIT as given; documents without topics stay in",
            Part(9603, "5f2439ce3a58dc500fba5ad2b9a6f19513bbb2faed3bf56c5982fc2fd02f153b"),
            Part(3299, "8f612d2203668b4875f4ea44ab7feeccb7b48a3e88e1c7b5cf833a19dffa624b"),
            118,
            "apte",
        ),
        _reuters(
            "modlewis",
            "the Modified Lewis split: TOPICS=YES or NO, LEWISSPLIT as given; 1,765 documents are unused",
            Part(13625, "74b7926e42402d0bc023fee43230a4270696d05664416f82bbd15c592679ae25"),
            Part(6188, "61719cf44dfe96970e5639daf409d658be76a88e1aab0403c65c6e2a8f99f9f3"),
            118,
            "lewis",
        ),
        _reuters(
            "90",
            "ModApte's documents with at least one of the 90 topics that have a training and a test document (004)",
            Part(7770, "5aca57079e061ecddaeb65b0689e027188fcf9fe0d53ad861707e3e68415536a"),
            Part(3019, "ae6057545b2feb4c3fe9798a4fdb1e9699a3b29241ed1c9e4548325dbf84bfe0"),
            90,
            "r90",
            "90topics",
        ),
        _reuters(
            "10",
            "all of ModApte's documents, labels cut down to the ten largest topics: the binary problems of 002 and 003 "
            "set each topic against every other document",
            Part(9603, "c0ab92effbce416e2faa42ac87a297cf3904540f2c27da4b40734051edb22cf8"),
            Part(3299, "8c0b1cd62054b856a988ac5d9f99b7d72223203a55233e198898892110ba4ec5"),
            10,
            "r10",
            "10topics",
        ),
        _reuters(
            "joachims",
            "all documents: to 1987-04-07 for training, later ones for testing (000). The paper's 14,704 / 6,746 are "
            "those of the older Reuters-22173, which had duplicates, without its 723 articles of LEWISSPLIT=NOT-USED; "
            "leaving these out here gives 14,668 / 6,188",
            Part(14824, "aaeae42bf2238e62e5e70244a34704a2ef61cf82eeba7853205d8de65d06c0de"),
            Part(6754, "3a1e3024d5687006f529759b7050d2dd58febfb2ce06fcab5f12e3acbd70006d"),
            120,
            "bydate",
        ),
    ),
)

NEWSGROUPS = Collection(
    name="20newsgroups",
    title="20 Newsgroups",
    about="Usenet articles of 1993 from twenty groups, one file an article",
    papers=("000", "002", "003"),
    source=(
        "Jason Rennie's page '20 Newsgroups' (qwone.com/~jason/20Newsgroups): 20news-19997.tar.gz and "
        "20news-bydate.tar.gz; the first also from the UCI KDD Archive (Twenty Newsgroups): 20_newsgroups.tar.gz"
    ),
    terms="Collected by Ken Lang; authors keep their rights in their articles. Use it for research.",
    aliases=("20news", "20ng", "newsgroups", "twentynewsgroups"),
    options={
        "headers": ("subject", "none", "safe", "all"),
        "crossposts": ("copies", "merged"),
        "test": 0.33,
        "seed": 0,
    },
    versions=(
        Version(
            "19997",
            "the original 19,997 articles; the split is drawn at random, stratified, a third for testing (000)",
            {"all": Part(19997, "3bbf5b10293f7e1d1fdbe5f727d5d9f9d57891db8e3bc083fdf5137a0230bc6f")},
            ("20_newsgroups", "20news-19997"),
            "alt.atheism",
            ("original",),
            20,
        ),
        Version(
            "bydate",
            "18,846 articles, duplicates removed, the later ones of each group for testing",
            {
                "train": Part(11314, "01cd35668c44d5a99c88902a2ad4e507dd691bfebb4fbfad1ab685982e257ecb"),
                "test": Part(7532, "c0c3f233497796c933d9626e8e4f6477c1cf8c7db5ad0ed82d64df7e8ee5e920"),
            },
            ("20news-bydate",),
            "20news-bydate-train",
            ("18846",),
            20,
        ),
    ),
)

OHSUMED = Collection(
    name="ohsumed",
    title="OHSUMED, the first 20,000 abstracts of 1991",
    about="13,929 MEDLINE titles and abstracts with one or several of 23 MeSH chapters of diseases",
    papers=("001",),
    source=(
        "Alessandro Moschitti's page of text categorization corpora, University of Trento "
        "(disi.unitn.it/moschitti/corpora.htm): ohsumed-first-20000-docs.tar.gz"
    ),
    terms="From Oregon Health Sciences University's OHSUMED (Hersh et al. 1994); for research, no clinical use. "
    "001 used all of OHSUMED 1987-91: `readers.medline` reads those files.",
    versions=(
        Version(
            "first20000",
            "the split that came with it: the first 10,000 abstracts for training, the next 10,000 for testing",
            {
                "train": Part(6286, "764c6468ffca74a14fb1360c84db0b261c0cadb1b150264952b92318edbe9245"),
                "test": Part(7643, "fcbbbbe5ee63a9fbec4fed7ba4f98a632b08095d09f23371ea0e738a71696e2f"),
            },
            ("ohsumed-first-20000-docs",),
            "training",
            ("first-20000-docs",),
            23,
        ),
    ),
)

WEBKB = Collection(
    name="webkb",
    title="WebKB, the 4 Universities Data Set",
    about="8,281 web pages of computer science departments, January 1997, in seven categories",
    papers=("003",),
    source=(
        "Carnegie Mellon University, World Wide Knowledge Base project, 'The 4 Universities Data Set' "
        "(cs.cmu.edu/~webkb): webkb-data.gtar.gz"
    ),
    terms="Collected by CMU's text learning group for research; authors keep their rights in their pages.",
    aliases=("4universities",),
    options={"test_university": ("cornell", "texas", "washington", "wisconsin", "misc")},
    versions=(
        Version(
            "university",
            "one university's pages for testing (Cornell, as in 003), all others for training",
            {
                "train": Part(7414, "68fc66db5e8d1e23efdeac5da87a16756ba9d4f8625abf4a26083934bc2de74d"),
                "test": Part(867, "a96569a816ca0aabb592ebac841a864dc1cbeb70c5f029f1dd8d68a16c925ccc"),
            },
            ("webkb", "webkb-data", "webkb-data.gtar"),
            "course",
            (),
            7,
        ),
    ),
)

ENQUIRIES = Collection(
    name="enquiries",
    title="Enquiries to the Harrowgate Valley Libraries",
    about="1,200 enquiries to a public library's help desk with one to three of eight labels, and 120 later ones without",
    papers=(),
    source="the package itself",
    terms="Written by the rubricate team for this package, MIT licence; people, places and addresses are invented.",
    aliases=("sample", "demo"),
    versions=(
        Version(
            "labelled",
            "enquiries of 2025 for training, of January to March 2026 for testing",
            {
                "train": Part(1010, "2102a588e09dcd12a2499bfe2eae7cf19a25418bf1160a7bcf5e76b939c3a5f7"),
                "test": Part(190, "3e4027c541431486bad13924d5f53eb30fcfa78aec960f86964a6708387f7844"),
            },
            ("enquiries",),
            "",
            (),
            8,
        ),
        Version(
            "new",
            "enquiries that came later, without labels",
            {"all": Part(120, "b37f9228e64984525aef085ff4365ee401f69df4b2f89a04eb8a6d01bfe5cd2e")},
            ("enquiries_new",),
            "",
            ("unlabelled",),
            0,
        ),
    ),
)

COLLECTIONS: dict[str, Collection] = {
    collection.name: collection for collection in (ENQUIRIES, REUTERS, NEWSGROUPS, OHSUMED, WEBKB)
}
