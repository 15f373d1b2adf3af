/**
 * Dialogues in five languages: documents of a supplier and of a second company, and turns with a part of the snippet
 * that must be cited first. They were written before any answer to them was seen.
 */
export interface Dialogue {
  language: string;
  documents: Readonly<Record<string, string>>;
  /** Turns of one chat, in order; null for a question that the documents leave open. */
  chats: readonly (readonly (readonly [question: string, snippet: string | null])[])[];
}

export const DIALOGUES: readonly Dialogue[] = [
  {
    language: 'en',
    documents: {
      'supply.md': `# Supply agreement with Norland

The notice period is three months to the end of a quarter. Norland delivers the paper every Tuesday.

Invoices are paid within 30 days. A late payment costs two percent a month.

Complaints are sent to the office in Bristol. The manager of the office is Helen Marsh. She started in 2016.`,
      'bakery.md': `# Harrow Bakery

Harrow Bakery was founded in 1987. It has 42 employees and two ovens.

The shop opens at six in the morning. It closes at noon on Sundays. Bread that is left over goes to a shelter.`,
    },
    chats: [
      [
        ['How long is the notice period?', 'three months'],
        ['Who delivers?', 'Norland delivers the paper'],
        ['And on which day?', 'Tuesday'],
        ['When are invoices paid?', 'within 30 days'],
        ['What does a late payment cost?', 'two percent'],
      ],
      [
        ['When was Harrow Bakery founded?', '1987'],
        ['How many employees does it have?', '42 employees'],
        ['When does the shop open?', 'at six in the morning'],
        ['And on Sundays?', 'closes at noon'],
        ['Where do I send complaints?', 'office in Bristol'],
        ['Who is its manager?', 'Helen Marsh'],
      ],
      [
        ['When does the shop open?', 'at six in the morning'],
        ['thanks!', null],
        ['What happens to the bread that is left over?', 'goes to a shelter'],
      ],
    ],
  },
  {
    language: 'de',
    documents: {
      'mietvertrag.md': `# Mietvertrag Lindenstraße

Die Kündigungsfrist beträgt drei Monate. Die Kaution beträgt zwei Monatsmieten.

Die Miete wird am dritten Werktag des Monats gezahlt. Der Hausmeister heißt Jonas Weber. Er räumt im Winter den Schnee.`,
      'werkstatt.md': `# Werkstatt Brunner

Die Werkstatt Brunner wurde 1974 gegründet. Sie beschäftigt elf Mechaniker.

Ein Reifenwechsel kostet 60 Euro. Die Werkstatt liefert Ersatzteile innerhalb von zwei Tagen.`,
    },
    chats: [
      [
        ['Wie lang ist die Kündigungsfrist?', 'drei Monate'],
        ['Wer räumt den Schnee?', 'räumt im Winter'],
        ['Wie hoch ist die Kaution?', 'zwei Monatsmieten'],
        ['Was kostet ein Reifenwechsel?', '60 Euro'],
        ['Wer liefert?', 'liefert Ersatzteile'],
      ],
      [
        ['Wann wurde die Werkstatt Brunner gegründet?', '1974'],
        ['Wie viele Mechaniker beschäftigt sie?', 'elf Mechaniker'],
        ['Wann wird die Miete gezahlt?', 'dritten Werktag'],
      ],
    ],
  },
  {
    language: 'fr',
    documents: {
      'bail.md': `# Bail de la rue Haute

Le préavis est de trois mois. Le dépôt de garantie est de 1 200 euros.

Le loyer est payé le cinq du mois. La gardienne s'appelle Claire Morel. Elle distribue le courrier.`,
      'atelier.md': `# Atelier Dubois

L'atelier Dubois a été fondé en 1962. Il emploie neuf personnes.

Une réparation coûte 45 euros. L'atelier livre les meubles en dix jours.`,
    },
    chats: [
      [
        ['Quelle est la durée du préavis ?', 'trois mois'],
        ['Qui distribue le courrier ?', 'distribue le courrier'],
        ['Combien coûte une réparation ?', '45 euros'],
        ['Qui livre ?', 'livre les meubles'],
      ],
      [
        ["Quand l'atelier Dubois a-t-il été fondé ?", '1962'],
        ['Combien de personnes emploie-t-il ?', 'neuf personnes'],
        ['Quand le loyer est-il payé ?', 'le cinq du mois'],
      ],
    ],
  },
  {
    language: 'es',
    documents: {
      'alquiler.md': `# Contrato de alquiler

El plazo de preaviso es de dos meses. La fianza es de 900 euros.

El alquiler se paga el primer día del mes. La portera se llama Lucía Romero. Ella reparte el correo.`,
      'taller.md': `# Taller Vega

El taller Vega fue fundado en 1981. Emplea a siete mecánicos.

Un cambio de aceite cuesta 35 euros. El taller entrega las piezas en tres días.`,
    },
    chats: [
      [
        ['¿Cuál es el plazo de preaviso?', 'dos meses'],
        ['¿Quién reparte el correo?', 'reparte el correo'],
        ['¿Cuánto cuesta un cambio de aceite?', '35 euros'],
        ['¿Quién entrega?', 'entrega las piezas'],
      ],
      [
        ['¿Cuándo fue fundado el taller Vega?', '1981'],
        ['¿Y cuántos mecánicos emplea?', 'siete mecánicos'],
        ['¿Cuándo se paga el alquiler?', 'el primer día'],
      ],
    ],
  },
  {
    language: 'zh',
    documents: {
      'hetong.md': `# 租赁合同

合同的通知期限是三个月。押金是两个月的租金。

租金在每月五日支付。管理员是王芳。`,
      'gongchang.md': `# 华光工厂

华光工厂成立于1995年。工厂有三百名员工。

工厂每周二送货。维修费用是八十元。`,
    },
    chats: [
      [
        ['合同的通知期限是多久？', '三个月'],
        ['谁送货？', '送货'],
        ['维修费用是多少？', '八十元'],
      ],
      [
        ['华光工厂什么时候成立？', '1995年'],
        ['它有多少员工？', '三百名员工'],
        ['租金什么时候支付？', '每月五日'],
      ],
    ],
  },
];

/** One chat about a collection of all languages: a change of language ends the context. */
export const MIXED: readonly (readonly [question: string, snippet: string | null])[] = [
  ['How long is the notice period?', 'three months'],
  ['Wie hoch ist die Kaution?', 'zwei Monatsmieten'],
  ['Quand le loyer est-il payé ?', 'le cinq du mois'],
  ['¿Cuánto cuesta un cambio de aceite?', '35 euros'],
  ['工厂有多少员工？', '三百名员工'],
];
