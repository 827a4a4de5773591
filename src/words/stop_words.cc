#include "words/stop_words.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace tintype::words {
namespace {

constexpr std::array kLists = {
    StopWordList{
        "en",
        "a about above after again against all also although always am an and another any are as "
        "at "
        "be because been before being below between both but by can cannot could did do does doing "
        "don't done down during each either else even ever every few for from further get gets got "
        "had "
        "has have having he her here hers him himself his how however i i'm i've if in into is "
        "isn't it "
        "it's its itself just let like made make many may me might more most much must my myself "
        "no nor "
        "not now of off often on once one only onto or other our ours out over own per quite "
        "rather "
        "really same she should since so some still such than that that's the their theirs them "
        "then "
        "there there's these they they're this those through to too under until up upon us very "
        "was "
        "wasn't we we're well were what when where which while who whom whose why will with within "
        "without won't would yes yet you you're your yours"},
    StopWordList{"de",
                 "ab aber alle allem allen aller alles als also am an andere anderen auch auf aus "
                 "bei beim bin "
                 "bis bist da damit dann das dass davon dazu dein deine dem den denn der des "
                 "dessen die dies "
                 "diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer "
                 "eines er es "
                 "etwas euch euer für gegen gibt habe haben hat hatte hatten hier hin ich ihm ihn "
                 "ihnen ihr ihre "
                 "ihrem ihren ihrer im immer in ins ist ja jede jedem jeden jeder jedes jetzt kann "
                 "kein keine "
                 "keinen keiner können könnte machen man mehr mein meine meinem meinen meiner mich "
                 "mir mit muss "
                 "müssen nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine seinem "
                 "seinen seiner "
                 "seit sich sie sind so soll sollte sondern sonst über um und uns unser unsere "
                 "unter viel viele "
                 "vom von vor war waren warum was weil weiter welche wenn wer werden wie wieder "
                 "will wir wird "
                 "wo wurde wurden zu zum zur zwar zwischen"},
    StopWordList{"fr",
                 "a ai ainsi alors après au aucun aucune aussi autre autres aux avait avant avec "
                 "avez avoir avons "
                 "beaucoup bien c'est car ce ceci cela celle celui ces cet cette ceux chaque chez "
                 "comme comment "
                 "dans de depuis des deux dit doit donc dont du déjà elle elles en encore entre es "
                 "est et eu eux "
                 "fait faire faut font il ils j'ai je jusqu jamais la le les leur leurs lors "
                 "lorsque lui là ma "
                 "mais me mes moi moins mon même n'est ne ni non nos notre nous on ont ou où par "
                 "parce pas peu "
                 "peut peuvent plus pour pourquoi puis quand que quel quelle quelles quels qu'il "
                 "qu'elle qui "
                 "quoi rien sa sans se sera ses si son sont sous souvent suis sur ta te tes toi "
                 "ton toujours "
                 "tous tout toute toutes très tu un une va vers voici voilà vos votre vous y à "
                 "était étaient été "
                 "être d'un d'une l'on"},
    StopWordList{
        "es",
        "a ahora al algo algunos alguna algunas antes aquel aquella aquí así aunque cada casi como "
        "con "
        "contra cual cuales cuando cómo de del desde donde dos durante e el ella ellas ellos en "
        "entre "
        "era eran eres es esa esas ese eso esos esta estaba estado estamos estar estas este esto "
        "estos "
        "está están fue fueron ha habla haber había han hasta hay he la las le les lo los me mi "
        "mis "
        "mientras mucho muchos mucha muchas muy más nada ni no nos nosotros nuestra nuestras "
        "nuestro nuestros "
        "o os otra otras otro otros para pero poco por porque pues puede pueden que quien quienes "
        "qué "
        "se sea ser si sido siempre sin sobre son su sus sí sólo solo también tan tanto te tiene "
        "tienen "
        "todo todos toda todas tu tus un una unas uno unos usted ustedes va vez y ya yo él"},
    StopWordList{"it",
                 "a abbiamo ad agli ai al alla alle allo allora altra altre altri altro anche "
                 "ancora avere aveva "
                 "avevano bene c'è che chi ci cioè come con così cosa cui da dagli dai dal dalla "
                 "dalle dallo "
                 "degli dei del dell della delle dello dentro di dopo dove due e ed era erano "
                 "essere fa fatto "
                 "fino fra gli ha hai hanno ho i il in io l'ha la le lei li lo loro lui ma me "
                 "mentre mi mia mie "
                 "miei mio molto ne negli nei nel nella nelle nello noi non nostra nostre nostri "
                 "nostro o ogni "
                 "oggi perché per però più poco poi prima può qua quale quali quando quanto quella "
                 "quelle quelli "
                 "quello questa queste questi questo qui quindi se sei sempre senza si sia siamo "
                 "sono sopra sotto "
                 "sta stata stati stato su sua sue sugli sui sul sulla sulle suo suoi tra tu tua "
                 "tuo tutta tutte "
                 "tutti tutto un un'altra una uno va vi voi è"},
    StopWordList{"pt",
                 "a agora ainda algo alguma algumas alguns ao aos aquela aquele aqui as assim até "
                 "cada com como "
                 "contra da das de dela dele deles depois desde dessa desse desta deste do dois "
                 "dos e ela elas "
                 "ele eles em enquanto entre era eram essa essas esse esses esta estas estava este "
                 "estes está "
                 "estão eu foi foram fez há isso isto já la lhe lhes mais mas me mesmo meu meus "
                 "minha minhas muito "
                 "muita muitas muitos na nada nas nem nessa nesse nesta neste no nos nossa nossas "
                 "nosso nossos num numa não nós o "
                 "onde os ou outra outras outro outros para pela pelas pelo pelos pode podem pois "
                 "por porque "
                 "pouco qual quando que quem se seja sem sempre ser seu seus sido sim sobre sou "
                 "sua suas são só "
                 "também tem tinha toda todas todo todos tudo tão têm um uma umas uns vai você "
                 "vocês à às é"},
    StopWordList{"nl",
                 "aan al alle alleen als altijd andere ben bij daar dan dat de deze die dit doch "
                 "doen door dus "
                 "een eens en er even ge geen had hadden heb hebben heeft hem het hier hij hoe hun "
                 "iets ik in is "
                 "ja je jij jullie kan kon kunnen maar me meer men met mij mijn moet moeten na "
                 "naar niet niets "
                 "nog nu of om omdat onder ons ons onze ook op over reeds samen te tegen ten ter "
                 "toch toen tot u "
                 "uit uw van veel vaak voor waar waarom want waren was wat we weer wel welke werd "
                 "wie wij wil "
                 "worden wordt zal ze zeer zelf zich zij zijn zo zonder zou zullen"},
    StopWordList{
        "sv",
        "alla allt att av bara blev bli blir bra de dem den denna deras dess dessa det detta dig "
        "din "
        "dina ditt dock du där efter ej eller en er ett fick för fram från får få genom ha hade "
        "han "
        "hans har henne hennes hon honom hur här i icke in ingen inget inte jag ju kan kom kunde "
        "kommer "
        "man med mellan men mer mig min mina mitt mot mycket måste ni nu när någon något några och "
        "också om oss på sedan sig sin sina ska skulle som så sådan till under upp ut utan vad var "
        "vara "
        "varför varit vem vi vid vilka vilken vår våra vårt än är åt över"},
    StopWordList{"da",
                 "af alle alt altid anden andet andre at blev blive bliver da de dem den denne der "
                 "deres det "
                 "dette dig din dine disse dog du efter eller en end er et få får for fordi fra "
                 "før ham han hans "
                 "har havde have hende hendes her hun hvad hvem hver hvilken hvis hvor hvordan "
                 "hvorfor i ikke "
                 "ind ingen jeg jer jo kan kom kunne lidt man mange med meget mellem men mere mig "
                 "min mine mit "
                 "mod måske nej noget nogle nogen når nu og også om op os over på sammen selv sig "
                 "sin sine sit "
                 "skal skulle som så sådan thi til tilbage ud uden under var ved vi vil ville vor "
                 "vores være været vores skulle stadig synes ved kun"},
    StopWordList{"no",
                 "alle alt alltid andre annen annet at av bare ble blei blir bli både da de deg "
                 "dem den denne "
                 "der deres det dette di din disse du eller en enn er et etter ett fikk for fordi "
                 "fra før få får gjennom "
                 "ha hadde han hans har hatt henne hennes her hos hun hva hvem hver hvilken hvis "
                 "hvor hvordan "
                 "hvorfor i ikke ingen inn ja jeg kan kom kommer kunne litt man mange med meg "
                 "mellom men mens mer "
                 "min mine mitt mot mye må måtte ned nei noe noen nå når og også om opp oss over "
                 "på selv seg sin "
                 "sine sitt skal skulle slik som så til tilbake under ut uten var ved vi vil ville "
                 "vår våre være vært vet fortsatt liker gjøre"},
    StopWordList{
        "fi",
        "ei eikä eivät eli en ennen entä ett että he heidän heitä hän hänen häntä ihan ilman itse "
        "ja "
        "jo joka jolla jonka jos joskus jossa jota jotka jotta juuri jälkeen kaikki kanssa kerran "
        "koko "
        "koska kuin kuinka kuka kun kuten lisäksi me meidän meille melko mihin mikä mikään "
        "millainen "
        "miksi minkä minua minulla minulle minun minä missä mistä mitä mukaan mutta myös ne niiden "
        "niin "
        "niitä noin nuo nyt oli olisi olla ole olen olet olemme olette olivat on ollut ovat paljon "
        "pitää se sekä sen siellä siitä sillä sinun sinä sitten sitä siinä sinne tai te teidän "
        "tämä "
        "tämän tässä tästä täällä tätä vaan vaikka vai varten vain vielä voi voidaan yli ympäri"},
    StopWordList{
        "pl",
        "a aby albo ale ależ ani bardzo bez bo by być był była było były będzie będą chce ci cię "
        "co coś "
        "czy czyli dla do dlaczego gdy gdyby gdzie go i ich ile im inne inny ja jak jako jakie "
        "jakiś "
        "jednak jego jej jest jestem jeszcze jeśli już każdy kiedy kto która które którego której "
        "który których którzy lub ma mają mam mi mnie mogą moja moje może można mój mu my na nad "
        "nam nas "
        "nasz nasze nawet nic nie nich nie niego nim niż o od on ona one oni ono oraz po pod "
        "ponieważ przed "
        "przez przy raz się są ta tak taki także tam te tego tej ten też to tobie tu tutaj twój ty "
        "tych tylko "
        "tym tę w wam was we więc wszystkie wszystko wtedy właśnie z za zawsze ze że żeby"},
    StopWordList{"cs",
                 "a aby ale ani asi až bez bude budou by byl byla byli bylo být co což do ho i já "
                 "jak jako jako "
                 "je jeho jej jejich její jen jenom ještě jestli ji jiné již jsem jsi jsme jsou "
                 "jste k kam kde kdo kdy když "
                 "ke která které který kteří kvůli má mají mám me mezi mi mít mně mnou moc moje "
                 "mohou můj může my na nad "
                 "nám nás náš ne nebo než nic ním o od on ona oni ono pak po pod podle pokud pouze "
                 "pro proč proto protože "
                 "před přes při s se si sice svůj své svou ta tady tak také takže tam tato te tedy "
                 "ten tento této "
                 "tím to toho tohle tom tomu toto tu ty u už v vám vás ve velmi více však všechno "
                 "všichni vy z za zde ze že"},
    StopWordList{"tr",
                 "acaba ama ancak artık aslında az bana bazı belki ben benim beni bile bir biri "
                 "birkaç birçok biz "
                 "bize bizi bizim bu buna bunu bunun burada böyle bütün çok çünkü da daha de defa "
                 "değil diye "
                 "diğer dolayı en fakat gibi göre hem hep hepsi her hiç için ile ise işte kadar "
                 "karşı ki kim mı "
                 "mi mu mü nasıl ne neden nerede nereye niye o olan olarak oldu olduğu olduğunu "
                 "olmak olması olur "
                 "ona onlar onların onu onun orada oysa pek rağmen sadece sanki sen senin siz "
                 "sizin sonra şey şu "
                 "tüm var ve veya ya yani yine yok yoksa zaten şimdi ediyor etti etmek eden"},
    StopWordList{"ru",
                 "а без более бы был была были было быть в вам вас весь во вот все всего всех вы "
                 "где да даже для "
                 "до его ее если есть еще ещё её же за здесь и из или им их к как какой когда кто "
                 "ли либо лишь "
                 "между меня мне много может можно мои мой моя мы на над надо нам нас наш не него "
                 "нее ней нет ни "
                 "них но ну о об однако он она они оно от очень по под после потому почти при про "
                 "раз с сам свой свою "
                 "своей себе себя со так также такой там те тем теперь то тогда того тоже той "
                 "только том тот тут ты у уже хотя "
                 "чего чем через что чтобы чтоб эта эти это этого этой этом этот эту я"},
    StopWordList{"uk",
                 "а або адже але б без би був була були було бути в вам вас весь ви вже від він "
                 "вона вони воно все "
                 "всі всіх де для до дуже є її його з за зараз завжди зі й йому і із інші їх його "
                 "коли котрий крім "
                 "ледве лише між може можна мене мені ми мій моя на навіть над нам нас наш не нею "
                 "неї ні ним них ніж о "
                 "однак ось от перед під після по поки при про проте раз разом сам своїй свій свою "
                 "своє себе собі та так така таке такий "
                 "також там те тепер ти тим тільки то тобі тоді того тоже тому треба тут у хоча "
                 "хто це цей цих ця цього "
                 "цьому чи чого чому ще що щоб я як яка яке який які якщо"},
    StopWordList{"el",
                 "αλλά αν αντί από αυτά αυτές αυτή αυτήν αυτό αυτοί αυτός αυτού αφού για δεν εάν "
                 "εδώ εγώ εκεί "
                 "εκείνα εκείνη εκείνο εκείνος εμείς εν ενώ εξ επειδή επί εσύ έτσι έχει έχουν έχω "
                 "ή η ήδη ήταν θα "
                 "ίσως κάθε και κάποιος κάτι κατά κι μα με μέσα μέχρι μετά μη μην μία μια μόνο μου "
                 "μας ένα ένας έναν να ξανά ο "
                 "οι όλα όλοι όμως όπου όπως όσο όταν ότι όχι παρά πια πιο πολύ που ποιος πρέπει "
                 "πριν προς πώς "
                 "σαν σας σε στα στη στην στις στο στον στους στου στων συ τα τη την της τι τις το "
                 "τον τόσο του "
                 "τους τότε των τώρα ύστερα υπό χωρίς ως είναι είμαι είχε"},
    StopWordList{
        "ar",
        "في من على إلى الى عن مع هذا هذه ذلك تلك التي الذي الذين اللذين ما ماذا متى كيف أين لماذا "
        "هل لا "
        "لم لن ليس ليست كان كانت كانوا يكون تكون أن إن انه أنه إنها أنها هو هي هم هن نحن أنا أنت "
        "أنتم "
        "كل بعض غير بين بعد قبل عند عندما حتى إذا لو لكن ولكن أو أم ثم قد لقد كما كذلك أيضا فقط "
        "جدا منذ "
        "حيث به بها له لها لهم فيه فيها منه منها عليه عليها إليه إليها هناك هنا الآن أي أية وهو "
        "وهي وقد "
        "وكان وكانت ولا وما ومن وفي وعلى تم يتم دون حول خلال ضد نحو سوف مثل كي لدى لي بل و يا"},
    StopWordList{
        "he",
        "של את על אל לא כן אני אתה את הוא היא אנחנו אתם הם הן זה זאת זו אלה אלו מה מי איך איפה מתי "
        "למה כי "
        "אם או גם רק עם בין כל יש אין היה הייתה היו יהיה תהיה להיות אבל אלא עוד מאוד כמו כך לכן אז "
        "שם "
        "כאן פה לפני אחרי אחר אחרת אחרים בו בה בהם לו לה להם לי לך לנו שלי שלך שלו שלה שלנו שלהם "
        "אותו "
        "אותה אותם אשר כאשר כדי עד מן מאז תחת ליד בגלל בלי לאחר יותר פחות אחד אחת כבר עכשיו תמיד "
        "שהוא שהיא והוא והיא"},
    StopWordList{"ko",
                 "그 이 저 것 수 등 및 또는 그리고 그러나 하지만 그래서 그런데 때문에 위해 위한 "
                 "대한 대해 통해 "
                 "따라 관한 있는 있다 있습니다 있었다 없는 없다 없습니다 하는 한다 합니다 했다 "
                 "했습니다 하고 해서 "
                 "되는 된다 됩니다 되었다 이다 입니다 이런 그런 저런 이것 그것 저것 여기 거기 저기 "
                 "나는 나 너 우리 "
                 "우리는 저는 제가 내가 그는 그녀는 그들은 매우 아주 너무 더 가장 모든 다른 같은 "
                 "같이 함께 다시 "
                 "이미 아직 지금 오늘은 또 또한 만약 어떤 무엇 누구 언제 어디 왜 어떻게 안 못 잘 "
                 "더욱 많은 많이"},
    StopWordList{
        "hi",
        "का के की को में से है हैं था थी थे हो होता होती होते होना और या पर यह वह ये वे इस उस इन उन इसके "
        "उसके उनके अपने अपनी अपना हम मैं तुम आप मेरा मेरी मेरे हमारे हमारी आपका आपके आपकी कि जो जिस जिसे जिसके "
        "तो भी ही नहीं न ने एक कुछ कोई सब सभी बहुत अब तब जब कब कहाँ यहाँ वहाँ क्या क्यों कैसे कौन लिए साथ "
        "बाद पहले तक द्वारा लेकिन मगर परन्तु अगर यदि फिर बीच जैसे वाला वाले वाली कर करना करने करते करता करती "
        "किया की गया गई गए रहा रही रहे सकता सकते सकती दिया हुआ हुई हुए जाता जाती जाते"},
};

StopWordSet SetOf(std::string_view words) {
  StopWordSet set;
  while (!words.empty()) {
    const size_t end = std::min(words.find(' '), words.size());
    set.insert(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return set;
}

}  // namespace

std::span<const StopWordList> StopWordLists() { return kLists; }

const StopWordSet* FindStopWords(std::string_view language) {
  static const auto sets = [] {
    std::unordered_map<std::string_view, StopWordSet> made;
    for (const StopWordList& list : kLists) {
      made.emplace(list.language, SetOf(list.words));
    }
    return made;
  }();
  const auto found = sets.find(language);
  return found == sets.end() ? nullptr : &found->second;
}

}  // namespace tintype::words
