#include "words/language.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/strings.h"
#include "words/characters.h"

namespace tintype::words {
namespace {

struct Sample {
  std::string_view language;
  std::string_view text;
};

// Written for this test.
const std::vector<Sample>& Samples() {
  static const std::vector<Sample> samples = {
      {"en", "The ferry leaves at noon, and we still have to buy tickets for all of us."},
      {"en", "She put the old camera back into its case and closed the window."},
      {"en", "Nobody knows who painted this wall, but everybody likes it."},
      {"en", "If it rains tomorrow, they will move the concert to the church hall."},
      {"en", "Please bring your own cup, a warm coat and something to sit on."},
      {"de", "Die Fähre fährt um zwölf, und wir müssen noch Karten für alle kaufen."},
      {"de", "Sie legte die alte Kamera in ihre Tasche und schloss das Fenster."},
      {"de", "Niemand weiß, wer diese Wand bemalt hat, aber alle mögen sie."},
      {"de", "Wenn es morgen regnet, findet das Konzert in der Kirche statt."},
      {"de", "Bitte bringt eine Tasse, einen warmen Mantel und etwas zum Sitzen mit."},
      {"fr",
       "Le bateau part à midi, et nous devons encore acheter des billets pour tout le monde."},
      {"fr", "Elle a remis le vieil appareil dans son étui et fermé la fenêtre."},
      {"fr", "Personne ne sait qui a peint ce mur, mais il plaît à tous les voisins."},
      {"fr", "S'il pleut demain, le concert aura lieu dans la salle de l'église."},
      {"fr", "Apportez une tasse, un manteau chaud et quelque chose pour vous asseoir."},
      {"es", "El barco sale al mediodía y todavía tenemos que comprar billetes para todos."},
      {"es", "Guardó la vieja cámara en su funda y cerró la ventana."},
      {"es", "Nadie sabe quién pintó esta pared, pero a todo el mundo le gusta."},
      {"es", "Si mañana llueve, el concierto se hará en la sala de la iglesia."},
      {"es", "Traed una taza, un abrigo y algo para sentarse, por favor."},
      {"it", "Il traghetto parte a mezzogiorno e dobbiamo ancora comprare i biglietti per tutti."},
      {"it", "Ha rimesso la vecchia macchina nella custodia e ha chiuso la finestra."},
      {"it", "Nessuno sa chi ha dipinto questo muro, ma piace a tutti."},
      {"it", "Se domani piove, il concerto si terrà nella sala della chiesa."},
      {"it", "Portate una tazza, un cappotto caldo e qualcosa su cui sedervi."},
      {"pt", "O barco parte ao meio-dia e ainda temos de comprar bilhetes para todos."},
      {"pt", "Ela guardou a velha câmara no estojo e fechou a janela."},
      {"pt", "Ninguém sabe quem pintou esta parede, mas toda a gente gosta dela."},
      {"pt", "Se amanhã chover, o concerto será no salão da igreja."},
      {"pt", "Tragam uma caneca, um casaco quente e alguma coisa para se sentarem."},
      {"nl", "De veerboot vertrekt om twaalf uur en we moeten nog kaartjes voor iedereen kopen."},
      {"nl", "Ze stopte de oude camera weer in haar tas en deed het raam dicht."},
      {"nl", "Niemand weet wie deze muur heeft beschilderd, maar iedereen vindt hem mooi."},
      {"nl", "Als het morgen regent, is het concert in de zaal van de kerk."},
      {"nl", "Neem een beker, een warme jas en iets om op te zitten mee."},
      {"sv", "Färjan går klockan tolv, och vi måste fortfarande köpa biljetter till alla."},
      {"sv", "Hon lade tillbaka den gamla kameran i fodralet och stängde fönstret."},
      {"sv", "Ingen vet vem som har målat den här väggen, men alla tycker om den."},
      {"sv", "Om det regnar i morgon blir konserten i kyrkans sal."},
      {"sv", "Ta med en kopp, en varm jacka och något att sitta på."},
      {"da", "Færgen sejler klokken tolv, og vi skal stadig købe billetter til alle."},
      {"da", "Hun lagde det gamle kamera tilbage i tasken og lukkede vinduet."},
      {"da", "Ingen ved, hvem der har malet denne væg, men alle synes godt om den."},
      {"da", "Hvis det regner i morgen, bliver koncerten holdt i kirkens sal."},
      {"da", "Tag en kop, en varm jakke og noget at sidde på med."},
      {"no", "Fergen går klokken tolv, og vi må fortsatt kjøpe billetter til alle sammen."},
      {"no", "Hun la det gamle kameraet tilbake i vesken og lukket vinduet."},
      {"no", "Ingen vet hvem som har malt denne veggen, men alle liker den."},
      {"no", "Hvis det regner i morgen, blir konserten holdt i salen ved kirken."},
      {"no", "Ta med deg en kopp, en varm jakke og noe å sitte på."},
      {"fi", "Lautta lähtee kahdeltatoista, ja meidän on vielä ostettava liput kaikille."},
      {"fi", "Hän pani vanhan kameran takaisin koteloon ja sulki ikkunan."},
      {"fi", "Kukaan ei tiedä, kuka on maalannut tämän seinän, mutta se on kaunis."},
      {"fi", "Jos huomenna sataa, konsertti on kirkon salissa."},
      {"fi", "Ota mukaan kuppi, lämmin takki ja jotain, millä istua."},
      {"pl", "Prom odpływa w południe, a my musimy jeszcze kupić bilety dla wszystkich."},
      {"pl", "Schowała stary aparat do futerału i zamknęła okno."},
      {"pl", "Nikt nie wie, kto pomalował tę ścianę, ale wszystkim się podoba."},
      {"pl", "Jeśli jutro będzie padać, koncert odbędzie się w sali przy kościele."},
      {"pl", "Proszę przynieść kubek, ciepły płaszcz i coś do siedzenia."},
      {"cs", "Loď odplouvá v poledne a my musíme ještě koupit lístky pro všechny."},
      {"cs", "Dala starý fotoaparát zpátky do pouzdra a zavřela okno."},
      {"cs", "Nikdo neví, kdo tuto zeď namaloval, ale všem se líbí."},
      {"cs", "Pokud bude zítra pršet, koncert se přesune do sálu u kostela."},
      {"cs", "Přineste si prosím hrnek, teplý kabát a něco na sezení."},
      {"tr", "Vapur öğlen kalkıyor ve hepimiz için bilet almamız gerekiyor."},
      {"tr", "Eski fotoğraf makinesini çantasına koydu ve pencereyi kapattı."},
      {"tr", "Bu duvarı kimin boyadığını kimse bilmiyor ama herkes çok seviyor."},
      {"tr", "Yarın yağmur yağarsa konser kilisenin salonunda olacak."},
      {"tr", "Lütfen bir bardak, kalın bir palto ve oturmak için bir şey getirin."},
      {"ru", "Паром уходит в полдень, а нам ещё нужно купить билеты для всех."},
      {"ru", "Она убрала старый фотоаппарат в футляр и закрыла окно."},
      {"ru", "Никто не знает, кто расписал эту стену, но она всем нравится."},
      {"ru", "Если завтра будет дождь, концерт перенесут в зал при церкви."},
      {"ru", "Принесите кружку, тёплое пальто и что-нибудь, на чём можно сидеть."},
      {"uk", "Пором відходить опівдні, а нам ще треба купити квитки для всіх."},
      {"uk", "Вона поклала старий фотоапарат у футляр і зачинила вікно."},
      {"uk", "Ніхто не знає, хто розмалював цю стіну, але вона всім подобається."},
      {"uk", "Якщо завтра буде дощ, концерт перенесуть до зали біля церкви."},
      {"uk", "Принесіть кухоль, тепле пальто і щось, на чому можна сидіти."},
      {"el", "Το πλοίο φεύγει το μεσημέρι και πρέπει ακόμα να αγοράσουμε εισιτήρια."},
      {"el", "Έβαλε την παλιά μηχανή στη θήκη της και έκλεισε το παράθυρο."},
      {"ar", "تغادر العبارة عند الظهر ولا يزال علينا شراء التذاكر من أجل الجميع."},
      {"ar", "وضعت الكاميرا القديمة في الحقيبة ثم أغلقت النافذة."},
      {"ar", "لا أحد يعرف من رسم على هذا الجدار لكن الجميع يحبه."},
      {"he", "המעבורת יוצאת בצהריים, ואנחנו עוד צריכים לקנות כרטיסים."},
      {"he", "היא החזירה את המצלמה הישנה לנרתיק וסגרה את החלון."},
      {"zh", "渡轮中午出发，我们还要给大家买票。"},
      {"zh", "她把旧相机放回包里，关上了窗户。"},
      {"zh", "没有人知道这面墙是谁画的，可是大家都喜欢。"},
      {"ja", "フェリーは正午に出るので、みんなの切符をまだ買わなければならない。"},
      {"ja", "彼女は古いカメラをケースに戻して、窓を閉めた。"},
      {"ja", "明日雨が降れば、演奏会は教会の広間で開かれます。"},
      {"ko", "배는 정오에 떠나는데 우리는 아직 표를 사야 합니다."},
      {"ko", "그녀는 오래된 사진기를 가방에 넣고 창문을 닫았다."},
      {"hi", "नाव दोपहर को जाती है और हमें अभी सबके लिए टिकट खरीदने हैं।"},
      {"hi", "उसने पुराना कैमरा थैले में रखा और खिड़की बंद कर दी।"},
      {"th", "เรือออกตอนเที่ยงและเรายังต้องซื้อตั๋วให้ทุกคน"},
      {"th", "เธอเก็บกล้องเก่าใส่กระเป๋าแล้วปิดหน้าต่าง"},
  };
  return samples;
}

// Proves that single sentences are told apart: nearly all of ours, and none for another language's.
TEST(LanguageTest, TellsSentences) {
  int right = 0;
  std::string wrong;
  std::string untold;
  for (const Sample& sample : Samples()) {
    const TextLanguage found = DetectLanguage(sample.text);
    right += found.code == sample.language ? 1 : 0;
    if (found.code.empty()) {
      StrAppend(untold, sample.language, ": ", sample.text, "\n");
    } else if (found.code != sample.language) {
      StrAppend(wrong, sample.language, " as ", found.code, ": ", sample.text, "\n");
    }
    EXPECT_LE(found.confidence, 1);
    EXPECT_EQ(found.confidence > 0, !found.code.empty());
  }
  RecordProperty("right", right);
  RecordProperty("of", static_cast<int>(Samples().size()));
  EXPECT_EQ(wrong, "");
  EXPECT_GE(right * 100, static_cast<int>(Samples().size()) * 97) << right << "\n" << untold;
}

// Proves that a few sentences are enough for every language, with more confidence than one has.
TEST(LanguageTest, TellsParagraphs) {
  std::map<std::string_view, std::string> paragraphs;
  for (const Sample& sample : Samples()) {
    StrAppend(paragraphs[sample.language], sample.text, " ");
  }
  EXPECT_EQ(paragraphs.size(), 24U);
  for (const auto& [language, text] : paragraphs) {
    const TextLanguage found = DetectLanguage(text);
    EXPECT_EQ(found.code, language) << found.confidence;
    EXPECT_GT(found.confidence, 0.5) << language;
  }
}

// Proves that it says nothing where there is nothing to tell by.
TEST(LanguageTest, CannotTellFromLittle) {
  for (const std::string_view text : {"", " ", "42", "IMG_2041", "Paris", "https://example.org",
                                      "x", "!?", "日", "\xff\xfe\x80"}) {
    EXPECT_EQ(DetectLanguage(text).code, "") << text;
    EXPECT_EQ(DetectLanguage(text).confidence, 0) << text;
  }
}

// Proves that languages which it does not know are not taken for those that it does.
TEST(LanguageTest, DoesNotClaimForeignLanguages) {
  for (const std::string_view text : {
           "A hajó délben indul, és még jegyet kell vennünk mindenkinek, különben őszig várunk.",
           "Вона је ставила љубичасту књигу поред џепа, а њихов ђак ју је нашао ћутећи.",
           "کشتی ظهر رفت و ما باید برای همه بلیت و چای بگیریم.",
       }) {
    EXPECT_EQ(DetectLanguage(text).code, "") << text;
  }
}

// Proves that the language of most of a text counts.
TEST(LanguageTest, TakesTheMost) {
  std::string text = "He said \u201eguten Tag\u201c to the driver, and then we were on our way. ";
  EXPECT_EQ(DetectLanguage(text).code, "en");
  StrAppend(text, "これは日本語です。");
  EXPECT_EQ(DetectLanguage(text).code, "en");
}

}  // namespace
}  // namespace tintype::words
