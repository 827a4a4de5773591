#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "base/numbers.h"
#include "words/internal/entity_rules.h"

namespace tintype::words::internal {
namespace {

constexpr double kIsoScore = 0.99;
constexpr double kNumericScore = 0.9;
constexpr double kWrittenScore = 0.95;      // Day, month and year.
constexpr double kWrittenPartScore = 0.85;  // A month with one of them.
constexpr double kWeekdayScore = 0.8;
constexpr double kYearScore = 0.6;

// The names of months in lower case, in the forms that dates have them.
constexpr auto kMonths = std::to_array<std::string_view>({
    // English, and what several languages share with it.
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
    // German.
    "januar",
    "jänner",
    "februar",
    "märz",
    "mai",
    "juni",
    "juli",
    "oktober",
    "dezember",
    "mrz",
    "okt",
    "dez",
    // French.
    "janvier",
    "février",
    "mars",
    "avril",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
    "janv",
    "févr",
    "avr",
    "juil",
    "déc",
    // Spanish.
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "setiembre",
    "octubre",
    "noviembre",
    "diciembre",
    "ene",
    "abr",
    "ago",
    "dic",
    // Italian.
    "gennaio",
    "febbraio",
    "aprile",
    "maggio",
    "giugno",
    "luglio",
    "settembre",
    "ottobre",
    "dicembre",
    "gen",
    "mag",
    "giu",
    "lug",
    "ott",
    // Portuguese.
    "janeiro",
    "fevereiro",
    "março",
    "maio",
    "junho",
    "julho",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
    "fev",
    "out",
    // Dutch.
    "januari",
    "februari",
    "maart",
    "mei",
    "augustus",
    "mrt",
    // Swedish, Danish and Norwegian.
    "augusti",
    "marts",
    "maj",
    "desember",
    "des",
    // Finnish.
    "tammikuu",
    "helmikuu",
    "maaliskuu",
    "huhtikuu",
    "toukokuu",
    "kesäkuu",
    "heinäkuu",
    "elokuu",
    "syyskuu",
    "lokakuu",
    "marraskuu",
    "joulukuu",
    "tammikuuta",
    "helmikuuta",
    "maaliskuuta",
    "huhtikuuta",
    "toukokuuta",
    "kesäkuuta",
    "heinäkuuta",
    "elokuuta",
    "syyskuuta",
    "lokakuuta",
    "marraskuuta",
    "joulukuuta",
    // Polish.
    "stycznia",
    "lutego",
    "marca",
    "kwietnia",
    "maja",
    "czerwca",
    "lipca",
    "sierpnia",
    "września",
    "października",
    "listopada",
    "grudnia",
    "styczeń",
    "luty",
    "marzec",
    "kwiecień",
    "czerwiec",
    "lipiec",
    "sierpień",
    "wrzesień",
    "październik",
    "listopad",
    "grudzień",
    // Czech.
    "ledna",
    "února",
    "března",
    "dubna",
    "května",
    "června",
    "července",
    "srpna",
    "září",
    "října",
    "listopadu",
    "prosince",
    "leden",
    "únor",
    "březen",
    "duben",
    "květen",
    "červen",
    "červenec",
    "srpen",
    "říjen",
    "prosinec",
    // Turkish.
    "ocak",
    "şubat",
    "mart",
    "nisan",
    "mayıs",
    "haziran",
    "temmuz",
    "ağustos",
    "eylül",
    "ekim",
    "kasım",
    "aralık",
    // Russian.
    "января",
    "февраля",
    "марта",
    "апреля",
    "мая",
    "июня",
    "июля",
    "августа",
    "сентября",
    "октября",
    "ноября",
    "декабря",
    "январь",
    "февраль",
    "апрель",
    "июнь",
    "июль",
    "сентябрь",
    "октябрь",
    "ноябрь",
    "декабрь",
    // Ukrainian.
    "січня",
    "лютого",
    "березня",
    "квітня",
    "травня",
    "червня",
    "липня",
    "серпня",
    "вересня",
    "жовтня",
    "листопада",
    "грудня",
    "січень",
    "лютий",
    "березень",
    "квітень",
    "травень",
    "червень",
    "липень",
    "серпень",
    "вересень",
    "жовтень",
    "листопад",
    "грудень",
    // Greek.
    "ιανουαρίου",
    "φεβρουαρίου",
    "μαρτίου",
    "απριλίου",
    "μαΐου",
    "ιουνίου",
    "ιουλίου",
    "αυγούστου",
    "σεπτεμβρίου",
    "οκτωβρίου",
    "νοεμβρίου",
    "δεκεμβρίου",
    "ιανουάριος",
    "φεβρουάριος",
    "μάρτιος",
    "απρίλιος",
    "μάιος",
    "ιούνιος",
    "ιούλιος",
    "αύγουστος",
    "σεπτέμβριος",
    "οκτώβριος",
    "νοέμβριος",
    "δεκέμβριος",
    // Arabic, in Egypt and east of it.
    "يناير",
    "فبراير",
    "مارس",
    "أبريل",
    "إبريل",
    "مايو",
    "يونيو",
    "يوليو",
    "أغسطس",
    "سبتمبر",
    "أكتوبر",
    "نوفمبر",
    "ديسمبر",
    // Hebrew, with and without "in".
    "ינואר",
    "פברואר",
    "מרץ",
    "אפריל",
    "מאי",
    "יוני",
    "יולי",
    "אוגוסט",
    "ספטמבר",
    "אוקטובר",
    "נובמבר",
    "דצמבר",
    "בינואר",
    "בפברואר",
    "במרץ",
    "באפריל",
    "במאי",
    "ביוני",
    "ביולי",
    "באוגוסט",
    "בספטמבר",
    "באוקטובר",
    "בנובמבר",
    "בדצמבר",
    // Hindi.
    "जनवरी",
    "फरवरी",
    "मार्च",
    "अप्रैल",
    "मई",
    "जून",
    "जुलाई",
    "अगस्त",
    "सितंबर",
    "अक्टूबर",
    "नवंबर",
    "दिसंबर",
});
/// English verbs, unless they are capitalised.
constexpr auto kMonthsOnlyCapitalised = std::to_array<std::string_view>({"may", "march", "mar"});

constexpr auto kWeekdays = std::to_array<std::string_view>({
    "monday",   "tuesday",  "wednesday", "thursday",   "friday",  "saturday", "sunday",
    "montag",   "dienstag", "mittwoch",  "donnerstag", "freitag", "samstag",  "sonnabend",
    "sonntag",  "lundi",    "mardi",     "mercredi",   "jeudi",   "vendredi", "samedi",
    "dimanche", "lunes",    "martes",    "miércoles",  "jueves",  "viernes",  "sábado",
    "lunedì",   "martedì",  "mercoledì", "giovedì",    "venerdì", "sabato",   "domenica",
    "maandag",  "dinsdag",  "woensdag",  "donderdag",  "vrijdag", "zaterdag", "zondag",
    "måndag",   "tisdag",   "onsdag",    "torsdag",    "fredag",  "lördag",   "söndag",
});
/// Behind these, a number such as 1999 is a year.
constexpr auto kBeforeYears = std::to_array<std::string_view>(
    {"in",    "since", "until", "by",     "from",   "during", "year",  "seit",
     "bis",   "jahr",  "jahre", "en",     "depuis", "année",  "desde", "hasta",
     "año",   "nel",   "dal",   "anno",   "em",     "ano",    "sinds", "jaar",
     "sedan", "siden", "år",    "vuonna", "od",     "roku",   "roce"});
constexpr auto kDayEndings =
    std::to_array<std::string_view>({"st", "nd", "rd", "th", "er", "º", "ª"});
constexpr auto kLinks = std::to_array<std::string_view>({"of", "de", "del", "di"});

constexpr size_t kMonthBytesMax = 32;

enum class DateWord { kMonth, kWeekday, kBeforeYear };

std::optional<DateWord> DateWordOf(std::string_view word) {
  static const auto words = [] {
    std::unordered_map<std::string_view, DateWord> made;
    for (const std::string_view each : kBeforeYears) {
      made[each] = DateWord::kBeforeYear;
    }
    for (const std::string_view each : kWeekdays) {
      made[each] = DateWord::kWeekday;
    }
    for (const std::string_view each : kMonths) {
      made[each] = DateWord::kMonth;
    }
    return made;
  }();
  if (word.empty() || word.size() > kMonthBytesMax) {
    return std::nullopt;
  }
  const auto found = words.find(Lowered(word));
  return found == words.end() ? std::nullopt : std::optional(found->second);
}

bool IsMonth(const RuleInput& input, size_t at) {
  if (!input.IsWord(at) || DateWordOf(input.Text(at)) != DateWord::kMonth) {
    return false;
  }
  const auto only = std::ranges::find(kMonthsOnlyCapitalised, input.Text(at));
  return only == kMonthsOnlyCapitalised.end();
}

bool IsDay(int number) { return number >= 1 && number <= 31; }
bool IsMonthNumber(int number) { return number >= 1 && number <= 12; }
bool IsYear(int number) { return number >= 1000 && number <= 2999; }

/// The number that a token of digits alone is, -1 for others.
int NumberAt(const RuleInput& input, size_t at) {
  constexpr size_t kDigitsMax = 4;
  const std::string_view text = input.Text(at);
  return input.IsNumber(at) && text.size() <= kDigitsMax ? ParseDigits<int>(text).value_or(-1) : -1;
}

/// Reads digits and marks from the beginning of a text.
class DigitReader {
 public:
  explicit DigitReader(std::string_view text) : text_(text) {}

