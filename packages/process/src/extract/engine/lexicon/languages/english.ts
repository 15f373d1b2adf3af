import { compoundNumbers } from '../compound-numbers.ts';
import type { ExtractionLanguage } from '../language.ts';

export const english: ExtractionLanguage = {
  language: 'en',
  labels: {
    documentNumber: `
      invoice number | invoice no | invoice nr | invoice num | invoice id | invoice # | tax invoice no |
      bill number | bill no | receipt number | receipt no | receipt id | document number | document no | doc no |
      credit note number | slip no | ticket no
    `,
    documentDate: `
      invoice date | date of invoice | bill date | billing date | receipt date | date of issue | issue date |
      issued on | date issued | issued | document date | statement date | date | dated
    `,
    dueDate: 'due date | date due | payment due date | payment due | pay by | pay before | due on',
    orderDate: 'order date | date of order | ordered on',
    deliveryDate:
      'delivery date | requested delivery date | required by | date required | required date | ship date | shipping date | date shipped | shipped on',
    startDate: `
      start date | date start | begin date | period start | period from | valid from | from date | service start |
      commencement date | billing period start
    `,
    endDate: `
      end date | date end | period end | period to | valid until | valid to | valid through | to date |
      service end | expiry date | expiration date | expiry | expires | expires on | termination date
    `,
    effectiveDate: `
      effective date | effective as of | effective on | date of agreement | agreement date | contract date |
      entered into as of | entered into on | made as of | made and entered into as of |
      made and entered into this | made effective as of | dated as of | is made on | made this |
      entered into this | as of | become effective on | becomes effective on | shall be effective on |
      effective from | with effect from | commence on | commences on | commencing on
    `,
    birthDate: 'date of birth | birth date | birthdate | dob | born | born on',
    time: 'time',
    total: `
      grand total | total amount | amount total | total due | amount due | total amount due | total payable |
      amount payable | net total | nett total | nett amt | net amt | total to pay | amount to pay |
      invoice total | order total | invoice amount | total invoice amount | total … incl | total … including |
      total … inclusive | total … included | total incl tax | total for this invoice | total sales inclusive |
      total after adj | total after rounding | total rounded | rounded total | gross total | total gross |
      gross amount | gross amt
    `,
    subtotal: `
      subtotal | sub total | sub tot | amount untaxed | untaxed amount | untaxed | net amount | amount net |
      amount before tax | total before tax | before tax | total … excl | total … excluding | total … excluded |
      total … exclusive | total excl tax | excl vat | excl tax | excluding vat | excluding gst | excluding tax |
      taxable amount | taxable value | taxable | amount excluding tax | total net | net value | net price |
      price before tax
    `,
    tax: `
      tax | tax amount | amount tax | total tax | tax total | sales tax | vat | vat amount | vat total |
      total vat | gst | gst amount | total gst | gst payable | hst | pst | service tax | sst
    `,
    taxRate: `
      tax rate | vat rate | gst rate | tax percent | line tax percent | tax percentage | vat percent |
      rate of tax | tax % | vat % | gst %
    `,
    discount: 'discount | discount amount | total discount | disc | rebate | savings',
    shipping: `
      shipping | shipping cost | shipping costs | shipping fee | shipping charges | shipping amount |
      shipping and handling | delivery charge | delivery fee | freight | postage | handling
    `,
    tip: 'tip | gratuity',
    serviceCharge: 'service charge | svc charge | svr charge | service fee | svc chg',
    rounding: 'rounding | rounding adjustment | rounding adj | round off',
    paid: `
      amount paid | paid | total paid | payment | payments | payment received | cash | cash paid | cash tendered |
      amount tendered | tendered | visa | mastercard | credit card
    `,
    change: 'change | change due | cash change | change amount',
    balance: 'balance due | balance | outstanding balance | amount outstanding | opening balance | closing balance',
    totalQuantity: `
      total qty | total quantity | total items | item count | no of items | number of items | items sold |
      total pcs
    `,
    quantity: 'quantity | qty | qnty | units | pcs | pieces | count | hours',
    unitPrice: `
      unit price | price unit | price per unit | price each | unit cost | unit rate | rate | u price | u p |
      s price | price | each
    `,
    lineTotal: `
      line total | price subtotal | line amount | amount | total price | extended price | ext price | total |
      subtotal | net amount
    `,
    description: `
      description | desc | item description | product description | product | product title | product name |
      item | item name | article | details | particulars | service | services | name
    `,
    itemCode: `
      sku | item code | item no | item number | product code | product id | product number | article number |
      article no | article code | part number | part no | code | item # | model | barcode | ean | upc | asin
    `,
    position: `pos | position | line | line no | line number | no | nr | sl no | s no | sr no | serial no | # | item no`,
    unit: 'unit | uom | unit of measure | measure',
    vendorName: `
      vendor | vendor name | seller | seller name | sold by | supplier | supplier name | issuer | issuer name |
      issued by | company | company name | name of company | business name | merchant | merchant name | store |
      store name | shop | shop name | partner name | partner | from | service provider | provider | biller |
      billed by | creditor | payee | remit to | invoice from | restaurant | sender
    `,
    vendorAddress: `
      vendor address | seller address | supplier address | issuer address | company address | address of company |
      store address | shop address | merchant address | business address | warehouse address | registered office |
      regd office | registered address | head office | partner address | sender address | from address | address
    `,
    customerName: `
      customer | customer name | client | client name | buyer | buyer name | bill to | billed to | bill to name |
      invoice to | invoiced to | sold to | ship to name | recipient | recipient name | purchaser | attention |
      attn | consignee | bill to customer
    `,
    customerAddress: `
      customer address | client address | buyer address | billing address | bill to address | invoice address |
      recipient address
    `,
    shippingAddress: 'shipping address | ship to | ship to address | delivery address | deliver to',
    customerNumber: `
      customer number | customer no | customer id | customer code | client number | client no | client id |
      account number | account no | account id | member number | member id
    `,
    orderNumber: `
      order number | order no | order nr | order id | order # | order reference | sales order | so number |
      customer order number | customer order | your order | po number | po no | purchase order number
    `,
    purchaseOrder: `
      purchase order | purchase order number | purchase order no | purchase order id | po number | po no | po # |
      p o | p o no | p o number | po | customer po
    `,
    reference: `
      reference | reference number | reference no | ref | ref no | ref number | your reference | your ref |
      our reference | our ref | customer reference | customer order free ref | partner ref
    `,
    paymentReference: `
      payment reference | payment ref | payment id | remittance reference | communication |
      structured communication | payment communication | communication for your payment |
      following communication | transaction id | transaction number | transaction no | trans no
    `,
    mandate: 'mandate id | mandate reference | mandate | sepa mandate',
    contractNumber: 'contract number | contract no | contract id | agreement number | policy number | policy no',
    caseNumber: `
      case number | case no | file number | file no | claim number | claim no | docket number |
      application number | registration number | registration no | reg no
    `,
    taxId: `
      vat | vat id | vat no | vat number | vat reg | vat reg no | vat registration | vat registration number |
      vat tin | tin | tax id | tax number | tax no | tax identification number | tax registration number |
      gst id | gst no | gst reg no | gst reg | gst registration | gst number | gstin | ein | abn | vat id number |
      service tax | vat eu
    `,
    companyNumber: `
      company number | company no | company registration number | company registration | registration number |
      co reg no | co no | reg no | business registration | chamber of commerce | coc | rsc | cin | crn | roc no |
      register number
    `,
    iban: 'iban | iban number | bank account | bank account number | account iban',
    bic: 'bic | bic code | swift | swift code | bic swift | swift bic | bank identifier',
    bankName: 'bank | bank name | name of bank',
    email: 'email | e mail | mail | email address | mail address | partner email',
    phone: `
      phone | phone number | telephone | telephone number | tel | tel no | tel nr | phone no | contact number |
      contact no | hotline | customer care | call
    `,
    mobile: 'mobile | mobile number | mobile phone | cell | cell phone | handphone | hp no',
    fax: 'fax | fax number | fax no',
    website: 'website | web site | web | url | homepage | internet | site | partner website | www | link',
    currency: 'currency | currency code | iso currency',
    currencySymbol: 'currency symbol | currency sign | symbol',
    street: `
      street | street address | street name | address line 1 | address line | address1 | address 1 | line1 |
      line 1 | partner street
    `,
    city: 'city | town | partner city | city name | locality',
    zip: 'zip | zip code | zipcode | postal code | postcode | post code | postalcode | partner zip',
    state: 'state | state code | province | region | county',
    country: 'country | country code | country name | nation',
    paymentMethod: `
      payment method | method of payment | payment mode | payment type | mode of payment | paid by | paid with |
      pay method | tender type
    `,
    paymentTerms: 'payment terms | terms of payment | payment term | terms | payment conditions',
    incoterm: 'incoterm | incoterms | delivery terms | terms of delivery',
    cashier: 'cashier | served by | server | staff | operator',
    salesperson:
      'ordered by | contact person | salesperson | sales person | sales rep | representative | account manager',
    personName: `
      name | full name | employee | applicant | applicant name | employee name | patient name | patient | student name |
      your name | contact | contact name | contact person | signatory | candidate | athlete
    `,
    firstName: 'first name | given name | given names | forename',
    lastName: 'last name | surname | family name',
    gender: 'gender | sex',
    nationality: 'nationality | citizenship',
    jobTitle: 'job title | position title | title | occupation | profession | role',
    employer: 'employer | organisation | organization | institution',
    jurisdiction: 'jurisdiction | governing law | applicable law | governed by | law of | laws of',
    term: 'term | duration | term of agreement | contract term | contract period | initial term | term of contract',
    noticePeriod: `
      notice period | period of notice | notice of termination | termination notice | written notice | prior notice |
      notice required
    `,
    parties: 'party | parties | contracting parties',
    notes: 'note | notes | remark | remarks | comment | comments | narration | memo | message',
  },
  generalLabels: {
    total: 'total | total sales',
    subtotal: 'net | net total | nett total',
  },
  weakLabels: {
    documentNumber: 'invoice | receipt | credit note | credit memo | #',
    customerName: 'to',
    documentDate: 'tax date | transaction date',
    startDate: 'from | since',
    endDate: 'until | through',
    total: 'amount | balance due | sum | price | balance | cost | fee',
    lineTotal: 'price | charges',
    orderNumber: 'order',
    term: 'period',
    noticePeriod: 'notice',
    iban: 'account',
  },
  nameLabels: 'name | company | company name',
  genericWords: `
    number | no | nr | num | id | code | the | of | a | an | and | or | for | to | in | on | at | by | is | name |
    date | amount | value | field | total | type | text | string | info | details | document | your | our | this |
    that | as | with | from | if | any | not | null | when | stated
  `,
  yes: 'yes | y | true | checked',
  no: 'no | n | false | unchecked',
  asPrinted: `as printed | as shown | as written | as is | as stated | as it appears | as in the document | verbatim | raw`,
  betweenDateParts: String.raw`day\s+of | of`,
  months: { sept: 9 },
  periods: { between: 'to | until | till', ongoing: 'present | now | current | currently | today | ongoing | date' },
  sections: {
    experience: 'experience | employment | work history | career history | career | positions held | jobs',
    education: 'education | academic background | studies | academic qualifications | degrees',
    publications: 'publications | papers',
    certifications: 'certifications | certificates | licences | licenses',
    awards: 'awards | honors | honours | prizes',
    projects: 'projects',
  },
  employedAt: 'at',
  schools: 'university | college | school | academy | institute | polytechnic',
  durations: {
    numbers: {
      one: 1,
      two: 2,
      three: 3,
      four: 4,
      five: 5,
      six: 6,
      seven: 7,
      eight: 8,
      nine: 9,
      ten: 10,
      eleven: 11,
      twelve: 12,
      fourteen: 14,
      fifteen: 15,
      eighteen: 18,
      twenty: 20,
      thirteen: 13,
      sixteen: 16,
      seventeen: 17,
      nineteen: 19,
      thirty: 30,
      forty: 40,
      fifty: 50,
      sixty: 60,
      seventy: 70,
      eighty: 80,
      ninety: 90,
      ...compoundNumbers(
        'twenty | thirty | forty | fifty | sixty | seventy | eighty | ninety',
        'one | two | three | four | five | six | seven | eight | nine',
        (ten, unit) => [`${ten}-${unit}`, `${ten} ${unit}`],
      ),
    },
    units: {
      day: 'day | days',
      week: 'week | weeks',
      month: 'month | months',
      year: 'year | years',
    },
    between: 'calendar | consecutive | full | complete',
    anniversary: {
      ordinals: {
        first: 1,
        second: 2,
        third: 3,
        fourth: 4,
        fifth: 5,
        sixth: 6,
        seventh: 7,
        eighth: 8,
        ninth: 9,
        tenth: 10,
      },
      word: 'anniversary',
      year: 'years',
    },
  },
  companies: {
    legalForms: String.raw`
      ltd | limited\s+partnership | limited | llc | l\.l\.c | inc | incorporated | corp | corporation | plc | llp | lp |
      pty(?:\.?\s*ltd)? | pvt(?:\.?\s*ltd)? | pte(?:\.?\s*ltd)? | co
    `,
    shortLegalForms: `
      LP | Co | CO | Pty | PTY | Pte | PTE | inc | Inc | INC | ltd | Ltd | LTD | llc | Llc | LLC | plc | Plc |
      PLC | LLP | Llp
    `,
    particles: 'of | and | the',
    businessWords: `
      enterprise | trading | restaurant | cafe | café | store | stores | mart | market | supermarket | shop |
      hotel | pharmacy | bakery | kitchen | bistro | bar | services | solutions | group | holdings |
      international | industries | hardware | books? | bank | clinic | university | institute | foundation |
      association
    `,
  },
  personTitles: String.raw`mr | mrs | ms | dr | prof`,
  documentTitles: String.raw`(?:simplified\s+)?(?:tax\s+)?(?:invoice|receipt|bill|statement|quotation|order|credit note|credit memo|delivery note|reminder|copy|original|page|welcome|thank you)`,
  streets: {
    words: String.raw`
      street | st | road | rd | avenue | ave | boulevard | blvd | drive | dr | lane | ln | court | ct | way |
      place | pl | square | sq | highway | hwy | parkway | terrace | floor | flr | suite | unit | lot | block |
      blk | p\.?o\.? box | gate
    `,
    firstWords: String.raw`no\. | lot`,
  },
  wordsAfterAddress: String.raw`
    tel | telephone | phone | fax | e-?mail | gst | vat | tin | tax | company no | co\.? reg | reg no | roc |
    site | hotline | http | www | invoice | receipt | date | iban | bic | customer care | page | cin
  `,
  agreements: {
    openings: [
      String.raw`\b(?:by and )?(?:between|among|Between|BETWEEN|AMONG)\b`,
      String.raw`\b(?:entered into|made)\b[^.;]{0,80}?\bby\b(?:\s+and\s+(?:between|among))?`,
    ],
    between: '(?:by and )?(?:between|among) | parties',
    and: 'and',
    partyLeads: 'the company | the firm | mr | mr. | mrs | mrs. | ms | ms. | dr | dr. | messrs | either',
    roles: `
      supplier | customer | client | vendor | seller | buyer | purchaser | landlord | tenant | lessor | lessee |
      licensor | licensee | employer | employee | contractor | consultant | service provider | lender | borrower |
      disclosing party | receiving party | discloser | recipient | party a | party b | first party | second party
    `,
    inForce: String.raw`
      in\s+(?:full\s+)?(?:force|effect) | remains?\s+effective | expires? | continues? | (?:initial\s+)?term\s+of | anniversary |
      runs?\s+for | valid\s+for | terminates? | survives? | effective\s+for
    `,
    notice: String.raw`(?:prior\s+|advance\s+|written\s+)*notice`,
    deadline: String.raw`within | no\s+later\s+than | not\s+later\s+than`,
    since: String.raw`after | following | from\s+(?:receipt|the\s+date) | of\s+receipt`,
    afterEnd: String.raw`thereafter | after\s+(?:its|the|such)\s+(?:end|expiry|expiration|termination)`,
    restraint: String.raw`solicit\w* | compet(?:e|es|ing|ition|itor|itive)`,
    ending: String.raw`terminat\w+ | cancel\w* | renew\w* | non-?renew\w* | expir\w+ | ends? | ended | quit`,
    breach: String.raw`breach\w* | default\w* | cured? | remed(?:y|ied) | audit\w* | inspect\w* | insolven\w+`,
    definers: String.raw`hereinafter | hereafter | referred\s+to\s+as`,
    partyDescriptions: 'an? | the | with | having | whose | located | organi[sz]ed | acting | individually | its',
    governingLaw: [
      /(?:[Gg]overned|GOVERNED|[Cc]onstrued|[Ii]nterpreted|[Ee]nforced|[Dd]etermined|[Ss]ettled)[^.;]{0,120}?(?:[Ll]aws?|LAWS?|legislation)(?:\s+and\s+\p{L}+)?\s+(?:of|OF|(?:\p{L}+\s+){0,3}in)\s+(?:(?:the|THE)\s+)?(?:(?:[Ss]tate|STATE|[Cc]ommonwealth|[Pp]rovince|[Rr]epublic|[Kk]ingdom)\s+(?:of|OF)\s+)?(?<place>\p{Lu}\p{L}+(?:['’]s)?(?:\s+(?:of\s+|and\s+)?\p{Lu}\p{L}+){0,3})/u,
      /(?:governed|construed)[^.;]{0,60}?\b(?:by|with)\s+(?:the\s+)?(?<place>\p{Lu}\p{L}+)\s+[Ll]aws?\b/u,
    ],
  },
};
