"""Function words that no search is about, by language.

Words with a technical meaning are not in the lists (`off`, `before`, `own`, `while`).
Where an apostrophe is dropped, the form without it stands here (`dont`).
"""

from __future__ import annotations

from groundkit_core.analysis.folding import fold

_ENGLISH = """
    a an the this that these those
    i me my mine myself we our ours ourselves you your yours yourself yourselves
    he him his himself she her hers herself it its itself they them their theirs themselves
    who whom whose which what when where why how
    am is are was were be been being isnt arent wasnt werent aint
    have has had having havent hasnt hadnt
    do does did doing done dont doesnt didnt
    can could will would shall should cannot cant couldnt wont wouldnt shant shouldnt mustnt
    and or but nor if than then so because as though although whether
    of at by for with about into onto to from in on through during
    there here also just very too only such both each either neither any all some
    no not more most other another few
"""

_GERMAN = """
    der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner
    ich mich mir mein meine meinen meinem meiner du dich dir dein deine deinen deinem deiner
    er ihn ihm sein seine seinen seinem seiner sie ihr ihre ihren ihrem ihrer es wir uns unser
    unsere unseren unserem unserer euch euer eure euren eurem man sich selbst
    dieser diese dieses diesen diesem jener jene jenes jenen jenem jeder jede jedes jeden jedem
    welcher welche welches welchen welchem wer wen wem wessen was wann wo wie warum wieso
    weshalb wohin woher
    bin bist ist sind seid war warst waren wart sei gewesen
    habe hast hat haben habt hatte hattest hatten hattet gehabt
    werde wirst wird werden werdet wurde wurden worden geworden
    kann kannst können könnt konnte konnten muss müssen soll sollen sollte sollten
    will wollen wollte darf dürfen würde würden
    und oder aber denn sondern wenn weil dass daß ob als doch auch nur noch schon so sehr
    mehr dann da hier dort nicht nichts ja nein
    in im ins an am ans auf aus bei beim bis durch für gegen hinter mit nach ohne über um
    unter von vom vor zu zum zur zwischen
"""

_FRENCH = """
    le la les un une des du de au aux ce cet cette ces ça cela ceci
    je me moi tu te toi il elle on nous vous ils elles se soi lui leur leurs y en eux
    mon ma mes ton ta tes son sa ses notre nos votre vos
    qui que quoi dont où quel quelle quels quelles lequel laquelle lesquels lesquelles
    quand comment pourquoi combien
    suis es est sommes êtes sont étais était étions étiez étaient été étant sera seront
    serait seraient soit soient fut furent
    ai as a avons avez ont avais avait avions aviez avaient eu ayant aura auront aurait
    auraient ait aient
    fait faire peut peuvent doit doivent
    et ou mais donc or ni car si comme puis alors lorsque puisque quoique
    à dans par pour sur sous avec sans chez vers entre depuis pendant
    ne pas plus moins très trop aussi bien même tout tous toute toutes autre autres
    ici là
    c d j l m n s t qu estce
"""

_SPANISH = """
    el la los las un una unos unas lo al del de
    yo me mí mi mis tú te ti tu tus él ella ello ellos ellas usted ustedes nosotros nosotras
    vosotros vosotras nos os se sí si su sus le les nuestro nuestra nuestros nuestras vuestro
    vuestra vuestros vuestras mío mía suyo suya
    este esta esto estos estas ese esa eso esos esas aquel aquella aquello aquellos aquellas
    que qué quien quién quienes cual cuál cuales cuáles cuando cuándo donde dónde como cómo
    cuanto cuánto cuyo cuya
    soy eres es somos sois son era eras éramos eran fui fue fueron ser sido siendo será serán
    sería sea sean estoy está estás estamos están estaba estaban estar estado
    he has ha hemos han había habían haber hay haya tiene tienen puede pueden
    y e o u pero sino ni porque aunque pues mientras
    a ante con contra desde en entre hacia hasta para por según sin sobre tras
    no más menos muy mucho muchos mucha muchas poco también tampoco ya así todo toda todos todas
    otro otra otros otras mismo misma algo alguno alguna algunos algunas cada
"""

_ITALIAN = """
    il lo la i gli le un uno una l
    di del dello della dei degli delle a al allo alla ai agli alle da dal dallo dalla dai
    dagli dalle in nel nello nella nei negli nelle su sul sullo sulla sui sugli sulle con col
    per tra fra
    io mi me tu ti te lui lei egli ella esso essa noi ci vi voi loro essi esse si sé ne
    mio mia miei mie tuo tua tuoi tue suo sua suoi sue nostro nostra nostri nostre vostro
    vostra vostri vostre
    questo questa questi queste quello quella quelli quelle quel quei quegli ciò
    che chi cui quale quali quando dove come perché quanto quanta quanti quante
    sono sei è siamo siete ero eri era eravamo erano fu furono essere stato stata stati state
    sarà saranno sarebbe sia siano
    ho hai ha abbiamo avete hanno aveva avevano avere avuto abbia può possono
    e ed o od ma se anche né non più molto così già ancora tutto tutta tutti tutte altro altra
    altri altre stesso ogni
"""

