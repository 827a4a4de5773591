#include "words/entities.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"
#include "words/characters.h"
#include "words/internal/place_table.h"

namespace tintype::words {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// What is found, each as `TYPE text`.
std::vector<std::string> Found(std::string_view text, std::string_view language = "en") {
  std::vector<std::string> found;
  for (const Entity& entity : FindEntities(text, language)) {
    found.push_back(StrCat(NameOf(entity.type), " ", entity.text));
  }
  return found;
}

// Proves that addresses are found whole, without what ends the sentence.
TEST(EntitiesTest, FindsAddresses) {
  EXPECT_THAT(Found("Write to jo.doe+x@mail.example.org, or see https://example.org/a?b=c#d."),
              ElementsAre("OTHER jo.doe+x@mail.example.org", "OTHER https://example.org/a?b=c#d"));
  EXPECT_THAT(Found("(www.example.com) http://example.org/wiki/A_(b)"),
              ElementsAre("OTHER www.example.com", "OTHER http://example.org/wiki/A_(b)"));
  EXPECT_THAT(Found("サイトはhttps://example.jpです"), ElementsAre("OTHER https://example.jp"));
  EXPECT_THAT(Found("me@ @you a@b www. http:// x@y.1 www.a"), IsEmpty());
}

// Proves that dates in digits are found when they are dates.
TEST(EntitiesTest, FindsDatesInDigits) {
  for (const std::string_view date :
       {"2024-03-15", "2024-03-15T10:20", "2024-03-15T10:20:30.5Z", "2024-03-15T10:20:30+01:00",
        "2024/03/15", "15.03.2024", "5.3.2024", "3/15/2024", "15/3/2024", "15.03.24"}) {
    EXPECT_THAT(Found(StrCat("(", date, ").")), ElementsAre(StrCat("DATE ", date)));
  }
  for (const std::string_view none :
       {"2024-13-15", "2024-03-32", "32.01.2024", "1.2.3", "13/13/2024", "192.168.1.20", "12.30",
        "0.03.2024", "2024-03-155"}) {
    EXPECT_THAT(Found(none), IsEmpty()) << none;
  }
}

// Proves that written dates are found in many languages.
TEST(EntitiesTest, FindsWrittenDates) {
  for (const std::string_view date : {"March 15, 2024",
                                      "15 March 2024",
                                      "15th of March 2024",
                                      "March 15th",
                                      "March 2024",
                                      "15. März 2024",
                                      "1er janvier 2023",
                                      "15 de marzo de 2024",
                                      "15 marzo 2024",
                                      "15 de março de 2024",
                                      "15 maart 2024",
                                      "15 mars 2024",
                                      "15. marts 2024",
                                      "15. maaliskuuta 2024",
                                      "15 marca 2024",
                                      "15. března 2024",
                                      "15 Mart 2024",
                                      "15 марта 2024",
                                      "15 березня 2024",
                                      "15 Μαρτίου 2024",
                                      "15 مارس 2024",
                                      "15 במרץ 2024",
                                      "15 मार्च 2024",
                                      "2024年3月15日",
                                      "3月15日",
                                      "2024년 3월 15일",
                                      "Monday",
                                      "Donnerstag"}) {
    EXPECT_THAT(Found(StrCat("- ", date, ".")), ElementsAre(StrCat("DATE ", date)));
  }
  EXPECT_THAT(Found("It was built in 1897 and seit 2001."), ElementsAre("DATE 1897", "DATE 2001"));
  EXPECT_THAT(Found("You may 5 times march 10 steps, room 1897, in 5000 March"), IsEmpty());
}

// Proves that numbers count with what they count.
TEST(EntitiesTest, FindsQuantities) {
  for (const std::string_view quantity : {"5 km",
                                          "5kg",
                                          "3.5 kilometers",
                                          "120 km/h",
                                          "20 m²",
                                          "-",
                                          "21 °C",
                                          "50%",
                                          "50 Prozent",
                                          "ten",
                                          "$5",
                                          "$3.5 million",
                                          "€ 1,000",
                                          "1 000 000 €",
                                          "5 Mio. Euro",
                                          "100 dollars",
                                          "USD 20",
                                          "20 EUR",
                                          "3 Stunden",
                                          "5 años",
                                          "10 лет",
                                          "100円",
                                          "3万円",
                                          "5公斤",
                                          "100ドル",
                                          "3千ドル",
                                          "5만 원",
                                          "100달러",
                                          "2 million tonnes"}) {
    if (quantity == "-" || quantity == "ten" || quantity == "5만 원") {
      EXPECT_THAT(Found(quantity), IsEmpty()) << quantity;
    } else {
      EXPECT_THAT(Found(StrCat("(", quantity, ")")), ElementsAre(StrCat("QUANTITY ", quantity)));
    }
  }
  EXPECT_THAT(Found("Route 12, 5 apples"), IsEmpty());
}

// Proves that countries and parts of them are found, also where no blank is before or behind.
TEST(EntitiesTest, FindsPlaces) {
  EXPECT_THAT(Found("From France to New York and the United States, California's coast."),
              ElementsAre("LOCATION France", "LOCATION New York", "LOCATION United States",
                          "LOCATION California"));
  EXPECT_THAT(Found("Bayern liegt neben Baden-Württemberg.", "de"),
              ElementsAre("LOCATION Bayern", "LOCATION Baden-Württemberg"));
  EXPECT_THAT(Found("Franceline and france are no places; Mainely."), IsEmpty());
  if (internal::Places().languages < 20) {
    GTEST_SKIP() << "This machine's iso-codes came without translations.";
  }
  EXPECT_THAT(Found("Deutschland, Allemagne, Saksa, Niemcy, Германия, Γερμανία", ""),
              ElementsAre("LOCATION Deutschland", "LOCATION Allemagne", "LOCATION Saksa",
                          "LOCATION Niemcy", "LOCATION Германия", "LOCATION Γερμανία"));
  EXPECT_THAT(Found("他在中国和法国工作。", "zh"), ElementsAre("LOCATION 中国", "LOCATION 法国"));
  EXPECT_THAT(Found("彼はフランスから来た。", "ja"), ElementsAre("LOCATION フランス"));
  EXPECT_THAT(Found("프랑스에서 왔다", "ko"), ElementsAre("LOCATION 프랑스"));
  EXPECT_THAT(Found("הוא בא מצרפת", "he"), ElementsAre("LOCATION צרפת"));
}

// Proves that persons are found by their titles alone, without these.
TEST(EntitiesTest, FindsPersons) {
  EXPECT_THAT(Found("Mr. Smith met Dr Ada King and Prof. Dr. J. R. Jones."),
              ElementsAre("PERSON Smith", "PERSON Ada King", "PERSON J. R. Jones"));
  EXPECT_THAT(Found("Mrs Brown's dog"), ElementsAre("PERSON Brown"));
  EXPECT_THAT(Found("Frau Erika von der Heide und Herr Groß kamen.", "de"),
              ElementsAre("PERSON Erika von der Heide", "PERSON Groß"));
  EXPECT_THAT(Found("M. Dupont et madame Leroy", "fr"),
              ElementsAre("PERSON Dupont", "PERSON Leroy"));
  EXPECT_THAT(Found("M. Dupont", "en"), IsEmpty()) << "an initial, in English";
  EXPECT_THAT(Found("господин Иванов", "ru"), ElementsAre("PERSON Иванов"));
  EXPECT_THAT(Found("Ada King, Mr. and mr Smith; the doctor. Smith"), IsEmpty());
}

// Proves that organisations are found by their legal form or by what they are.
TEST(EntitiesTest, FindsOrganizations) {
  EXPECT_THAT(Found("The Blue Lamp Company sued Acme Widgets, Inc. and Nord Licht GmbH & Co. KG."),
              ElementsAre("ORGANIZATION Blue Lamp Company", "ORGANIZATION Acme Widgets, Inc.",
                          "ORGANIZATION Nord Licht GmbH & Co. KG"));
  EXPECT_THAT(
      Found("She left the University of Nowhere Town for Harbour & Sons Ltd."),
      ElementsAre("ORGANIZATION University of Nowhere Town", "ORGANIZATION Harbour & Sons Ltd."));
  EXPECT_THAT(Found("Das Bundesamt für Schiffe und die Lampe AG", "de"),
              ElementsAre("ORGANIZATION Bundesamt für Schiffe", "ORGANIZATION Lampe AG"));
  EXPECT_THAT(Found("Inc. Ltd GmbH, a company of lamps, One, Two, Three"), IsEmpty());
}

// Proves that offsets are counted in characters, also within a run and behind damaged bytes.
TEST(EntitiesTest, CountsCharacters) {
  const auto entities = FindEntities("é\xff 5 km", "");
  ASSERT_EQ(entities.size(), 1U);
  EXPECT_EQ(entities[0].begin, 3);
  EXPECT_EQ(entities[0].end, 7);
  if (internal::Places().languages < 20) {
    GTEST_SKIP() << "This machine's iso-codes came without translations.";
  }
  const auto places = FindEntities("他在中国和法国", "zh");
  ASSERT_EQ(places.size(), 2U);
  EXPECT_EQ(places[0].begin, 2);
  EXPECT_EQ(places[0].end, 4);
  EXPECT_EQ(places[1].begin, 5);
  EXPECT_EQ(places[1].end, 7);
}

// Proves that there are no more than a result may have.
TEST(EntitiesTest, IsBounded) {
  std::string many;
  while (many.size() < kTextBytesMax + 100) {
    many += "5 km, ";
  }
  EXPECT_EQ(FindEntities(many, "en").size(), kEntitiesMax);
  EXPECT_THAT(FindEntities("", ""), IsEmpty());
}

// Proves that the table of places is sorted, as the search wants it, and plausible.
TEST(PlaceTableTest, IsSorted) {
  const internal::PlaceTable table = internal::Places();
  ASSERT_GT(table.size(), 300U);
  for (size_t i = 1; i < table.size(); ++i) {
    ASSERT_LT(table.Name(i - 1), table.Name(i));
    ASSERT_LE(table.Name(i).size(), 100U);
  }
}

}  // namespace
}  // namespace tintype::words
