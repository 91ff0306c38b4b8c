import AlipayPlus
import AlipayPlusValues
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import PaymentCrypto

/// What an acquirer is registered with: one closed JSON object, over HTTP in test mode or from the parties' file.
///
/// `{"clientId","acquirerId","name","keys":[{"version","publicKey"}],"notifyUrl"?,"origins"?,"addresses"?,"settlementCurrency",
/// "agreementId","feePercent"?,"merchants":[{"id","name","mcc"}],"wallets"?,"acknowledgement"?}`. Keys are base64 of their DER.
enum AcquirerWish {
    static let members = [
        "clientId", "acquirerId", "name", "keys", "notifyUrl", "origins", "addresses", "settlementCurrency", "agreementId", "feePercent",
        "merchants", "wallets", "acknowledgement",
    ]

    static func read(_ reader: PartyReader) throws(AlipayPlusServerError) -> Acquirer {
        // Documents show 19 digits and letters among 18 (alipay-plus.md#identifiers) [D].
        guard let owner = try? MerchantID(reader.text("acquirerId", maximum: 64)), PublishedOptionPath.isName(owner.description) else {
            throw PartyReader.malformed("acquirerId", "is not 1 to 64 letters, digits, - and _")
        }
        let fee = try reader.optionalText("feePercent", maximum: 8) ?? "0"
        guard let share = try? Rational(percent: fee), !share.isNegative, share < .one else {
            throw PartyReader.malformed("feePercent", "is not a number of hundredths")
        }
        let merchants = try reader.objects("merchants", maximum: 10_000, allowing: ["id", "name", "mcc"])
            .map { item throws(AlipayPlusServerError) in
                Acquirer.Merchant(
                    id: try item.text("id", maximum: 64), name: try item.text("name", maximum: 256), mcc: try item.text("mcc", maximum: 4))
            }
        guard !merchants.isEmpty, Set(merchants.map(\.id)).count == merchants.count else {
            throw PartyReader.malformed("merchants", "is empty, or names one twice")
        }
        let addresses = try reader.texts("addresses", maximum: 64)
        guard addresses.allSatisfy(CallbackAddresses.isRegistrable) else {
            throw PartyReader.malformed("addresses", "holds what is neither an origin nor an app's scheme, such as teashop:")
        }
        let rule = try reader.optionalText("acknowledgement", maximum: 16)
        guard rule == nil || rule.flatMap(Acquirer.Acknowledgement.init) != nil else {
            throw PartyReader.malformed("acknowledgement", "is neither signed nor unsigned")
        }
        return Acquirer(
            clientID: try PartyWish.clientID(reader), id: owner, name: try reader.text("name", maximum: 64),
            keys: try PartyWish.keys(reader), notifyURL: try reader.optionalText("notifyUrl", maximum: 1_024),
            privateOrigins: try reader.texts("origins", maximum: 16).sorted(), addresses: addresses.isEmpty ? nil : addresses.sorted(),
            settlementCurrency: try PartyWish.currency("settlementCurrency", in: reader),
            agreementID: try reader.text("agreementId", maximum: 64), feePercent: fee, merchants: merchants,
            wallets: try reader.texts("wallets", maximum: 64, length: 32), acknowledgement: rule.flatMap(Acquirer.Acknowledgement.init))
    }
}

/// What a wallet is registered with.
///
/// `{"clientId","pspId","paymentMethodType","brand","region","currency","minimum"?,"maximum"?,"scenarios","keys","origin",
/// "links":{"applink"?,"scheme"?,"normal","appIdentifier"?},"codeIssuer","promotions"?}`. A promotion is `{"id","names":[{"language","name"}],
/// "funder","percent"?,"fixed"?,"minimum"?}`. Limits and amounts taken off are whole minor units, as text.
enum PartnerWalletWish {
    static let members = [
        "clientId", "pspId", "paymentMethodType", "brand", "region", "currency", "minimum", "maximum", "scenarios", "keys", "origin",
        "links",
        "codeIssuer", "promotions",
    ]

