/**
 * Word families that stemmers keep apart: forms of irregular verbs, by their base. German verbs are without separable
 * prefixes, which `word-forms.ts` removes.
 */

/** Rows of words; the first is the base. */
export const FAMILIES: Readonly<Record<string, string>> = {
  en: `arise arose arisen, awake awoke awoken, bear bore borne, beat beaten, become became, begin began begun, bend bent,
    bind bound, bite bit bitten, bleed bled, blow blew blown, break broke broken, breed bred, bring brought, build built,
    burn burnt, buy bought, catch caught, choose chose chosen, cling clung, come came, creep crept, deal dealt, dig dug,
    draw drew drawn, dream dreamt, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel
    felt, fight fought, find found, flee fled, fly flew flown, forbid forbade forbidden, forget forgot forgotten, forgive
    forgave forgiven, freeze froze frozen, get got gotten, give gave given, go went gone, grind ground, grow grew grown,
    hang hung, hear heard, hide hid hidden, hold held, keep kept, kneel knelt, know knew known, lay laid, lead led, learn
    learnt, leave left, lend lent, lie lay lain, light lit, lose lost loss, make made, mean meant, meet met, pay paid, ride
    rode ridden, ring rang rung, rise rose risen, run ran, say said, see saw seen, seek sought, sell sold sale, send sent,
    shake shook shaken, shine shone, shoot shot, show shown, shrink shrank shrunk, sing sang sung, sink sank sunk, sit sat,
    sleep slept, slide slid, speak spoke spoken, spend spent, spin spun, spring sprang sprung, stand stood, steal stole
    stolen, stick stuck, strike struck, strive strove striven, swear swore sworn, sweep swept, swim swam swum, swing swung,
    take took taken, teach taught, tear tore torn, tell told, think thought, throw threw thrown, understand understood,
    wake woke woken, wear wore worn, weave wove woven, weep wept, win won winner, wind wound, withdraw withdrew withdrawn,
    write wrote written, die death`,
  de: `beginnen beginnt begann begonnen beginn, bieten bot geboten, binden band gebunden bund, bitten bat gebeten,
    bleiben blieb geblieben, brechen bricht brach gebrochen bruch, brennen brannte gebrannt, bringen brachte
    gebracht, denken dachte gedacht, essen isst aß gegessen, fahren fährt fuhr gefahren fahrt, fallen fällt fiel
    gefallen, fangen fängt fing gefangen, finden fand gefunden fund, fliegen flog geflogen flug, fliehen floh
    geflohen, fließen floss geflossen, frieren fror gefroren, geben gibt gab gegeben gabe, gehen ging gegangen gang,
    gelten gilt galt gegolten, gewinnen gewann gewonnen, gießen goss gegossen, graben gräbt grub gegraben, greifen
    griff gegriffen, halten hält hielt gehalten, hängen hing gehangen, heben hob gehoben, helfen hilft half geholfen
    hilfe, kennen kannte gekannt, klingen klang geklungen, kommen kam gekommen, laden lädt lud geladen, lassen lässt
    ließ gelassen, laufen läuft lief gelaufen, leiden litt gelitten, leihen lieh geliehen, lesen liest las gelesen,
    liegen lag gelegen, messen misst maß gemessen, nehmen nimmt nahm genommen nahme, nennen nannte genannt, raten
    rät riet geraten, reißen riss gerissen, reiten ritt geritten, rufen rief gerufen, schaffen schuf geschaffen,
    scheiden schied geschieden, scheinen schien geschienen, schieben schob geschoben, schießen schoss geschossen,
    schlafen schläft schlief geschlafen, schlagen schlägt schlug geschlagen, schließen schloss geschlossen schluss,
    schmelzen schmilzt schmolz geschmolzen, schneiden schnitt geschnitten, schreiben schrieb geschrieben schrift,
    sehen sieht sah gesehen, senden sandte gesandt, singen sang gesungen, sinken sank gesunken, sitzen saß gesessen,
    sprechen spricht sprach gesprochen sprache spruch, springen sprang gesprungen sprung, stehen stand gestanden,
    stehlen stiehlt stahl gestohlen, steigen stieg gestiegen, sterben stirbt starb gestorben, stoßen stößt stieß
    gestoßen, streichen strich gestrichen, streiten stritt gestritten, tragen trägt trug getragen, treffen trifft
    traf getroffen, treiben trieb getrieben, treten tritt trat getreten, trinken trank getrunken getränk, gessen
    gisst gaß, lieren lor loren, schwinden schwand geschwunden, wachsen wächst wuchs gewachsen, waschen wäscht wusch
    gewaschen, weisen wies gewiesen, wenden wandte gewandt, werben wirbt warb geworben, werfen wirft warf geworfen,
    wiegen wog gewogen, wissen weiß wusste gewusst, ziehen zog gezogen zug, zwingen zwang gezwungen, wählen wählt
    wählte gewählt wahl`,
  fr: `acquérir acquis acquit acquisition, apparaître apparu apparut apparition, apprendre appris apprit, boire bu but,
    comprendre compris comprit, conduire conduit conduite conduisit, connaître connu connut, construire construit construite
    construisit construction constructeur, courir couru courut course, couvrir couvert couvrit, craindre craint, créer créé
    créa création créateur, croire cru crut, croître crû croissance, découvrir découvert découvrit découverte, détruire
    détruit détruisit destruction, devenir devenu devint, devoir dû dut, dire dit dite, disparaître disparu disparut
    disparition, écrire écrit écrite écrivit écriture, élire élu élut élection, envoyer enverra envoi, éteindre éteint
    éteignit extinction, fonder fondé fonda fondation fondateur, inscrire inscrit inscription, introduire introduit
    introduction, joindre joint, lire lu lut lecture, mettre mis mise mit, mourir mort morte mourut, naître né née naquit
    naissance, obtenir obtenu obtint, offrir offert offrit offre, ouvrir ouvert ouverte ouvrit ouverture, paraître paru
    parut parution, partir part départ, perdre perdu perdit perte, permettre permis permise permit permission, plaire plu,
    prendre pris prise prit, produire produit production, promettre promis promesse, recevoir reçu reçut réception, réduire
    réduit réduction, rendre rendu rendit, répondre répondu réponse, résoudre résolu résolution, savoir su sut, servir sert
    service, sortir sortie, souffrir souffert, suivre suivi suivit, tenir tenu tint, traduire traduit traduction
    traducteur, vaincre vaincu, vendre vendu vendit vente vendeur, venir venu vint venue, vivre vécu vécut vie, voir vu vit
    vue, vouloir voulu`,
  es: `abrir abierto abrió apertura, caer cayó caído caída, conducir condujo conducción, conocer conoció conocido, construir
    construyó construido construcción, crear creó creado creación, crecer creció crecimiento, creer creyó, cubrir cubierto
    cubrió, dar dio dado, decir dijo dicho, descubrir descubierto descubrió descubrimiento, destruir destruyó destruido
    destrucción, dormir durmió, elegir eligió elegido elección, escribir escribió escrito escritura, fundar fundó fundado
    fundación fundador, haber hubo, hacer hizo hecho, introducir introdujo introducción, ir fue, leer leyó leído lectura,
    morir murió muerto muerte, nacer nació nacido nacimiento, obtener obtuvo, oír oyó, pedir pidió pedido, perder perdió
    pérdida, poder pudo, poner puso puesto, producir produjo producción, querer quiso, recibir recibió recepción, reducir
    redujo reducción, resolver resolvió resuelto resolución, romper rompió roto, saber supo, seguir siguió seguido, sentir
    sintió, servir sirvió servicio, tener tuvo tenido, traducir tradujo traducción, traer trajo traído, vender vendió venta,
    venir vino venido, ver vio visto, vivir vivió vida, volver volvió vuelto vuelta`,
};
