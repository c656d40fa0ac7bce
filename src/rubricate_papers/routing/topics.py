"""The texts of the topics: what a person who looks for a category would write, in a few words.

Reuters: the descriptions that come with the collection (cat-descriptions_120396.txt, list of P. Hayes, 1990). Commodities stand
there as bare codes; they are read as words, hyphens as spaces, and abbreviations are written out (`SPELT`, by us).
OHSUMED: the names of MeSH's disease chapters C01 to C23 (`collections.LABEL_NAMES`). Source: 001 sec. 7.1, where topics are a
paragraph by TREC's assessors.
"""

from __future__ import annotations

import rubricate as rb

DESCRIBED = {
    "acq": "Mergers/Acquisitions",
    "bop": "Balance of Payments",
    "cpi": "Consumer Price Index",
    "cpu": "Capacity Utilisation",
    "crude": "Crude Oil",
    "dfl": "Netherlands Guilder/Florin",
    "dlr": "U.S. Dollar",
    "dmk": "D-Mark",
    "earn": "Earnings and Earnings Forecasts",
    "fuel": "Fuel Oil",
    "gas": "Gasoline",
    "gnp": "Gross National/Domestic Product",
    "heat": "Heating Oil/Gas Oil",
    "housing": "Housing Starts",
    "income": "Personal Income",
    "instal-debt": "Instalment Debt/Consumer Credit",
    "interest": "Interest Rates",
    "ipi": "Industrial Production Index",
    "jet": "Jet and Kerosene",
    "jobs": "Unemployment",
    "lei": "Leading Economic Indicators",
    "money-fx": "Money/Foreign Exchange",
    "money-supply": "Money Supply",
    "naphtha": "Naphtha",
    "nat-gas": "Natural Gas",
    "nkr": "Norwegian Krone/Crown",
    "nzdlr": "New Zealand Dollar",
    "pet-chem": "Petro-Chemicals",
    "propane": "Propane",
    "rand": "South African Rand",
    "reserves": "Reserves",
    "retail": "Retail Sales",
    "ship": "Shipping",
    "trade": "Trade",
    "wpi": "Wholesale Price Index",
    "yen": "Japanese Yen",
}
SPELT = {
    "alum": "aluminium aluminum",
    "l-cattle": "live cattle",
    "lin-oil": "linseed oil",
    "palmkernel": "palm kernel",
    "rape-oil": "rapeseed oil",
    "soy-meal": "soybean meal",
    "soy-oil": "soybean oil",
    "sun-meal": "sunflower meal",
    "sun-oil": "sunflower oil",
    "sunseed": "sunflower seed",
    "veg-oil": "vegetable oil",
}


def text_of(label: str) -> str:
    """The text of a topic, by the label of its documents."""
    known = rb.collections.LABEL_NAMES.get(label) or DESCRIBED.get(label) or SPELT.get(label)
    return known or label.replace("-", " ")