  /// A number of so many digits, with none behind; -1, and nothing is read, if there is none.
  int Number(size_t least, size_t most) {
    size_t digits = 0;
    while (at_ + digits < text_.size() && digits <= most && IsDigitAt(at_ + digits)) {
      ++digits;
    }
    if (digits < least || digits > most) {
      return -1;
    }
    const int number = ParseDigits<int>(text_.substr(at_, digits)).value_or(-1);
    at_ += digits;
    return number;
  }
  bool Take(char mark) {
    const bool is_there = at_ < text_.size() && text_[at_] == mark;
    at_ += is_there ? 1 : 0;
    return is_there;
  }
  /// One of these, or 0.
  char TakeOne(std::string_view marks) {
    if (at_ < text_.size() && marks.find(text_[at_]) != std::string_view::npos) {
      return text_[at_++];
    }
    return 0;
  }
  size_t at() const { return at_; }
  void Back(size_t at) { at_ = at; }

 private:
  bool IsDigitAt(size_t at) const { return text_[at] >= '0' && text_[at] <= '9'; }

  std::string_view text_;
  size_t at_ = 0;
};

/// Takes the time of day of ISO 8601, if there is one.
void TakeTime(DigitReader& read) {
  const size_t before = read.at();
  const bool has_time =
      read.Take('T') && read.Number(2, 2) >= 0 && read.Take(':') && read.Number(2, 2) >= 0;
  if (!has_time) {
    read.Back(before);
    return;
  }
  size_t good = read.at();
  if (read.Take(':') && read.Number(2, 2) >= 0) {
    good = read.at();
    if (read.TakeOne(".,") != 0 && read.Number(1, 9) >= 0) {
      good = read.at();
    }
  }
  read.Back(good);
  if (read.Take('Z')) {
    return;
  }
  if (read.TakeOne("+-") != 0 && read.Number(2, 2) >= 0) {
    good = read.at();
    if (read.Take(':') && read.Number(2, 2) >= 0) {
      good = read.at();
    }
  }
  read.Back(good);
}

struct DateFound {
  size_t bytes = 0;
  double score = 0;
};

/// `2024-03-15`, with a time or without, `2024/03/15`.
std::optional<DateFound> YearFirst(std::string_view text) {
  DigitReader read(text);
  const int year = read.Number(4, 4);
  const char mark = read.TakeOne("-/.");
  const int month = mark == 0 ? -1 : read.Number(1, 2);
  const int day = mark == 0 || !read.Take(mark) ? -1 : read.Number(1, 2);
  if (!IsYear(year) || !IsMonthNumber(month) || !IsDay(day)) {
    return std::nullopt;
  }
  if (mark == '-') {
    TakeTime(read);
  }
  return DateFound{read.at(), mark == '-' ? kIsoScore : kNumericScore};
}

/// `15.03.2024`, `3/15/2024`, `15-3-2024`, `15.03.24`.
std::optional<DateFound> YearLast(std::string_view text) {
  constexpr double kShortYear = 0.2;  // Less sure: versions of programs look like that.
  DigitReader read(text);
  const int first = read.Number(1, 2);
  const char mark = read.TakeOne("./-");
  const int second = mark == 0 ? -1 : read.Number(1, 2);
  if (mark == 0 || !read.Take(mark)) {
    return std::nullopt;
  }
  const size_t before_year = read.at();
  const int year = read.Number(4, 4);
  const bool is_short = year < 0 && before_year == 6 && read.Number(2, 2) >= 0;
  const bool is_date =
      (IsDay(first) && IsMonthNumber(second)) || (IsMonthNumber(first) && IsDay(second));
  if (!is_date || !(IsYear(year) || is_short)) {
    return std::nullopt;
  }
  return DateFound{read.at(), is_short ? kNumericScore - kShortYear : kNumericScore};
}

RuleMatch DateOf(RuleMatch match, double score) {
  match.type = EntityType::kDate;
  match.score = score;
  return match;
}

/// `2024年3月15日`, `3월 15일`: numbers, each with its unit behind it.
RuleResult MatchUnits(const RuleInput& input, size_t at) {
  struct Unit {
    std::string_view han;
    std::string_view hangul;
    bool (*fits)(int number);
  };
  constexpr std::array kUnits = {Unit{"年", "년", IsYear}, Unit{"月", "월", IsMonthNumber},
                                 Unit{"日", "일", IsDay}};
  size_t matched = 0;
  size_t end = 0;
  size_t next = at;
  for (const Unit& unit : kUnits) {
    const std::string_view behind = input.Text(next + 1);
    const bool fits = unit.fits(NumberAt(input, next)) && input.Adjoins(next + 1) &&
                      (behind.starts_with(unit.han) || behind.starts_with(unit.hangul));
    if (fits) {
      ++matched;
      end = input.tokens[next + 1].begin + unit.han.size();
      // A date goes on only behind the whole word.
      if (behind.size() != unit.han.size()) {
        break;
      }
      next += 2;
    } else if (matched > 0) {
      break;
    }
  }
  if (matched == 0) {
    return std::nullopt;
  }
  // "3月" and "15日" alone may be durations.
  const bool has_year = IsYear(NumberAt(input, at));
  if (!has_year && matched < 2) {
    return std::nullopt;
  }
  return DateOf(MatchUpTo(input, at, end), matched > 1 ? kWrittenScore : kWrittenPartScore);
}

/// Steps over what may stand between the parts of a written date.
size_t SkipLinks(const RuleInput& input, size_t at, bool with_comma) {
  if (input.IsMark(at, '.') && input.Adjoins(at)) {
    ++at;
  }
  if (with_comma && input.IsMark(at, ',')) {
    ++at;
  }
  if (std::ranges::find(kLinks, input.Text(at)) != kLinks.end()) {
    ++at;
  }
  return at;
}

RuleMatch Whole(size_t first, size_t last) {
  RuleMatch match;
  match.first = first;
  match.last = last;
  return match;
}

/// `15th of March 2024`, `15. März`, `15 de marzo de 2024`.
RuleResult MatchDayFirst(const RuleInput& input, size_t at) {
  if (!IsDay(NumberAt(input, at))) {
    return std::nullopt;
  }
  size_t next = at + 1;
  if (input.Adjoins(next) &&
      std::ranges::find(kDayEndings, input.Text(next)) != kDayEndings.end()) {
    ++next;
  }
  next = SkipLinks(input, next, false);
  if (!IsMonth(input, next)) {
    return std::nullopt;
  }
  const size_t year = SkipLinks(input, next + 1, true);
  return IsYear(NumberAt(input, year)) ? DateOf(Whole(at, year), kWrittenScore)
                                       : DateOf(Whole(at, next), kWrittenPartScore);
}

/// `March 15, 2024`, `March 15th`, `March 2024`.
RuleResult MatchMonthFirst(const RuleInput& input, size_t at) {
  if (!IsMonth(input, at)) {
    return std::nullopt;
  }
  const size_t next = SkipLinks(input, at + 1, false);
  if (IsYear(NumberAt(input, next))) {
    return DateOf(Whole(at, next), kWrittenPartScore);
  }
  if (!IsDay(NumberAt(input, next))) {
    return std::nullopt;
  }
  size_t last = next;
  if (input.Adjoins(last + 1) &&
      std::ranges::find(kDayEndings, input.Text(last + 1)) != kDayEndings.end()) {
    ++last;
  }
  const size_t year = input.IsMark(last + 1, ',') ? last + 2 : last + 1;
  return IsYear(NumberAt(input, year)) ? DateOf(Whole(at, year), kWrittenScore)
                                       : DateOf(Whole(at, last), kWrittenPartScore);
}

/// A year behind a word such as "in".
RuleResult MatchYear(const RuleInput& input, size_t at) {
  constexpr int kFirst = 1500;
  constexpr int kLast = 2099;
  const int year = NumberAt(input, at);
  const bool is_alone = !input.IsWord(at + 1) || !input.Adjoins(at + 1);
  if (at == 0 || year < kFirst || year > kLast || !is_alone || input.IsMark(at + 1, '%') ||
      DateWordOf(input.Text(at - 1)) != DateWord::kBeforeYear) {
    return std::nullopt;
  }
  return DateOf(Whole(at, at), kYearScore);
}

}  // namespace

RuleResult MatchDate(const RuleInput& input, size_t at) {
  if (input.IsNumber(at)) {
    const std::string_view rest = input.text.substr(input.tokens[at].begin);
    for (const auto& found : {YearFirst(rest), YearLast(rest)}) {
      if (found && IsWordEnd(rest, found->bytes)) {
        return DateOf(MatchUpTo(input, at, input.tokens[at].begin + found->bytes), found->score);
      }
    }
    for (const auto& rule : {MatchUnits, MatchDayFirst, MatchYear}) {
      if (RuleResult match = rule(input, at)) {
        return match;
      }
    }
    return std::nullopt;
  }
  if (!input.IsWord(at)) {
    return std::nullopt;
  }
  if (DateWordOf(input.Text(at)) == DateWord::kWeekday) {
    return DateOf(Whole(at, at), kWeekdayScore);
  }
  return MatchMonthFirst(input, at);
}

}  // namespace tintype::words::internal
