import BillfoldDiagnosis

/// One field as traces and pages show it: masked, with its meaning.
public struct DecodedField: Sendable, Hashable, Codable {
    public var name: String
    public var value: String
    public var meaning: String?

    public init(name: String, value: String, meaning: String?) {
        self.name = name
        self.value = value
        self.meaning = meaning
    }
}

/// What each field means, and what of it may be shown.
public enum FieldGuide {
    enum Exposure: Sendable {
        case open
        case cardNumber
        case opaque
    }

    /// The fields whose values are codes with meanings of their own.
    private enum Code {
        case reply
        case transactionType
        case signMethod
        case currency
        case product
    }

    private struct Line {
        var meaning: String
        var exposure: Exposure
        var code: Code?
    }

    /// The fields with masked values, sorted by key. A field that is not listed shows only its length: what is unknown may be
    /// card data.
    public static func decode(_ fields: UnionPayFields) -> [DecodedField] {
        fields.sorted.map { entry in
            let line = lines[entry.name]
            return DecodedField(
                name: entry.name, value: masked(entry.value, line?.exposure ?? .opaque), meaning: line.map { meaning($0, entry.value) })
        }
    }

    /// What may be shown of a field's value.
    public static func masked(_ name: String, _ value: String) -> String { masked(value, lines[name]?.exposure ?? .opaque) }

    private static func masked(_ value: String, _ exposure: Exposure) -> String {
        switch exposure {
        case .open: value
        case .cardNumber: value.utf8.allSatisfy { (48...57).contains($0) } ? Mask.cardNumber(value) : Mask.opaque(value)
        case .opaque: Mask.opaque(value)
        }
    }

    /// What the field, and where it is a code its value, says.
    public static func meaning(_ name: String, _ value: String) -> String? { lines[name].map { meaning($0, value) } }

    private static func meaning(_ line: Line, _ value: String) -> String { line.code.flatMap { meaning($0, value) } ?? line.meaning }

    private static func meaning(_ code: Code, _ value: String) -> String? {
        switch code {
        case .reply: ReplyCode(rawValue: value).meaning
        case .transactionType: TransactionType(rawValue: value).map { "Transaction type: \($0.title)." }
        case .signMethod:
            switch value {
            case "01": "Signed with RSA."
            case "11": "Signed with a shared secret and SHA-256."
            case "12": "Signed with a shared secret and SM3."
            case "21": "Signed with SM2."
            default: nil
            }
        case .currency: value == "156" ? "Yuan, by its numeric code." : nil
        case .product:
            switch value {
            case BusinessType.walletDeduct: "Product: deduct with the data of a wallet's token."
            case BusinessType.orderPush: "Product: payment by UnionPay's own client on the phone."
            default: nil
            }
        }
    }

    /// Whether a field belongs to the messages of this library.
    package static func isListed(_ name: String) -> Bool { lines[name] != nil }

    private static let codes: [String: Code] = [
        "respCode": .reply, "origRespCode": .reply, "txnType": .transactionType, "signMethod": .signMethod, "currencyCode": .currency,
        "settleCurrencyCode": .currency, "bizType": .product,
    ]

    private static let lines = Dictionary(
        uniqueKeysWithValues: table.map { ($0.key, Line(meaning: $0.value.meaning, exposure: $0.value.exposure, code: codes[$0.key])) })

    private static let table: [String: (meaning: String, exposure: Exposure)] = [
        "version": ("Version of the interface.", .open),
        "encoding": ("Character encoding of the message.", .open),
        "signMethod": ("Kind of signature.", .open),
        "certId": ("Serial number of the signing certificate, decimal.", .open),
        "signature": ("The signature, base64 or hex by its kind.", .opaque),
        "signPubKeyCert": ("UnionPay's signing certificate, PEM with CR LF.", .opaque),
        "txnType": ("Transaction type.", .open),
        "txnSubType": ("Transaction subtype.", .open),
        "bizType": ("Product.", .open),
        "channelType": ("Channel: 07 Internet, 08 mobile.", .open),
        "accessType": ("Who connects: 0 merchant, 1 acquirer, 2 platform.", .open),
        "merId": ("The merchant's number at UnionPay.", .open),
        "merCatCode": ("The merchant's category.", .open),
        "merName": ("The merchant's name.", .open),
        "merAbbr": ("The merchant's short name.", .open),
        "subMerId": ("Sub-merchant.", .open),
        "subMerName": ("Sub-merchant's name.", .open),
        "subMerAbbr": ("Sub-merchant's short name.", .open),
        "acqInsCode": ("Acquirer's code.", .open),
        "orderId": ("The merchant's number of this attempt.", .open),
        "txnTime": ("When the merchant sent it, Beijing time.", .open),
        "txnAmt": ("Amount in minor units (fen).", .open),
        "currencyCode": ("Currency, ISO 4217 numeric.", .open),
        "accNo": ("Card number: the device's own, or sealed.", .cardNumber),
        "payCardNo": ("Card that paid.", .cardNumber),
        "payCardType": ("Kind of the card that paid.", .open),
        "payType": ("Way of paying.", .open),
        "encryptCertId": ("Serial number of the certificate that sensitive fields are sealed to, decimal.", .open),
        "customerInfo": ("Customer's data; here the sealed PIN.", .opaque),
        "cardTransData": ("EMV data of the card's chip, from the token.", .opaque),
        "tokenPayData": ("Token data.", .opaque),
        "backUrl": ("Where the notification goes.", .open),
        "frontUrl": ("Where the browser goes back to.", .open),
        "payTimeout": ("After this moment the payment is not taken any more, Beijing time.", .open),
        "reqReserved": ("Text of the merchant's, returned as it is.", .open),
        "reserved": ("Extension field.", .opaque),
        "riskRateInfo": ("Data for risk rules.", .opaque),
        "defaultPayType": ("Preset way of paying.", .open),
        "orderDesc": ("Text on the order.", .open),
        "origQryId": ("UnionPay's number of the original transaction.", .open),
        "origOrderId": ("The original's order number.", .open),
        "origTxnTime": ("The original's time.", .open),
        "queryId": ("UnionPay's number of the transaction.", .open),
        "respCode": ("Reply code.", .open),
        "respMsg": ("Reply text; a reason of seven digits often ends it.", .open),
        "respTime": ("When UnionPay replied, Beijing time.", .open),
        "origRespCode": ("What became of the transaction that was asked for.", .open),
        "origRespMsg": ("Text to that code.", .open),
        "settleAmt": ("Amount that settles, in minor units.", .open),
        "settleCurrencyCode": ("Currency of settlement, ISO 4217 numeric.", .open),
        "settleDate": ("Settlement day, MMDD.", .open),
        "exchangeRate": ("Exchange rate.", .open),
        "exchangeDate": ("Day of the exchange rate.", .open),
        "traceNo": ("Trace number, six digits.", .open),
        "traceTime": ("Trace time, MMDDhhmmss.", .open),
        "issuerIdentifyMode": ("How the issuer identified the holder.", .open),
        "tn": ("Number of the order that was pushed.", .open),
        "fileType": ("Kind of file: 00 reconciliation.", .open),
        "fileName": ("Name of the file.", .open),
        "fileContent": ("The file: base64 of zlib of zip.", .opaque),
    ]
}
