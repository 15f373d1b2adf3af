/**
 * The usual words for what business documents and forms say, in several languages, grouped by what they mean. A phrase
 * after `~` is weak: it is often used for something else; after `-` it gives way to more exact ones. `…` stands for up to three other words. Compounds of German
 * and Dutch are spelled out. Folded: lower case, no accents, no punctuation.
 */
export type ValueKind =
  | 'date'
  | 'amount'
  | 'percent'
  | 'number'
  | 'email'
  | 'phone'
  | 'url'
  | 'iban'
  | 'bic'
  | 'vat'
  | 'id'
  | 'currency'
  | 'currencySymbol'
  | 'country'
  | 'company'
  | 'person'
  | 'address'
  | 'street'
  | 'city'
  | 'zip'
  | 'state'
  | 'duration'
  | 'law'
  | 'boolean'
  | 'text';

export interface Concept {
  kinds: readonly ValueKind[];
  phrases: string;
}

export const CONCEPTS: Readonly<Record<string, Concept>> = {
  documentNumber: {
    kinds: ['id'],
    phrases:
      'invoice number|invoice no|invoice nr|invoice num|invoice id|invoice #|tax invoice no|bill number|bill no|receipt number|receipt no|receipt id|document number|document no|doc no|credit note number|slip no|ticket no|rechnungsnummer|rechnungsnr|rechnung nr|rechnungs nr|rechnung nummer|belegnummer|beleg nr|facture n|facture no|numero de facture|n facture|facture numero|factuurnummer|factuurnr|factuur nr|numero fattura|fattura n|fattura numero|numero de factura|factura n|factura no|factura numero|numero da fatura|fatura n|fakturanummer|faktura nr|numer faktury|~invoice|~rechnung|~facture|~factuur|~fattura|~factura|~receipt|~#|請求書番号|請求書no|請求番号|伝票番号|領収書番号|no請求書|发票号码|發票號碼|发票号|发票编号|账单编号|청구서 번호|n fattura|numer dokumentu|fatura no|cislo faktury|faktura cislo|szamla sorszama|fatura numarasi|laskun numero|fakturanr',
  },
  documentDate: {
    kinds: ['date'],
    phrases:
      'invoice date|date of invoice|bill date|billing date|receipt date|date of issue|issue date|issued on|date issued|issued|document date|statement date|rechnungsdatum|belegdatum|datum|date|dated|date de facture|date facture|date de facturation|date d emission|factuurdatum|data fattura|data|fecha de factura|fecha factura|fecha de emision|fecha|data da fatura|data de emissao|fakturadatum|data wystawienia|~tax date|~transaction date|請求日|発行日|発行年月日|請求年月日|領収日|日付|开票日期|開票日期|发票日期|发票日|账单日期|日期|발행일|datum vystaveni|fatura tarihi|laskun paivays|udstedelsesdato|fakturadato|szamla kelte',
  },
  dueDate: {
    kinds: ['date'],
    phrases:
      'due date|date due|payment due date|payment due|pay by|pay before|due on|zahlungsziel|fallig am|fallig|falligkeitsdatum|falligkeit|zahlbar bis|date d echeance|echeance|date echeance|vervaldatum|betaaldatum|uiterste betaaldatum|data scadenza|scadenza|fecha de vencimiento|vencimiento|data de vencimento|forfallodato|forfallsdato|forfallodatum|termin platnosci|支払期限|お支払期限|お支払い期限|振込期限|お振込期限|支払期日|お支払期日|到期日|付款截止日期|付款期限|지급 기한|zahlbar bis zum|zu zahlen bis|a payer avant le|a regler avant le|fecha limite de pago|da pagare entro|entro il|te betalen voor|datum splatnosti|splatnost|erapaiva|son odeme tarihi',
  },
  orderDate: {
    kinds: ['date'],
    phrases:
      'order date|date of order|ordered on|bestelldatum|auftragsdatum|date de commande|orderdatum|besteldatum|data ordine|fecha de pedido|fecha pedido|data do pedido',
  },
  deliveryDate: {
    kinds: ['date'],
    phrases:
      'delivery date|ship date|shipping date|date shipped|shipped on|lieferdatum|leistungsdatum|liefertermin|date de livraison|leverdatum|data consegna|fecha de entrega|data de entrega',
  },
  startDate: {
    kinds: ['date'],
    phrases:
      'start date|date start|begin date|period start|period from|valid from|from date|service start|commencement date|billing period start|beginn|von|startdatum|date de debut|begindatum|data inizio|fecha de inicio|~from|~since',
  },
  endDate: {
    kinds: ['date'],
    phrases:
      'end date|date end|period end|period to|valid until|valid to|valid through|to date|service end|expiry date|expiration date|expiry|expires|expires on|termination date|bis|enddatum|ablaufdatum|gultig bis|date de fin|einddatum|data fine|fecha de fin|~until|~through',
  },
  effectiveDate: {
    kinds: ['date'],
    phrases:
      'effective date|effective as of|effective on|date of agreement|agreement date|contract date|entered into as of|entered into on|made as of|made and entered into as of|made and entered into this|made effective as of|dated as of|is made on|made this|entered into this|as of|in kraft ab|date d effet|date d entree en vigueur|ingangsdatum|fecha de entrada en vigor|契約日|契約締結日|締結日|生效日期|签订日期|datum des inkrafttretens|vertragsbeginn|fecha de inicio del contrato|data di decorrenza|tritt am|tritt zum|tritt mit wirkung zum|tritt mit wirkung vom|wirkung zum|wirkung ab|beginnt am|prend effet le|prend effet a compter du|entre en vigueur le|entrara en vigor el|entra en vigor el|surtira efecto el|entra in vigore il|decorre dal|treedt in werking op|gaat in op|entra em vigor em|wchodzi w zycie|become effective on|becomes effective on|shall be effective on|effective from|with effect from|commence on|commences on|commencing on',
  },
  birthDate: {
    kinds: ['date'],
    phrases:
      'date of birth|birth date|birthdate|dob|born|born on|geburtsdatum|geboren am|geboren|date de naissance|ne le|nee le|geboortedatum|data di nascita|fecha de nacimiento|data de nascimento|生年月日|出生日期',
  },
  time: { kinds: ['text'], phrases: 'time|uhrzeit|heure|tijd|hora|ora' },
  total: {
    kinds: ['amount', 'number'],
    phrases:
      'grand total|total amount|amount total|total due|amount due|total amount due|total payable|amount payable|net total|nett total|nett amt|net amt|total to pay|amount to pay|invoice total|invoice amount|total invoice amount|total … incl|total … including|total … inclusive|total … included|total incl tax|total for this invoice|total sales inclusive|total after adj|total after rounding|total rounded|rounded total|gross total|total gross|gross amount|gross amt|total ttc|montant ttc|montant total|net a payer|total a payer|montant a payer|gesamtbetrag|gesamtsumme|rechnungsbetrag|endbetrag|bruttobetrag|brutto|zu zahlen|zahlbetrag|-summe|-gesamt|-totaal|totaal te betalen|te betalen|totaalbedrag|totaal incl|eindtotaal|-totale|totale fattura|totale da pagare|importo totale|totale documento|importe total|total factura|total a pagar|valor total|total geral|att betala|summa att betala|at betale|-total|do zaplaty|-razem|-celkem|-total sales|~amount|~balance due|~sum|~importo|~importe|~montant|~betrag|~bedrag|~price|~balance|~cost|~fee|ご請求金額|請求金額|ご請求額|請求額|合計金額|合計|総計|総額|税込合計|お支払金額|合计|总计|总金额|应付金额|價稅合計|价税合计|합계|suma brutto|razem brutto|kwota do zaplaty|naleznosc ogolem|celkem k uhrade|yhteensa|genel toplam|importe total a pagar|montant total ttc|rechnungssumme|zu zahlender betrag',
  },
  subtotal: {
    kinds: ['amount', 'number'],
    phrases:
      'subtotal|sub total|sub tot|-net|amount untaxed|untaxed amount|untaxed|net amount|amount net|amount before tax|total before tax|before tax|total … excl|total … excluding|total … excluded|total … exclusive|total excl tax|excl vat|excl tax|excluding vat|excluding gst|excluding tax|taxable amount|taxable value|taxable|amount excluding tax|total net|net value|nettobetrag|netto|zwischensumme|summe netto|gesamt netto|netto gesamt|total ht|montant ht|sous total|prix ht|subtotaal|exclusief btw|excl btw|totaal excl|totaal exclusief|bedrag excl|imponibile|totale imponibile|base imponible|base imponivel|subtotale|suma netto|wartosc netto|net price|price before tax|小計|税抜合計|税抜金額|税抜|小计|不含税金额|金额合计|소계|razem netto|wartosc netto ogolem|total hors taxes|importe neto|totale netto|nettosumme|netto summe|bez dph|veroton',
  },
  tax: {
    kinds: ['amount', 'number'],
    phrases:
      'tax|tax amount|amount tax|total tax|tax total|sales tax|vat|vat amount|vat total|total vat|gst|gst amount|total gst|gst payable|hst|pst|service tax|sst|mwst|mwst betrag|mehrwertsteuer|umsatzsteuer|ust|steuer|steuerbetrag|tva|montant tva|total tva|taxe|taxes|btw|btw bedrag|totaal btw|iva|importo iva|importe iva|cuota iva|imposta|impuesto|impuestos|imposto|moms|mva|podatek|kwota vat|消費税|消費税額|税額|内消費税|税额|增值税|营业税|부가세|kwota podatku|dph|kdv|alv|afa',
  },
  taxRate: {
    kinds: ['percent', 'number'],
    phrases:
      'tax rate|vat rate|gst rate|tax percent|line tax percent|tax percentage|vat percent|rate of tax|steuersatz|mwst satz|ust satz|taux tva|taux de tva|btw percentage|btw tarief|aliquota|aliquota iva|tipo iva|tipo de iva|taxa de iva|tax %|vat %|gst %|mwst %|btw %|tva %|iva %|税率|stawka vat|stawka',
  },
  discount: {
    kinds: ['amount', 'percent', 'number'],
    phrases:
      'discount|discount amount|total discount|disc|rebate|savings|rabatt|nachlass|skonto|remise|rabais|korting|sconto|descuento|desconto|値引|割引|折扣',
  },
  shipping: {
    kinds: ['amount', 'number'],
    phrases:
      'shipping|shipping cost|shipping costs|shipping fee|shipping charges|shipping amount|shipping and handling|delivery charge|delivery fee|freight|postage|handling|versand|versandkosten|frais de port|frais de livraison|livraison|verzendkosten|spedizione|spese di spedizione|gastos de envio|envio|frete|送料|配送料|运费|運費',
  },
  tip: { kinds: ['amount', 'number'], phrases: 'tip|gratuity|trinkgeld|pourboire|fooi|mancia|propina|gorjeta' },
  serviceCharge: {
    kinds: ['amount', 'number'],
    phrases: 'service charge|svc charge|svr charge|service fee|svc chg|servicegebuhr|bearbeitungsgebuhr',
  },
  rounding: {
    kinds: ['amount', 'number'],
    phrases: 'rounding|rounding adjustment|rounding adj|round off|rundung|arrondi|afronding|arrotondamento|redondeo',
  },
  paid: {
    kinds: ['amount', 'number'],
    phrases:
      'amount paid|paid|total paid|payment|payments|payment received|cash|cash paid|cash tendered|amount tendered|tendered|visa|mastercard|credit card|gezahlt|bezahlt|bar|gegeben|montant paye|paye|especes|betaald|contant|pagato|contanti|pagado|efectivo|pago',
  },
  change: {
    kinds: ['amount', 'number'],
    phrases:
      'change|change due|cash change|change amount|ruckgeld|wechselgeld|zuruck|monnaie|rendu|wisselgeld|resto|cambio|troco',
  },
  balance: {
    kinds: ['amount', 'number'],
    phrases:
      'balance due|balance|outstanding balance|amount outstanding|opening balance|closing balance|saldo|offener betrag|solde|openstaand',
  },
  totalQuantity: {
    kinds: ['number'],
    phrases:
      'total qty|total quantity|total items|item count|no of items|number of items|items sold|total pcs|gesamtmenge',
  },
  quantity: {
    kinds: ['number'],
    phrases:
      'quantity|qty|qnty|qté|qte|units|pcs|pieces|menge|anzahl|stuck|stk|nombre|quantite|aantal|quantita|cantidad|cant|quantidade|qtd|antal|ilosc|count|hours|stunden|heures|uren|数量|數量|個数|수량|pocet|maara|miktar|mennyiseg',
  },
  unitPrice: {
    kinds: ['amount', 'number'],
    phrases:
      'unit price|price unit|price per unit|price each|unit cost|unit rate|rate|u price|u p|s price|price|each|einzelpreis|stuckpreis|preis|e preis|ep|vk preis|preis pro einheit|prix unitaire|prix unit|p u|pu ht|p u ht|prix|prijs per stuk|stukprijs|prijs|eenheidsprijs|prezzo unitario|prezzo|precio unitario|precio|preco unitario|preco|a pris|pris|cena|cena jednostkowa|単価|单价|單價|단가|prix unitaire ht|prix unitaire ttc|cena netto|cena brutto|cena jednostkowa netto|einzelpreis netto|cena za jednotku|yksikkohinta|birim fiyat|precio unit|prezzo unit|preco unit',
  },
  lineTotal: {
    kinds: ['amount', 'number'],
    phrases:
      'line total|price subtotal|line amount|amount|total price|extended price|ext price|total|subtotal|net amount|gesamtpreis|gesamt|betrag|zeilenbetrag|summe|montant|montant ht|montant ttc|total ht|total ligne|bedrag|totaal|prijs incl|prijs incl btw|totaalprijs|importo|totale|importe|valor|valor total|belopp|kwota|wartosc|~price|~charges|金額|金额|金額税抜|小計金額|금액|wartosc netto|wartosc brutto|wartosc sprzedazy|montant ligne|gesamt netto|celkem|yhteensa|tutar',
  },
  description: {
    kinds: ['text'],
    phrases:
      'description|desc|item description|product description|product|product title|product name|item|item name|article|details|particulars|service|services|name|beschreibung|bezeichnung|artikel|artikelbezeichnung|leistung|produkt|position text|designation|libelle|article|produit|omschrijving|artikel|productnaam|descrizione|articolo|prodotto|descripcion|concepto|articulo|producto|descricao|produto|beskrivning|opis|nazwa|品目|品名|摘要|内容|項目|件名|商品名|品番・品名|品名・数量|项目|項目名稱|货物名称|商品名称|服务名称|품목|nazwa towaru|nazwa towaru lub uslugi|nazwa uslugi|popis|kuvaus|aciklama|megnevezes|leistungsbeschreibung|artikelbeschreibung|beschreibung der leistung|libelle de la prestation|descripcion del producto',
  },
  itemCode: {
    kinds: ['id', 'text'],
    phrases:
      'sku|item code|item no|item number|product code|product id|product number|article number|article no|article code|part number|part no|code|item #|model|barcode|ean|upc|asin|artikelnummer|artikelnr|artikel nr|art nr|reference article|ref article|codice|codice articolo|codigo|referencia|kod|品番|商品コード|商品编码|indeks|varenr|artnr',
  },
  position: {
    kinds: ['id', 'number'],
    phrases: 'pos|position|line|line no|line number|no|nr|sl no|s no|sr no|serial no|#|item no|ligne|riga|linea|lp',
  },
  unit: {
    kinds: ['text'],
    phrases:
      'unit|uom|unit of measure|measure|einheit|me|unite|eenheid|unita|unidad|unidade|jm|単位|单位|單位|j m|jednostka',
  },
  vendorName: {
    kinds: ['company'],
    phrases:
      'vendor|vendor name|seller|seller name|sold by|supplier|supplier name|issuer|issuer name|issued by|company|company name|name of company|business name|merchant|merchant name|store|store name|shop|shop name|partner name|partner|from|service provider|provider|biller|billed by|creditor|payee|remit to|invoice from|restaurant|verkaufer|lieferant|rechnungssteller|firma|anbieter|aussteller|vendeur|fournisseur|emetteur|societe|entreprise|verkoper|leverancier|bedrijf|bedrijfsnaam|venditore|fornitore|ditta|azienda|ragione sociale|emisor|proveedor|vendedor|empresa|razon social|fornecedor|emitente|sprzedawca|sender|absender|請求元|発行者|発行元|販売者|会社名|销售方|卖方|供应商|销售方名称|공급자|wystawca|dodavatel|rechnungsaussteller|factuur van',
  },
  vendorAddress: {
    kinds: ['address'],
    phrases:
      'vendor address|seller address|supplier address|issuer address|company address|address of company|store address|shop address|merchant address|business address|warehouse address|registered office|regd office|registered address|head office|partner address|sender address|from address|address|anschrift|adresse|firmensitz|sitz|siege social|adres|indirizzo|sede legale|direccion|domicilio|endereco|morada|adress|住所|所在地|地址',
  },
  customerName: {
    kinds: ['company', 'person'],
    phrases:
      'customer|customer name|client|client name|buyer|buyer name|bill to|billed to|bill to name|invoice to|invoiced to|sold to|ship to name|recipient|recipient name|purchaser|attention|attn|consignee|kunde|kundenname|rechnungsempfanger|empfanger|kaufer|acheteur|destinataire|nom du client|klant|klantnaam|koper|cliente|acquirente|intestatario|destinatario|comprador|nabywca|請求先|お客様名|宛先|宛名|得意先|購入者|购买方|买方|客户|客户名称|购买方名称|공급받는자|rechnung an|auftraggeber|leistungsempfanger|facture a|adresse a|client facture|facturado a|facturar a|datos del cliente|spett le|spettabile|fatturato a|gefactureerd aan|factuur aan|aan|klant naam|odbiorca|odberatel|asiakas|ostaja|musteri|kunde navn|bill to customer',
  },
  customerAddress: {
    kinds: ['address'],
    phrases:
      'customer address|client address|buyer address|billing address|bill to address|invoice address|recipient address|rechnungsadresse|rechnungsanschrift|kundenadresse|adresse de facturation|adresse client|factuuradres|indirizzo di fatturazione|direccion de facturacion|endereco de cobranca|請求先住所',
  },
  shippingAddress: {
    kinds: ['address'],
    phrases:
      'shipping address|ship to|ship to address|delivery address|deliver to|lieferadresse|lieferanschrift|adresse de livraison|verzendadres|afleveradres|bezorgadres|indirizzo di consegna|direccion de envio|direccion de entrega|endereco de entrega|送付先|納品先|お届け先|收货地址',
  },
  customerNumber: {
    kinds: ['id'],
    phrases:
      'customer number|customer no|customer id|customer code|client number|client no|client id|account number|account no|account id|member number|member id|kundennummer|kundennr|kunden nr|kdnr|kd nr|numero client|n client|code client|klantnummer|klantnr|numero cliente|codice cliente|n de cliente|codigo cliente|kundnummer|numer klienta|numero de dossier|顧客番号|お客様番号|客户编号',
  },
  orderNumber: {
    kinds: ['id'],
    phrases:
      'order number|order no|order nr|order id|order #|order reference|sales order|so number|customer order number|customer order|your order|bestellnummer|bestellnr|auftragsnummer|auftragsnr|auftrag nr|numero de commande|n commande|commande n|ordernummer|ordernr|bestelnummer|numero ordine|ordine n|numero de pedido|n pedido|pedido n|numero do pedido|ordrenummer|numer zamowienia|~order|~commande|~bestellung|注文番号|発注番号|订单号|订单编号|訂單編號',
  },
  purchaseOrder: {
    kinds: ['id'],
    phrases:
      'purchase order|purchase order number|purchase order no|purchase order id|po number|po no|po #|p o|p o no|p o number|po|customer po',
  },
  reference: {
    kinds: ['id', 'text'],
    phrases:
      'reference|reference number|reference no|ref|ref no|ref number|your reference|your ref|our reference|our ref|customer reference|customer order free ref|partner ref|referenz|zeichen|ihr zeichen|unser zeichen|votre reference|notre reference|referentie|uw referentie|kenmerk|riferimento|referencia|sua referencia',
  },
  paymentReference: {
    kinds: ['id'],
    phrases:
      'payment reference|payment ref|payment id|remittance reference|communication|structured communication|payment communication|communication for your payment|following communication|verwendungszweck|zahlungsreferenz|reference de paiement|betalingskenmerk|causale|concepto de pago|ocr number|kid|transaction id|transaction number|transaction no|trans no',
  },
  mandate: {
    kinds: ['id'],
    phrases:
      'mandate id|mandate reference|mandate|sepa mandate|mandatsreferenz|mandat|reference du mandat|machtigingskenmerk|machtigingsnummer',
  },
  contractNumber: {
    kinds: ['id'],
    phrases:
      'contract number|contract no|contract id|agreement number|policy number|policy no|vertragsnummer|vertragsnr|numero de contrat|contractnummer|numero contratto|numero de contrato|polizzennummer',
  },
  caseNumber: {
    kinds: ['id'],
    phrases:
      'case number|case no|file number|file no|claim number|claim no|docket number|application number|registration number|registration no|reg no|aktenzeichen|geschaftszeichen|dossier|dossiernummer',
  },
  taxId: {
    kinds: ['vat', 'id'],
    phrases:
      'vat|vat id|vat no|vat number|vat reg|vat reg no|vat registration|vat registration number|vat tin|tin|tax id|tax number|tax no|tax identification number|tax registration number|gst id|gst no|gst reg no|gst reg|gst registration|gst number|gstin|ein|abn|ust id|ust idnr|ust id nr|umsatzsteuer id|umsatzsteuer identifikationsnummer|ustid|uid|uid nr|steuernummer|steuer nr|tva|tva intracommunautaire|n tva|numero de tva|num tva|btw|btw nummer|btw nr|btw id|partita iva|p iva|piva|codice fiscale|nif|cif|vat id number|contribuinte|nip|moms nr|org nr|service tax|登録番号|適格請求書発行事業者登録番号|纳税人识别号|统一社会信用代码|稅號|税号|사업자등록번호|numero de identificacion fiscal|n i f|c i f|nip vat|vat eu|ust idnr de|umsatzsteuer id nr|ust ident nr|tva intracom|no tva|btw nummer nl|dic|vergi no|alv tunnus|adoszam|cui',
  },
  companyNumber: {
    kinds: ['id'],
    phrases:
      'company number|company no|company registration number|company registration|registration number|co reg no|co no|reg no|business registration|chamber of commerce|coc|partner coc|kvk|kvk nummer|kvk nr|handelsregister|hrb|siren|siret|rcs|rsc|cin|crn|roc no|register number|handelsregisternummer|numero d entreprise|ondernemingsnummer|cvr|cvr nr|organisationsnummer|krs|regon',
  },
  iban: {
    kinds: ['iban', 'id'],
    phrases:
      'iban|iban number|bank account|bank account number|account iban|kontonummer|konto|compte|rekeningnummer|conto|cuenta|~account',
  },
  bic: { kinds: ['bic', 'id'], phrases: 'bic|bic code|swift|swift code|bic swift|swift bic|bank identifier' },
  bankName: {
    kinds: ['company', 'text'],
    phrases: 'bank|bank name|name of bank|kreditinstitut|banque|banca|banco|振込先|金融機関|开户行|银行',
  },
  email: {
    kinds: ['email'],
    phrases:
      'email|e mail|mail|email address|mail address|partner email|courriel|correo|correo electronico|メール|メールアドレス|邮箱|电子邮件',
  },
  phone: {
    kinds: ['phone'],
    phrases:
      'phone|phone number|telephone|telephone number|tel|tel no|tel nr|phone no|contact number|contact no|hotline|telefon|telefonnummer|telefoon|telefoonnummer|telefono|telefone|tlf|customer care|call|電話番号|電話|电话|電話號碼|전화',
  },
  mobile: {
    kinds: ['phone'],
    phrases:
      'mobile|mobile number|mobile phone|cell|cell phone|handphone|hp no|mobil|handy|portable|gsm|cellulare|movil|celular|telemovel',
  },
  fax: { kinds: ['phone'], phrases: 'fax|fax number|fax no|telefax|telecopie' },
  website: {
    kinds: ['url'],
    phrases:
      'website|web site|web|url|homepage|internet|site|site web|partner website|www|link|webseite|sitio web|sito',
  },
  currency: {
    kinds: ['currency'],
    phrases:
      'currency|currency code|wahrung|devise|monnaie|valuta|moneda|divisa|moeda|iso currency|通貨|币种|货币|valuutta|mena|para birimi',
  },
  currencySymbol: { kinds: ['currencySymbol'], phrases: 'currency symbol|currency sign|symbol' },
  street: {
    kinds: ['street'],
    phrases:
      'street|street address|street name|address line 1|address line|address1|address 1|line1|line 1|partner street|strasse|rue|straat|via|calle|rua',
  },
  city: {
    kinds: ['city'],
    phrases:
      'city|town|partner city|city name|locality|ort|stadt|ville|plaats|stad|woonplaats|citta|comune|ciudad|localidad|cidade|by|stad|miasto',
  },
  zip: {
    kinds: ['zip'],
    phrases:
      'zip|zip code|zipcode|postal code|postcode|post code|postalcode|partner zip|plz|postleitzahl|code postal|cap|codigo postal|cep|postnummer|kod pocztowy',
  },
  state: {
    kinds: ['state'],
    phrases: 'state|state code|province|region|county|bundesland|kanton|provincie|provincia|estado',
  },
  country: {
    kinds: ['country'],
    phrases: 'country|country code|country name|nation|land|landcode|pays|paese|pais|kraj',
  },
  paymentMethod: {
    kinds: ['text'],
    phrases:
      'payment method|method of payment|payment mode|payment type|mode of payment|paid by|paid with|pay method|tender type|zahlungsart|zahlungsform|zahlungsmethode|zahlungsweise|mode de paiement|moyen de paiement|mode de reglement|betaalmethode|betaalwijze|betalingswijze|metodo di pagamento|modalita di pagamento|metodo de pago|forma de pago|forma de pagamento|metoda platnosci',
  },
  paymentTerms: {
    kinds: ['text'],
    phrases:
      'payment terms|terms of payment|payment term|terms|payment conditions|zahlungsbedingungen|zahlungskonditionen|conditions de paiement|conditions de reglement|betalingstermijn|betalingsvoorwaarden|betaalvoorwaarden|termini di pagamento|condizioni di pagamento|condiciones de pago|condicoes de pagamento|betalingsbetingelser|支払条件|付款条件',
  },
  incoterm: {
    kinds: ['text'],
    phrases: 'incoterm|incoterms|delivery terms|lieferbedingungen|terms of delivery|conditions de livraison',
  },
  cashier: {
    kinds: ['text'],
    phrases: 'cashier|served by|server|staff|operator|kassierer|bediener|caissier|serveur|kassier|cassiere|cajero',
  },
  salesperson: {
    kinds: ['text'],
    phrases:
      'salesperson|sales person|sales rep|representative|account manager|sachbearbeiter|bearbeiter|ansprechpartner|verkoper|commercial',
  },
  personName: {
    kinds: ['person', 'text'],
    phrases:
      'name|full name|applicant|applicant name|employee name|patient name|patient|student name|your name|contact|contact name|contact person|nom complet|vollstandiger name|naam|nome|nombre completo|signatory|candidate|athlete|氏名|お名前|姓名',
  },
  firstName: {
    kinds: ['text'],
    phrases:
      'first name|given name|given names|forename|vorname|prenom|voornaam|nome di battesimo|nombre|primeiro nome',
  },
  lastName: {
    kinds: ['text'],
    phrases:
      'last name|surname|family name|nachname|familienname|nom de famille|nom|achternaam|cognome|apellido|apellidos|sobrenome|apelido',
  },
  gender: { kinds: ['text'], phrases: 'gender|sex|geschlecht|sexe|geslacht|sesso|sexo' },
  nationality: {
    kinds: ['text'],
    phrases:
      'nationality|citizenship|staatsangehorigkeit|nationalite|nationaliteit|nazionalita|nacionalidad|nacionalidade',
  },
  jobTitle: {
    kinds: ['text'],
    phrases:
      'job title|position title|title|occupation|profession|role|beruf|berufsbezeichnung|poste|fonction|functie|professione|puesto|cargo',
  },
  employer: {
    kinds: ['company', 'text'],
    phrases:
      'employer|organisation|organization|institution|arbeitgeber|employeur|werkgever|datore di lavoro|empleador',
  },
  jurisdiction: {
    kinds: ['law'],
    phrases:
      'jurisdiction|governing law|applicable law|governed by|law of|laws of|anwendbares recht|gerichtsstand|droit applicable|legge applicabile|ley aplicable|toepasselijk recht|準拠法|適用法|适用法律',
  },
  term: {
    kinds: ['duration'],
    phrases:
      'term|duration|term of agreement|contract term|contract period|period|notice period|laufzeit|vertragsdauer|dauer|duree|looptijd|durata|duracion|vigencia|plazo|契約期間|有効期間|合同期限|有效期',
  },
  parties: {
    kinds: ['company', 'person'],
    phrases:
      'party|parties|contracting parties|vertragsparteien|partei|parties contractantes|partijen|parti|partes|契約当事者|当事者',
  },
  notes: {
    kinds: ['text'],
    phrases:
      'note|notes|remark|remarks|comment|comments|narration|memo|message|bemerkung|bemerkungen|hinweis|anmerkung|remarque|remarques|commentaire|opmerking|opmerkingen|nota|commenti|observaciones|comentarios|observacoes|備考|备注|備註|비고|uwagi',
  },
};

/** Words that say little about which field is meant. */
export const GENERIC_WORDS: ReadonlySet<string> = new Set(
  'number no nr num id code the of a an and or for to in on at by is de la le du des der die das den van het een il lo el los las do da dos name date amount value field total type text string info details document your our this that as with from if any not null when stated'.split(
    ' ',
  ),
);
