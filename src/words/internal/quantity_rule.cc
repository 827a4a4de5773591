#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <unordered_set>

#include "words/internal/entity_rules.h"

namespace tintype::words::internal {
namespace {

constexpr double kMoneyScore = 0.95;
constexpr double kPercentScore = 0.95;
constexpr double kUnitScore = 0.9;

// What is written just so.
constexpr auto kUnitSigns = std::to_array<std::string_view>(
    {"km",  "m",   "cm",  "mm", "nm",  "kg",  "g",   "mg",  "l",   "L",  "ml", "mL",  "cl", "dl",
     "ha",  "kW",  "MW",  "GW", "kWh", "MWh", "GWh", "TWh", "kB",  "KB", "MB", "GB",  "TB", "PB",
     "KiB", "MiB", "GiB", "Hz", "kHz", "MHz", "GHz", "mph", "kmh", "ft", "lb", "lbs", "oz", "dB",
     "hPa", "kPa", "min", "ms", "км",  "м",   "см",  "кг",  "г",   "л",  "т",  "га"});
// In lower case, in the languages that we have stop words for.
constexpr auto kUnitWords = std::to_array<std::string_view>({
    // English.
    "meter",
    "meters",
    "metre",
    "metres",
    "kilometer",
    "kilometers",
    "kilometre",
    "kilometres",
    "centimeters",
    "centimetres",
    "mile",
    "miles",
    "foot",
    "feet",
    "inch",
    "inches",
    "yards",
    "gram",
    "grams",
    "kilogram",
    "kilograms",
    "kilos",
    "ton",
    "tons",
    "tonnes",
    "pounds",
    "ounces",
    "liter",
    "liters",
    "litre",
    "litres",
    "gallons",
    "seconds",
    "minute",
    "minutes",
    "hour",
    "hours",
    "day",
    "days",
    "week",
    "weeks",
    "month",
    "months",
    "year",
    "years",
    "degrees",
    "acres",
    "hectares",
    "watts",
    "kilowatts",
    "megabytes",
    "gigabytes",
    // German, Dutch and the north.
    "metern",
    "kilometern",
    "zentimeter",
    "meilen",
    "gramm",
    "kilogramm",
    "kilo",
    "tonne",
    "tonnen",
    "liter",
    "sekunden",
    "minuten",
    "stunde",
    "stunden",
    "tag",
    "tage",
    "tagen",
    "woche",
    "wochen",
    "monat",
    "monate",
    "monaten",
    "jahr",
    "jahre",
    "jahren",
    "grad",
    "hektar",
    "uur",
    "uren",
    "dag",
    "dagen",
    "weken",
    "maand",
    "maanden",
    "jaar",
    "jaren",
    "graden",
    "sekunder",
    "minuter",
    "timmar",
    "dagar",
    "veckor",
    "månader",
    "grader",
    "timer",
    "dage",
    "dager",
    "uger",
    "uker",
    "måneder",
    "år",
    "metriä",
    "kilometriä",
    "litraa",
    "tuntia",
    "minuuttia",
    "päivää",
    "viikkoa",
    "kuukautta",
    "vuotta",
    "astetta",
    // Romance.
    "mètre",
    "mètres",
    "kilomètre",
    "kilomètres",
    "grammes",
    "kilogrammes",
    "litres",
    "secondes",
    "heure",
    "heures",
    "jour",
    "jours",
    "semaine",
    "semaines",
    "mois",
    "an",
    "ans",
    "années",
    "degrés",
    "metros",
    "kilómetros",
    "gramos",
    "kilogramos",
    "litros",
    "segundos",
    "minutos",
    "hora",
    "horas",
    "día",
    "días",
    "semanas",
    "meses",
    "año",
    "años",
    "grados",
    "metri",
    "chilometri",
    "grammi",
    "chilogrammi",
    "chili",
    "litri",
    "secondi",
    "minuti",
    "ora",
    "ore",
    "giorno",
    "giorni",
    "settimane",
    "mesi",
    "anno",
    "anni",
    "gradi",
    "quilômetros",
    "quilómetros",
    "gramas",
    "quilos",
    "dias",
    "anos",
    "graus",
    // Slavic, Turkish, Greek.
    "metrów",
    "kilometrów",
    "gramów",
    "kilogramów",
    "litrów",
    "sekund",
    "minut",
    "godzin",
    "godziny",
    "dni",
    "tygodni",
    "miesięcy",
    "lat",
    "lata",
    "metrů",
    "kilometrů",
    "litrů",
    "hodin",
    "dnů",
    "týdnů",
    "měsíců",
    "let",
    "метров",
    "километров",
    "граммов",
    "литров",
    "секунд",
    "минут",
    "часов",
    "дней",
    "недель",
    "месяцев",
    "лет",
    "года",
    "метрів",
    "кілометрів",
    "годин",
    "днів",
    "тижнів",
    "місяців",
    "років",
    "metre",
    "kilometre",
    "saat",
    "dakika",
    "gün",
    "hafta",
    "ay",
    "yıl",
    "μέτρα",
    "χιλιόμετρα",
    "ώρες",
    "λεπτά",
    "ημέρες",
    "μήνες",
    "χρόνια",
});
constexpr auto kPercentWords =
    std::to_array<std::string_view>({"percent", "prozent", "pourcent", "procent", "prosent",
                                     "prosenttia", "процентов", "процента", "відсотків"});
constexpr auto kMoneyWords = std::to_array<std::string_view>(
    {"dollar",  "dollars", "euro",    "euros",  "cent",   "cents",   "pound",    "yen",     "yuan",
     "rupees",  "francs",  "franken", "kronor", "kroner", "złotych", "korun",    "dólares", "dólar",
     "dollari", "reais",   "pesos",   "рублей", "рубля",  "гривень", "долларов", "евро",    "ευρώ",
     "lira",    "liraya",  "دولار",   "يورو",   "שקל",    "שקלים",   "रुपये"});
constexpr auto kCurrencyCodes = std::to_array<std::string_view>(
    {"USD", "EUR", "GBP", "JPY", "CHF", "CNY", "INR", "KRW", "RUB", "UAH", "SEK", "NOK",
     "DKK", "PLN", "CZK", "TRY", "BRL", "MXN", "CAD", "AUD", "NZD", "ILS", "THB", "ZAR"});
constexpr auto kCurrencySigns = std::to_array<std::string_view>(
    {"$", "€", "£", "¥", "₹", "₩", "₽", "₴", "₺", "₪", "฿", "￥"});
constexpr auto kPowers = std::to_array<std::string_view>(
    {"thousand",  "million",    "millions",  "billion",    "billions", "trillion", "hundred",
     "tausend",   "millionen",  "milliarde", "milliarden", "mio",      "mrd",      "mille",
     "milliard",  "milliards",  "mil",       "millón",     "millones", "milioni",  "miliardi",
     "milhão",    "milhões",    "bilhões",   "miljoen",    "miljard",  "miljoner", "miljarder",
     "millioner", "milliarder", "miljoonaa", "tys",        "mln",      "mld",      "тыс",
     "млн",       "млрд",       "milyon",    "milyar"});

// At the beginning of a run without blanks, or of a Korean word. The longer ones first.
constexpr auto kRunPowers =
    std::to_array<std::string_view>({"億", "亿", "萬", "万", "千", "百", "억", "만", "천"});
constexpr auto kRunMoney =
    std::to_array<std::string_view>({"人民币", "日元", "美元", "欧元", "歐元", "英镑", "円", "元",
                                     "ドル", "ユーロ", "ポンド", "달러", "유로", "원", "บาท"});
constexpr auto kRunUnits = std::to_array<std::string_view>({"キロメートル",
                                                            "センチメートル",
                                                            "キログラム",
                                                            "メートル",
                                                            "グラム",
                                                            "リットル",
                                                            "キロ",
                                                            "センチ",
                                                            "公里",
                                                            "公斤",
                                                            "厘米",
                                                            "千米",
                                                            "毫米",
                                                            "公尺",
                                                            "平方米",
                                                            "小时",
                                                            "分钟",
                                                            "時間",
                                                            "年間",
                                                            "ヶ月",
                                                            "週間",
                                                            "킬로미터",
                                                            "미터",
                                                            "킬로그램",
                                                            "시간",
                                                            "กิโลเมตร",
                                                            "กิโลกรัม",
                                                            "เมตร",
                                                            "米",
                                                            "克",
                                                            "吨"});

using UnitSet = std::unordered_set<std::string_view>;

template <size_t N>
UnitSet SetOf(const std::array<std::string_view, N>& words) {
  return {words.begin(), words.end()};
}

struct UnitSets {
  UnitSet signs = SetOf(kUnitSigns);
  UnitSet words = SetOf(kUnitWords);
  UnitSet percents = SetOf(kPercentWords);
  UnitSet money = SetOf(kMoneyWords);
  UnitSet codes = SetOf(kCurrencyCodes);
  UnitSet powers = SetOf(kPowers);
};

const UnitSets& Units() {
  static const UnitSets sets;
  return sets;
}

/// Where in the tokens, and how far in the text, a quantity was read.
struct QuantityEnd {
  size_t token = 0;  // The last one.
  size_t byte = 0;
  double score = 0;
};

/// The token behind a number that begins with `at`, of which "1 000 000" is one.
size_t BehindNumber(const RuleInput& input, size_t at) {
  constexpr size_t kGroupsMax = 5;
  constexpr size_t kGroupDigits = 3;
  size_t next = at + 1;
  if (input.Text(at).size() <= kGroupDigits) {
    for (size_t groups = 0;
         groups < kGroupsMax && input.IsNumber(next) &&
         input.Text(next).substr(0, input.Text(next).find(',')).size() == kGroupDigits &&
         !input.tokens[next].after_gap;
         ++groups) {
      ++next;
    }
  }
  return next;
}

std::string LoweredShort(std::string_view word) {
  constexpr size_t kUnitBytesMax = 40;
  return word.size() > kUnitBytesMax ? std::string() : Lowered(word);
}

bool IsCurrencySign(std::string_view mark) {
  return std::ranges::find(kCurrencySigns, mark) != kCurrencySigns.end();
}

std::optional<size_t> BytesOfFirst(std::span<const std::string_view> words, std::string_view text) {
  const auto found =
      std::ranges::find_if(words, [&](std::string_view each) { return text.starts_with(each); });
  return found == words.end() ? std::nullopt : std::optional(found->size());
}

/// A unit at the beginning of a run without blanks, or of a Korean word, maybe behind a power of
/// ten. `at` is the token behind the number.
std::optional<QuantityEnd> UnitOfRun(const RuleInput& input, size_t at) {
  constexpr int kPowersMax = 2;
  const TextToken* token = input.At(at);
  if (token == nullptr || !input.Adjoins(at)) {
    return std::nullopt;
  }
  size_t byte = 0;
  for (int powers = 0; powers < kPowersMax; ++powers) {
    const auto power = BytesOfFirst(kRunPowers, input.Text(at).substr(byte));
    byte += power.value_or(0);
  }
  if (byte == input.Text(at).size() && input.Adjoins(at + 1)) {
    token = input.At(++at);
    byte = 0;
  }
  const std::string_view rest = input.Text(at).substr(byte);
  double score = kMoneyScore;
  auto unit = BytesOfFirst(kRunMoney, rest);
  if (!unit) {
    unit = BytesOfFirst(kRunUnits, rest);
    score = kUnitScore;
  }
  if (!unit) {
    return std::nullopt;
  }
  return QuantityEnd{at, token->begin + byte + *unit, score};
}

/// A unit of one token, or of some that belong together, behind a number. `at` is its token.
std::optional<QuantityEnd> UnitAt(const RuleInput& input, size_t at) {
  const TextToken* const token = input.At(at);
  if (token == nullptr || token->after_gap) {
    return std::nullopt;
  }
  const auto whole = [&](size_t last, double score) {
    return QuantityEnd{last, input.tokens[last].end, score};
  };
  const std::string_view text = input.Text(at);
  if (!token->is_word()) {
    if (text == "%" || text == "‰" || text == "％") {
      return whole(at, kPercentScore);
    }
    if (IsCurrencySign(text)) {
      return whole(at, kMoneyScore);
    }
    if (text == "°") {
      const bool has_scale =
          input.Adjoins(at + 1) && (input.Text(at + 1) == "C" || input.Text(at + 1) == "F");
      return whole(has_scale ? at + 1 : at, kUnitScore);
    }
    return std::nullopt;
  }
  if (Units().codes.contains(text)) {
    return whole(at, kMoneyScore);
  }
  const std::string word = LoweredShort(text);
  if (Units().money.contains(word)) {
    return whole(at, kMoneyScore);
  }
  if (Units().percents.contains(word)) {
    return whole(at, kPercentScore);
  }
  if (word == "per" && input.Text(at + 1) == "cent") {
    return whole(at + 1, kPercentScore);
  }
  if (Units().signs.contains(text) || Units().words.contains(word)) {
    // "km/h", "m²".
    if (input.IsMark(at + 1, '/') && input.Adjoins(at + 1) && input.Adjoins(at + 2) &&
        (input.Text(at + 2) == "h" || input.Text(at + 2) == "s")) {
      return whole(at + 2, kUnitScore);
    }
    const bool is_power =
        input.Adjoins(at + 1) && (input.Text(at + 1) == "²" || input.Text(at + 1) == "³");
    return whole(is_power ? at + 1 : at, kUnitScore);
  }
  return std::nullopt;
}

RuleResult MatchEnd(const RuleInput& input, size_t at, const QuantityEnd& end) {
  RuleMatch match = MatchUpTo(input, at, end.byte);
  match.type = EntityType::kQuantity;
  match.score = end.score;
  return match;
}

/// Steps over "million", and the point behind "Mio.".
size_t SkipPower(const RuleInput& input, size_t at) {
  if (!input.IsWord(at) || input.tokens[at].after_gap ||
      !Units().powers.contains(LoweredShort(input.Text(at)))) {
    return at;
  }
  ++at;
  return input.IsMark(at, '.') && input.Adjoins(at) ? at + 1 : at;
}

/// `$5`, `EUR 1,000`, `£3.5 million`.
RuleResult MatchSignFirst(const RuleInput& input, size_t at) {
  const bool is_code = input.IsWord(at) && Units().codes.contains(input.Text(at));
  if (!is_code && !IsCurrencySign(input.Text(at))) {
    return std::nullopt;
  }
  if (!input.IsNumber(at + 1) || input.tokens[at + 1].after_gap) {
    return std::nullopt;
  }
  const size_t behind = BehindNumber(input, at + 1);
  size_t last = behind - 1;
  if (const size_t power = SkipPower(input, behind); power != behind) {
    last = behind;
  }
  return MatchEnd(input, at, {last, input.tokens[last].end, kMoneyScore});
}

}  // namespace

RuleResult MatchQuantity(const RuleInput& input, size_t at) {
  if (!input.IsNumber(at)) {
    return MatchSignFirst(input, at);
  }
  // "1 000 m", but also "Room 12 100 m away": the longer reading first.
  for (const size_t behind : {BehindNumber(input, at), at + 1}) {
    if (const auto end = UnitOfRun(input, behind)) {
      return MatchEnd(input, at, *end);
    }
    if (const auto end = UnitAt(input, SkipPower(input, behind))) {
      return MatchEnd(input, at, *end);
    }
  }
  return std::nullopt;
}

}  // namespace tintype::words::internal