_PORTUGUESE = """
    o a os as um uma uns umas
    de do da dos das em no na nos nas ao aos à às por pelo pela pelos pelas para pra com sem
    sob sobre entre até desde após num numa
    eu me mim tu te ti ele ela eles elas você vocês nós vós se si lhe lhes
    meu minha meus minhas teu tua teus tuas seu sua seus suas nosso nossa nossos nossas
    dele dela deles delas
    este esta estes estas isto esse essa esses essas isso aquele aquela aqueles aquelas aquilo
    que quem qual quais quando onde como porque porquê quanto quanta quantos quantas cujo cuja
    sou és é somos são era eram fui foi foram ser sido sendo será serão seria seja sejam
    estou está estamos estão estava estavam estar
    tenho tem têm temos tinha tinham ter há havia haver pode podem
    e ou mas nem pois se embora
    não mais menos muito muita muitos muitas também já só assim tão todo toda todos todas
    outro outra outros outras mesmo mesma cada algum alguma alguns algumas
"""

_DUTCH = """
    de het een der den des dit dat deze die
    ik me mij mijn je jij jou jouw u uw hij hem zijn zij ze haar hun hen wij we ons onze
    jullie men zich zichzelf
    wie wat waar wanneer waarom hoe welk welke wiens
    ben bent is was waren wezen geweest
    heb hebt heeft hebben had hadden gehad
    word wordt worden werd werden geworden
    kan kunnen kon konden zal zullen zou zouden moet moeten mag mogen wil willen doen doet
    en of maar want dus als dan omdat hoewel terwijl
    aan bij door in met naar om op over te tegen tot uit van voor zonder tussen
    er hier daar ook nog al niet geen niets iets wel zo toch meer veel heel zeer alle alles
    andere ander elk elke
"""

_SWEDISH = """
    en ett den det de dem denna detta dessa
    jag mig min mitt mina du dig din ditt dina han honom hans hon henne hennes vi oss vår vårt
    våra ni er ert era deras sig sin sitt sina man
    vem vad var när varför hur vilken vilket vilka vars som där här
    är vara varit blir blev bli blivit har ha hade haft kan kunde ska skall skulle vill måste
    och eller men om att så då än eftersom
    av på i till för med från över under vid utan mellan efter åt
    inte ej icke inga ingen inget också bara mycket mer alla allt någon något några
    annan sådan själv
"""

_DANISH = """
    en et den det de dem denne dette disse
    jeg mig min mit mine du dig din dit dine han ham hans hun hende hendes vi os vor vores i
    jer jeres deres sig sin sit sine man
    hvem hvad hvor hvornår hvorfor hvordan hvilken hvilket hvilke hvis som der her
    er var være været bliver blev blive har have havde haft kan kunne skal skulle vil ville må
    og eller men om at så da end fordi når
    af på i til for med fra over under ved uden mellem efter
    ikke ingen intet også kun meget mere alle alt nogen noget nogle anden andet andre selv
"""

_NORWEGIAN = """
    en ei et den det de dem denne dette disse
    jeg meg min mitt mine du deg din ditt dine han ham hans hun henne hennes vi oss vår vårt
    våre dere deres seg sin sitt sine man
    hvem hva hvor når hvorfor hvordan hvilken hvilket hvilke som der her
    er var være vært blir ble bli blitt har ha hadde hatt kan kunne skal skulle vil ville må
    og eller men om at så da enn fordi
    av på i til for med fra over under ved uten mellom etter
    ikke ingen intet også bare mye mer alle alt noen noe annen annet andre selv
"""

_RUSSIAN = """
    я меня мне мной ты тебя тебе тобой он его ему им нем она ее ей ею оно мы нас нам нами вы
    вас вам вами они их ими них себя себе собой
    мой моя мое мои твой твоя твое твои наш наша наше наши ваш ваша ваше ваши свой своя свое свои
    этот эта это эти этого этой этих тот та те того той тех такой такая такое такие
    кто кого кому что чего чему чем какой какая какое какие который которая которое которые
    где когда куда откуда почему зачем как сколько
    быть был была было были есть будет будут бы ли же
    и а но или да если чтобы потому так то тоже также
    в во на с со к ко о об обо по из у за от до для при про через между без
    не ни нет уже еще только очень даже вот все всё весь вся всех там тут здесь
"""

_LISTS = {
    "danish": _DANISH,
    "dutch": _DUTCH,
    "dutch_porter": _DUTCH,
    "english": _ENGLISH,
    "french": _FRENCH,
    "german": _GERMAN,
    "italian": _ITALIAN,
    "norwegian": _NORWEGIAN,
    "porter": _ENGLISH,
    "portuguese": _PORTUGUESE,
    "russian": _RUSSIAN,
    "spanish": _SPANISH,
    "swedish": _SWEDISH,
}


def stop_words(language: str) -> frozenset[str]:
    """The folded stop-words of a Snowball language; none for a language without a list."""
    return frozenset(map(fold, _LISTS.get(language, "").split()))
