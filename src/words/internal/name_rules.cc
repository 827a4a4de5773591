#include <algorithm>
#include <array>

#include "words/internal/entity_rules.h"
#include "words/stop_words.h"

namespace tintype::words::internal {
namespace {

constexpr size_t kNameWordsMax = 4;
constexpr double kFullNameScore = 0.9;
constexpr double kOneNameScore = 0.8;
constexpr double kLegalFormScore = 0.9;
constexpr double kInstitutionScore = 0.75;

struct PersonTitle {
  std::string_view word;      // In lower case.
  std::string_view language;  // The only one in which it is a title; empty: any.
  bool is_lower_too = false;  // Is also written with a small letter.
};
constexpr std::array kTitles = {
    PersonTitle{"mr", ""},
    PersonTitle{"mrs", ""},
    PersonTitle{"ms", ""},
    PersonTitle{"miss", "en"},
    PersonTitle{"mx", "en"},
    PersonTitle{"dr", ""},
    PersonTitle{"prof", ""},
    PersonTitle{"professor", ""},
    PersonTitle{"doctor", "en"},
    PersonTitle{"sir", "en"},
    PersonTitle{"dame", "en"},
    PersonTitle{"president", "en"},
    PersonTitle{"senator", "en"},
    PersonTitle{"judge", "en"},
    PersonTitle{"captain", "en"},
    PersonTitle{"herr", ""},
    PersonTitle{"herrn", "de"},
    PersonTitle{"frau", ""},
    PersonTitle{"monsieur", "", true},
    PersonTitle{"madame", "", true},
    PersonTitle{"mademoiselle", "", true},
    PersonTitle{"mme", ""},
    PersonTitle{"mlle", ""},
    PersonTitle{"m", "fr"},
    PersonTitle{"docteur", "fr", true},
    PersonTitle{"señor", "", true},
    PersonTitle{"señora", "", true},
    PersonTitle{"señorita", "", true},
    PersonTitle{"sr", ""},
    PersonTitle{"sra", ""},
    PersonTitle{"srta", ""},
    PersonTitle{"don", "es", true},
    PersonTitle{"doña", "es", true},
    PersonTitle{"signor", "", true},
    PersonTitle{"signora", "", true},
    PersonTitle{"sig", "it"},
    PersonTitle{"dottor", "it", true},
    PersonTitle{"dottoressa", "it", true},
    PersonTitle{"senhor", "", true},
    PersonTitle{"senhora", "", true},
    PersonTitle{"dona", "pt", true},
    PersonTitle{"meneer", "", true},
    PersonTitle{"mevrouw", "", true},
    PersonTitle{"dhr", "nl", true},
    PersonTitle{"mevr", "nl", true},
    PersonTitle{"fru", "", true},
    PersonTitle{"fröken", "sv", true},
    PersonTitle{"hr", "", true},
    PersonTitle{"frk", "", true},
    PersonTitle{"herra", "fi", true},
    PersonTitle{"rouva", "fi", true},
    PersonTitle{"pan", "pl", true},
    PersonTitle{"pana", "pl", true},
    PersonTitle{"panu", "pl", true},
    PersonTitle{"pani", "pl", true},
    PersonTitle{"panią", "pl", true},
    PersonTitle{"pan", "cs", true},
    PersonTitle{"pana", "cs", true},
    PersonTitle{"paní", "cs", true},
    PersonTitle{"sayın", "tr", true},
    PersonTitle{"bay", "tr"},
    PersonTitle{"bayan", "tr"},
    PersonTitle{"господин", "", true},
    PersonTitle{"господина", "", true},
    PersonTitle{"госпожа", "", true},
    PersonTitle{"г-н", "", true},
    PersonTitle{"г-жа", "", true},
    PersonTitle{"профессор", "", true},
    PersonTitle{"доктор", "", true},
    PersonTitle{"пан", "uk", true},
    PersonTitle{"пані", "uk", true},
    PersonTitle{"κύριος", "", true},
    PersonTitle{"κύριο", "", true},
    PersonTitle{"κυρία", "", true},
    PersonTitle{"κ", "el", true},
};
constexpr auto kParticles = std::to_array<std::string_view>(
    {"von", "van", "de",  "der", "den", "del", "della", "di", "da",  "dos", "das", "du",
     "la",  "le",  "bin", "al",  "el",  "ten", "ter",   "zu", "zur", "af",  "av",  "y"});

/// What companies write behind their names. The longer of two that begin alike comes first.
constexpr auto kLegalForms = std::to_array<std::string_view>(
    {"Inc.",      "Inc",        "Incorporated", "Corp.",       "Corp",  "Corporation",
     "Co., Ltd.", "Co. KG",     "Co. Ltd.",     "Ltd.",        "Ltd",   "Limited",
     "LLC",       "L.L.C.",     "LLP",          "PLC",         "plc",   "GmbH & Co. KG",
     "GmbH",      "gGmbH",      "mbH",          "AG & Co. KG", "AG",    "KGaA",
     "KG",        "OHG",        "UG",           "e.V.",        "eG",    "SE & Co. KGaA",
     "SE",        "S.A.S.",     "S.A.",         "SAS",         "SARL",  "S.p.A.",
     "SpA",       "S.r.l.",     "Srl",          "S.L.",        "Ltda.", "Ltda",
     "B.V.",      "BV",         "N.V.",         "NV",          "A/S",   "ApS",
     "ASA",       "AB",         "Oyj",          "Oy",          "a.s.",  "s.r.o.",
     "A.Ş.",      "sp. z o.o.", "Sp. z o.o.",   "SA"});
constexpr auto kInstitutions = std::to_array<std::string_view>(
    {"University", "College", "Foundation", "Institute", "Airlines", "Company", "Holdings", "Group",
     "Stiftung", "Universität", "Hochschule"});

/// Words that an organisation begins with, and those of which one has to follow.
struct Heading {
  std::string_view word;
  std::string_view links;  // With blanks around each.
};
constexpr std::string_view kEnglishLinks = " of for ";
constexpr std::string_view kGermanLinks = " für der des zu von ";
constexpr std::string_view kFrenchLinks = " de du des ";
constexpr std::string_view kSpanishLinks = " de del ";
constexpr std::string_view kItalianLinks = " di del della degli dei ";
constexpr std::string_view kPortugueseLinks = " de do da dos ";
constexpr std::array kHeadings = {
    Heading{"University", kEnglishLinks},
    Heading{"College", kEnglishLinks},
    Heading{"Bank", kEnglishLinks},
    Heading{"Ministry", kEnglishLinks},
    Heading{"Department", kEnglishLinks},
    Heading{"Institute", kEnglishLinks},
    Heading{"Museum", kEnglishLinks},
    Heading{"Academy", kEnglishLinks},
    Heading{"Bureau", kEnglishLinks},
    Heading{"Society", kEnglishLinks},
    Heading{"Association", kEnglishLinks},
    Heading{"Federation", kEnglishLinks},
    Heading{"Universität", kGermanLinks},
    Heading{"Hochschule", kGermanLinks},
    Heading{"Institut", kGermanLinks},
    Heading{"Ministerium", kGermanLinks},
    Heading{"Bundesministerium", kGermanLinks},
    Heading{"Bundesamt", kGermanLinks},
    Heading{"Gesellschaft", kGermanLinks},
    Heading{"Université", kFrenchLinks},
    Heading{"Ministère", kFrenchLinks},
    Heading{"Institut", kFrenchLinks},
    Heading{"Banque", kFrenchLinks},
    Heading{"Musée", kFrenchLinks},
    Heading{"Universidad", kSpanishLinks},
    Heading{"Ministerio", kSpanishLinks},
    Heading{"Instituto", kSpanishLinks},
    Heading{"Banco", kSpanishLinks},
    Heading{"Museo", kSpanishLinks},
    Heading{"Università", kItalianLinks},
    Heading{"Ministero", kItalianLinks},
    Heading{"Istituto", kItalianLinks},
    Heading{"Banca", kItalianLinks},
    Heading{"Museo", kItalianLinks},
    Heading{"Universidade", kPortugueseLinks},
    Heading{"Ministério", kPortugueseLinks},
    Heading{"Instituto", kPortugueseLinks},
    Heading{"Banco", kPortugueseLinks},
    Heading{"Museu", kPortugueseLinks},
};

bool IsCapitalised(const RuleInput& input, size_t at) {
  return input.IsWord(at) && BeginsUpper(input.Text(at));
}

/// Whether a token follows in the same paragraph, behind a blank.
bool Follows(const RuleInput& input, size_t at) {
  const TextToken* const token = input.At(at);
  return token != nullptr && token->after_blank && !token->after_gap;
}

bool IsTitle(const RuleInput& input, size_t at) {
  constexpr size_t kTitleBytesMax = 24;
  const std::string_view word = input.Text(at);
  if (!input.IsWord(at) || word.size() > kTitleBytesMax) {
    return false;
  }
  const std::string lowered = Lowered(word);
  return std::ranges::any_of(kTitles, [&](const PersonTitle& title) {
    return title.word == lowered && (title.language.empty() || title.language == input.language) &&
           (title.is_lower_too || BeginsUpper(word));
  });
}

/// Without the "'s" of a word that says whose something is.
size_t BytesWithoutGenitive(std::string_view word) {
  for (const std::string_view end : {"'s", "\u2019s"}) {
    if (word.ends_with(end)) {
      return word.size() - end.size();
    }
  }
  return word.size();
}

/// The match from one token to the end of another, which may be in the genitive.
RuleMatch MatchName(const RuleInput& input, size_t first, size_t last) {
  return MatchUpTo(input, first, input.tokens[last].begin + BytesWithoutGenitive(input.Text(last)));
}

/// The last token of the name that begins with `at`; `at` - 1 when none does. Names are
/// capitalised; initials and particles stand between them.
size_t NameEnd(const RuleInput& input, size_t at) {
  size_t end = at - 1;
  size_t words = 0;
  while (words < kNameWordsMax && Follows(input, at)) {
    const TextToken& token = input.tokens[at];
    const bool is_initial = token.end_character - token.begin_character == 1 &&
                            input.IsMark(at + 1, '.') && input.Adjoins(at + 1);
    const bool is_particle = std::ranges::find(kParticles, input.Text(at)) != kParticles.end();
    if (IsCapitalised(input, at) && is_initial) {
      // It is of a name only when one follows.
      at += 2;
    } else if (IsCapitalised(input, at)) {
      end = at++;
      if (BytesWithoutGenitive(token.In(input.text)) != token.end - token.begin) {
        return end;
      }
    } else if (is_particle) {
      ++at;
    } else {
      return end;
    }
    ++words;
  }
  return end;
}

/// How long the legal form is that a text begins with; 0 for none.
size_t LegalFormBytes(std::string_view text) {
  for (const std::string_view form : kLegalForms) {
    if (text.starts_with(form) && (form.ends_with('.') || IsWordEnd(text, form.size()))) {
      return form.size();
    }
  }
  return 0;
}

RuleResult MatchFrom(const RuleInput& input, size_t at, size_t end, double score) {
  RuleMatch match = MatchUpTo(input, at, end);
  match.type = EntityType::kOrganization;
  match.score = score;
  return match;
}

/// Capitalised words, and what is between them, up to a legal form.
RuleResult MatchByForm(const RuleInput& input, size_t at) {
  constexpr size_t kBetweenMax = 6;
  if (LegalFormBytes(input.text.substr(input.tokens[at].begin)) != 0) {
    return std::nullopt;
  }
  RuleResult institution;
  for (size_t next = at + 1; next <= at + kBetweenMax; ++next) {
    const TextToken* const token = input.At(next);
    if (token == nullptr || token->after_gap) {
      break;
    }
    if (token->after_blank) {
      const size_t bytes = LegalFormBytes(input.text.substr(token->begin));
      if (bytes != 0) {
        return MatchFrom(input, at, token->begin + bytes, kLegalFormScore);
      }
      if (std::ranges::find(kInstitutions, input.Text(next)) != kInstitutions.end()) {
        institution = MatchFrom(input, at, token->end, kInstitutionScore);
      }
    }
    // "Acme, Inc." has a comma, and so has a list of names.
    const TextToken* const behind = input.At(next + 1);
    const bool is_comma = input.IsMark(next, ',') && behind != nullptr &&
                          LegalFormBytes(input.text.substr(behind->begin)) != 0;
    const bool joins = is_comma || input.IsMark(next, '&') || input.Text(next) == "and" ||
                       input.Text(next) == "und" || input.Text(next) == "et" ||
                       input.Text(next) == "y";
    if (!joins && !IsCapitalised(input, next)) {
      break;
    }
  }
  return institution;
}

RuleResult MatchByHeading(const RuleInput& input, size_t at) {
  const std::string_view link = input.Text(at + 1);
  const bool fits = Follows(input, at + 1) && input.IsWord(at + 1) &&
                    std::ranges::any_of(kHeadings, [&](const Heading& heading) {
                      const size_t found = heading.links.find(link);
                      return heading.word == input.Text(at) && found != std::string_view::npos &&
                             heading.links[found - 1] == ' ' &&
                             heading.links[found + link.size()] == ' ';
                    });
  if (!fits) {
    return std::nullopt;
  }
  size_t next = at + 2;
  for (const std::string_view article : {"the", "la", "las", "los"}) {
    if (input.Text(next) == article) {
      ++next;
      break;
    }
  }
  size_t last = 0;
  for (size_t words = 0; words < kNameWordsMax; ++words, ++next) {
    if (!Follows(input, next) || !IsCapitalised(input, next)) {
      break;
    }
    last = next;
  }
  if (last == 0) {
    return std::nullopt;
  }
  RuleMatch match = MatchName(input, at, last);
  match.type = EntityType::kOrganization;
  match.score = kInstitutionScore;
  return match;
}

}  // namespace

RuleResult MatchPerson(const RuleInput& input, size_t at) {
  size_t name = at;
  for (int titles = 0; titles < 3 && IsTitle(input, name); ++titles) {
    ++name;
    if (input.IsMark(name, '.') && input.Adjoins(name)) {
      ++name;
    }
  }
  if (name == at) {
    return std::nullopt;
  }
  const size_t last = NameEnd(input, name);
  if (last < name) {
    return std::nullopt;
  }
  RuleMatch match = MatchName(input, name, last);
  match.type = EntityType::kPerson;
  match.score = last > name ? kFullNameScore : kOneNameScore;
  return match;
}

RuleResult MatchOrganization(const RuleInput& input, size_t at) {
  if (!IsCapitalised(input, at)) {
    return std::nullopt;
  }
  if (RuleResult match = MatchByHeading(input, at)) {
    return match;
  }
  // An article at the beginning of a sentence is not of the name.
  const StopWordSet* const stop_words =
      FindStopWords(input.language.empty() ? "en" : input.language);
  if (stop_words != nullptr && stop_words->contains(Lowered(input.Text(at)))) {
    return std::nullopt;
  }
  return MatchByForm(input, at);
}

}  // namespace tintype::words::internal
