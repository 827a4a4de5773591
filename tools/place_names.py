#!/usr/bin/env python3
"""Writes a C++ file with the names of countries and of the parts of some, from Debian's package iso-codes.

Usage: place_names.py OUTPUT [FOLDER]

FOLDER is /usr/share unless said otherwise. It has iso-codes/json and, where the machine keeps translations,
locale/LANGUAGE/LC_MESSAGES; without those there are the names of the standard alone.
"""

import gettext
import json
import pathlib
import re
import sys
import unicodedata

from embed_page import literal, write_if_changed

LANGUAGES = ["ar", "cs", "da", "de", "el", "es", "fi", "fr", "he", "hi", "it", "ja", "ko", "nb_NO", "nb", "nl", "pl",
             "pt", "pt_BR", "ru", "sv", "th", "tr", "uk", "zh_CN", "zh_TW"]

# The parts of countries that people name without saying where they are: of which countries, and of which types.
PARTS = {
    "AR": {"Province"}, "AT": {"State"}, "AU": {"State", "Territory"}, "BE": {"Region"}, "BR": {"State"},
    "CA": {"Province", "Territory"}, "CH": {"Canton"}, "CN": {"Province", "Municipality", "Autonomous region"},
    "CZ": {"Region"}, "DE": {"Land"}, "DK": {"Region"}, "ES": {"Autonomous community"},
    "FR": {"Metropolitan region"}, "GB": {"Country", "Nation"}, "IN": {"State"}, "IT": {"Region", "Autonomous region"},
    "JP": {"Prefecture"}, "KR": {"Province", "Metropolitan city"}, "MX": {"State"}, "NL": {"Province"},
    "PL": {"Voivodship"}, "RU": {"Republic"}, "UA": {"Oblast"}, "US": {"State"}, "ZA": {"Province"},
}

# Words that are also, or above all, something else.
ORDINARY = {
    "central", "centre", "centro", "centrum", "center", "distrito federal", "federal", "federal district", "norte", "ouest",
    "praha", "amazonas", "para", "pará", "acre", "guerrero", "morelos", "hidalgo", "entre ríos", "santa cruz", "san juan",
    "san luis", "la pampa", "chaco", "formosa", "salta", "córdoba", "colima", "méxico", "victoria", "jura", "uri", "zug",
    "nara", "mie", "gifu", "limburg", "misiones", "corrientes", "provincia", "state", "nation", "marche", "molise", "marken", "mark",
    "hoofdstad", "hovedstaden", "freistaat", "flamande", "wallonne", "nordwest", "north-west", "nord-ouest", "noord-west",
    "nordoccidentale", "nordvest", "free state", "saga", "marcas", "heiligkreuz", "benim", "viro", "cocos", "saha", "stato libero",
}


def translations(folder, language, domain):
    path = folder / "locale" / language / "LC_MESSAGES" / f"{domain}.mo"
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)


def spellings(name):
    """A name as people write it: without what is in brackets, and without the official form behind a comma."""
    name = unicodedata.normalize("NFC", name)
    name = re.sub(r"\s*[\[(（].*", "", name).replace("\u200e", "").replace("\u200f", "").replace("\u00a0", " ").strip(" *")
    found = set()
    for form in name.split(";"):
        found |= {form.split(",")[0].strip(), re.sub(r"^([^,]*), (.*)$", r"\2 \1", form).strip()}
    return [form for form in found if form]


def is_usable(name, is_country):
    lowered = name.lower()
    if lowered in ORDINARY:
        return False
    if not name[0].isalpha() or len(name.encode()) > 80:
        return False
    if name[0].islower():
        return False
    cased = name[0].upper() != name[0].lower()
    # One character of Han is a word of its own too often, and three letters are.
    return len(name) >= (4 if cased else 2)


def collect(folder):
    """Name -> whether it is a country's."""
    json_folder = folder / "iso-codes" / "json"
    countries = json.loads((json_folder / "iso_3166-1.json").read_text("utf-8"))["3166-1"]
    parts = json.loads((json_folder / "iso_3166-2.json").read_text("utf-8"))["3166-2"]
    originals = {True: set(), False: set()}
    for country in countries:
        for key in ("name", "common_name", "official_name"):
            if key in country:
                originals[True].add(country[key])
    for part in parts:
        if part["type"] in PARTS.get(part["code"][:2], ()):
            originals[False].add(part["name"])
    names, languages = {}, 0
    for is_country, domain in ((False, "iso_3166-2"), (True, "iso_3166-1")):
        found = set(originals[is_country])
        for language in LANGUAGES:
            catalog = translations(folder, language, domain)
            if catalog is not None:
                languages += is_country
                found |= {catalog.gettext(name) for name in originals[is_country]}
        for name in found:
            for spelling in spellings(name):
                if is_usable(spelling, is_country):
                    names[spelling] = is_country
    # What people say, and the standard does not.
    for name in ("England", "Scotland", "Wales", "Great Britain", "USA", "United States", "Russia", "South Korea", "North Korea",
                 "Turkey", "Iran", "Vietnam", "Syria", "Laos", "Bolivia", "Venezuela", "Tanzania", "Moldova"):
        names[name] = True
    return names, languages


def main():
    output = pathlib.Path(sys.argv[1])
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "/usr/share")
    names, languages = collect(folder)
    blob, offsets = b"", []
    for name in sorted(names, key=lambda name: name.encode()):
        offsets.append(len(blob) * 2 + names[name])
        blob += name.encode()
    offsets.append(len(blob) * 2)
    rows = [", ".join(map(str, offsets[i:i + 12])) for i in range(0, len(offsets), 12)]
    text = "\n".join([
        '#include "words/internal/place_table.h"', "", "#include <array>", "#include <cstdint>", "#include <string_view>", "",
        "namespace tintype::words::internal {", "namespace {", "",
        "constexpr char kNames[] =", literal(blob) + ";", "",
        f"constexpr std::array<uint32_t, {len(offsets)}> kOffsets = {{", *(f"    {row}," for row in rows), "};", "",
        "}  // namespace", "",
        "PlaceTable Places() {",
        f"  return {{std::string_view(kNames, sizeof kNames - 1), kOffsets, {languages}}};", "}", "",
        "}  // namespace tintype::words::internal", ""])
    write_if_changed(output, text)


if __name__ == "__main__":
    main()