    static func read(_ reader: PartyReader) throws(AlipayPlusServerError) -> PartnerWallet {
        let type = try reader.text("paymentMethodType", maximum: 32)
        guard type.utf8.allSatisfy({ (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }) else {
            throw PartyReader.malformed("paymentMethodType", "is not capital letters, digits and underscores")
        }
        let region = try reader.text("region", maximum: 2)
        guard region.utf8.count == 2, region.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            throw PartyReader.malformed("region", "is not two capital letters")
        }
        let issuer = try reader.text("codeIssuer", maximum: 6)
        guard issuer.utf8.count == 6, (try? PaymentCode("\(issuer)\(PaymentCode.shownType)0000000000000000")) != nil else {
            throw PartyReader.malformed("codeIssuer", "is not six digits that begin with 25 to 30")
        }
        var scenarios: [PaymentScenario] = []
        for name in try reader.texts("scenarios", maximum: 5, length: 32) {
            scenarios.append(try PartyReader.known(name, in: "scenarios", as: PaymentScenario.self))
        }
        guard let links = try reader.object("links", allowing: ["applink", "scheme", "normal", "appIdentifier"]) else {
            throw PartyReader.malformed("links", "is missing")
        }
        var promotions: [Promotion] = []
        for item in try reader.objects(
            "promotions", maximum: 16, allowing: ["id", "names", "funder", "percent", "fixed", "minimum"])
        { promotions.append(try promotion(item)) }
        return PartnerWallet(
            clientID: try PartyWish.clientID(reader), pspID: try reader.text("pspId", maximum: 64), type: type,
            brand: try reader.text("brand", maximum: 64), region: region, currency: try PartyWish.currency("currency", in: reader),
            minimum: try PartyWish.units("minimum", in: reader), maximum: try PartyWish.units("maximum", in: reader), scenarios: scenarios,
            keys: try PartyWish.keys(reader), origin: try reader.text("origin"),
            links: PartnerWallet.Links(
                applink: try links.optionalText("applink", maximum: 512), scheme: try links.optionalText("scheme", maximum: 512),
                normal: try links.text("normal", maximum: 512), appIdentifier: try links.optionalText("appIdentifier", maximum: 128)),
            codeIssuer: issuer, promotions: promotions)
    }

    private static func promotion(_ item: PartyReader) throws(AlipayPlusServerError) -> Promotion {
        var names: [String: String] = [:]
        for name in try item.objects("names", maximum: 16, allowing: ["language", "name"]) {
            names[try name.text("language", maximum: 8)] = try name.text("name", maximum: 128)
        }
        guard names["en_US"] != nil else { throw PartyReader.malformed("promotions.names", "has no en_US") }
        guard let funder = Promotion.Funder(rawValue: try item.text("funder", maximum: 16)) else {
            throw PartyReader.malformed("promotions.funder", "is none of ALIPAY_PLUS, WALLET and ACQUIRER")
        }
        let percent = try item.optionalText("percent", maximum: 8)
        if let percent {
            guard let share = try? Rational(percent: percent), !share.isNegative, share < .one else {
                throw PartyReader.malformed("promotions.percent", "is not a number of hundredths")
            }
        }
        let fixed = try PartyWish.units("fixed", in: item)
        guard percent != nil || fixed != nil else { throw PartyReader.malformed("promotions", "takes nothing off") }
        return Promotion(
            id: try item.text("id", maximum: 64), names: names, funder: funder, percent: percent, fixed: fixed,
            minimum: try PartyWish.units("minimum", in: item) ?? 1)
    }
}

/// What both kinds of parties are read by.
enum PartyWish {
    static func clientID(_ reader: PartyReader) throws(AlipayPlusServerError) -> String {
        let id = try reader.text("clientId", maximum: 64)
        guard id.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: ".") }) else {
            throw PartyReader.malformed("clientId", "is not printable ASCII without dots")
        }
        return id
    }

    static func keys(_ reader: PartyReader) throws(AlipayPlusServerError) -> [PartyKey] {
        var keys: [PartyKey] = []
        for item in try reader.objects("keys", maximum: 8, allowing: ["version", "publicKey"]) {
            guard let der = try? StrictBase64.decode(item.text("publicKey", maximum: 2_048)) else {
                throw PartyReader.malformed("keys.publicKey", "is no base64")
            }
            keys.append(PartyKey(version: Int(try item.integer("version", in: 0...9_999)), subjectPublicKeyInfo: der))
        }
        guard !keys.isEmpty, (try? PartyKey.ring(keys)) != nil, Set(keys.map(\.version)).count == keys.count else {
            throw AlipayPlusServerError(code: .unusableKey, reason: "keys are RSA of 2048 bits or more, each under a version of its own")
        }
        return keys
    }

    static func currency(_ name: String, in reader: PartyReader) throws(AlipayPlusServerError) -> Currency {
        guard let currency = try? WireCurrency(reader.text(name, maximum: 3)).currency else {
            throw PartyReader.malformed(name, "is no currency")
        }
        return currency
    }

    /// Whole minor units, above zero.
    static func units(_ name: String, in reader: PartyReader) throws(AlipayPlusServerError) -> Int64? {
        guard let text = try reader.optionalText(name, maximum: 16) else { return nil }
        guard let units = Int64(text), units > 0, String(units) == text else {
            throw PartyReader.malformed(name, "is no whole number above zero")
        }
        return units
    }
}
