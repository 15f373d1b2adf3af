/**
 * Function words by language: articles, pronouns, prepositions, conjunctions, auxiliaries, and question words. The
 * lists are short: they contain no word that can be the topic of a query.
 */
const LISTS: Readonly<Record<string, string>> = {
  en: `a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it
    its me my no not of on or our she should so such than that the their them then there these they this those to us
    was we were what when where which who whom why will with would you your`,
  de: `aber als am an auch auf aus bei bin bis da das dass daß dem den der des die dies diese diesem diesen dieser dieses
    du durch ein eine einem einen einer eines er es für hat hatte haben ich ihm ihn ihr ihre im in ist kann man mit nach
    nicht noch nur oder sein seine sich sie sind so über um und uns unter vom von vor war waren was welche welcher welches
    wenn wer werden wie wird wir wo wurde wurden zu zum zur zwischen`,
  fr: `a à au aux avec ce ces cet cette comme comment d dans de des dont du elle elles en est et été être eu furent fut il
    ils j je l la le les leur leurs lui m mais me même n ne nous on ont ou où par pas pour qu quand que quel quelle quelles
    quels qui quoi s sa se ses si son sont sur t un une vous y était étaient`,
  es: `a al con como cómo cuál cuando cuándo cuánto de del desde donde dónde e el ella ellos en entre era eran es esta está
    este esto fue fueron ha han la las le les lo los me más mi muy no o para pero por qué que quién se ser si sin sobre
    son su sus también un una uno y ya`,
  it: `a ai al alla alle agli anche c che chi ci come con cosa cui d da dal dalla dei del della delle degli di dove e è ed
    era erano fu gli ha hanno i il in io l la le lo loro ma ne nei nel nella non o per perché più quale quali quando
    quanto questa questo se si sono su sua sul sulla suo un una uno v`,
  pt: `a à ao aos as às com como da das de do dos e é ela ele em entre era eram essa esse esta este eu foi foram há isso
    isto já lhe mais mas me na nas não no nos o onde os ou para pela pelo por qual quais quando que quem se seu sua são
    ser também um uma`,
  nl: `aan al als bij dan dat de der die dit door een en er had heb hebben heeft het hij hoe hun ik in is je kan maar met
    naar niet nog of om onder ook op over te tot uit van voor waar wanneer waren was wat we welke werd werden wie wij
    worden wordt ze zich zij zijn`,
  sv: `att av de dem den det där din du efter eller en ett från för han har hon hur hade i icke inte jag kan man med men
    mot när och om på sig sin som till under upp var vad varför vem vi vid vilka vilken vilket är`,
  da: `af alle at blev da de dem den der det du efter eller en er et for fra han har havde hun hvad hvem hvilke hvilken
    hvor hvordan hvornår i ikke jeg kan man med men mod nu og om på sig sin som til under var ved vi`,
  no: `av at ble da de dem den der det du en eller er et etter for fra han har hadde hun hva hvem hvilke hvilken hvor
    hvordan i ikke jeg kan man med men mot nå når og om på seg sin som til under var ved vi å`,
  fi: `ei eivät että hän he ja jos joka jotka kanssa kuin kun kuka me mikä mitä mutta ne nämä olen oli olivat on ovat
    se sen sekä sitä tai tämä tämän te vai voi`,
  ru: `а без более бы был была были было в вас вам во вот вы где да для до его ее её если есть еще ещё же за и из или им
    их к как какая какие какой каком когда которая которые который кто ли мы на над не него нее нет ни но о об он она они
    оно от по под при с со так там то тоже только у уже чего чем что это этот эта эти я`,
  uk: `а або але б без був була були було в ви від він вона вони воно вже для до за з зі і із й його її їх як яка який які
    коли ми на над не ні о по під при про та так там те ти то у це цей ця ці що щоб я`,
  pl: `a ale bez by być był była były było co czy dla do gdy gdzie i ich ile im ja jak jaka jaki jakie jako jego jej jest
    kiedy kto która które który lub ma mi na nad nie o od on ona one oni oraz po pod przez przy są się ta tak te ten to
    tym w we z za ze że`,
  cs: `a aby ale ani bez by byl byla byli bylo být co do i jak jaká jaké jaký je jeho její jejich jsou k kde kdo kdy která
    které který ke na nad nebo o od on ona oni pod po pro při s se si ta tak také ten to u v ve z za ze že`,
  hu: `a az és azt csak de egy ez ezt ha hogy hol is ki kik meg mi mely melyek melyik mert mint mit nem s sem vagy van
    volt voltak`,
  ro: `a al ale au care ca ce cel cu cum de din doar după este era erau fi fost în la lui mai nu o pe pentru prin sau se
    si și sunt un una unde unei unui`,
  tr: `ama bir bu da daha de değil en gibi hangi her için ile ise kadar ki kim mi mı mu mü ne nerede olan olarak o şu ve
    veya ya`,
  id: `ada adalah akan apa atau bagaimana bagi dan dari dengan di dia ini itu juga ke mana mereka oleh pada saya siapa
    tidak untuk yang`,
  el: `αλλά αν από για δεν είναι ένα ένας και με μια να ο η οι ότι που πως σε στη στην στο στον τα τη την της το του των
    τι ποιος ποια ποιο ήταν`,
  ar: `في من على إلى عن مع هو هي هم ما لا لم لن أن إن كان كانت قد هذا هذه ذلك تلك التي الذي الذين أو ثم و كما بين بعد
    قبل كل متى أين كيف هل لماذا`,
  he: `של את על עם לא הוא היא הם הן זה זאת זו אני אנחנו אל או כי אם גם רק כל מה מי איך איפה מתי היה היתה היו אשר`,
  hi: `का के की को में से है हैं था थे थी और पर यह वह ये वे एक भी नहीं तो ने कि जो या हो कर इस उस क्या कौन कब कहाँ कैसे लिए`,
  fa: `و در به از که این آن را با است برای یک بود شد می ها تا بر هم یا چه کجا چرا`,
};

const STOP_WORDS = new Map(Object.entries(LISTS).map(([language, list]) => [language, new Set(list.split(/\s+/u))]));

/** Returns whether a lower-case word (with accents) is a function word of the language. */
export function isStopWord(word: string, language: string | null): boolean {
  return STOP_WORDS.get(language ?? 'en')?.has(word) ?? false;
}
