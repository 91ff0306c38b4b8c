package import AlipayPlusValues
import BillfoldJSON
package import BillfoldMoney

/// Which acquirers and wallets a gateway works with, and the rates it quotes by: one JSON object, read strictly.
///
/// `{"origin","codes"?:{"host","given","chosen"},"acquirers":[…],"wallets":[…],"rates"?:{"since","perDollar":[{"currency","price"}]}}`.
/// Acquirers and wallets are as they register themselves in test mode. `since` is ISO 8601 with a zone; rates that were published before
/// stay what they were.
package struct AlipayPlusFile: Sendable {
    package struct Rates: Sendable {
        package var since: AlipayPlusTime
        /// What one US dollar costs, in a plain decimal.
        package var perDollar: [Currency: String]

        package init(since: AlipayPlusTime, perDollar: [Currency: String]) {
            self.since = since
            self.perDollar = perDollar
        }
    }

    package struct Codes: Sendable, Hashable {
        package var host: String
        package var given: String
        package var chosen: String
    }

    /// Where acquirers, wallets and phones reach the gateway.
    package var origin: String
    package var codes: Codes?
    package var acquirers: [Acquirer]
    package var wallets: [PartnerWallet]
    package var rates: Rates?

    /// Refuses with `configuration-invalid`, naming the field.
    package init(_ bytes: [UInt8]) throws {
        do {
            let reader = try PartyReader(bytes, allowing: ["origin", "codes", "acquirers", "wallets", "rates"])
            origin = try reader.text("origin")
            codes = try reader.object("codes", allowing: ["host", "given", "chosen"]).map { item in
                Codes(
                    host: try item.text("host"), given: try item.text("given", maximum: 3), chosen: try item.text("chosen", maximum: 4))
            }
            acquirers = try reader.objects("acquirers", maximum: 1_000, allowing: AcquirerWish.members).map { try AcquirerWish.read($0) }
            wallets = try reader.objects("wallets", maximum: 1_000, allowing: PartnerWalletWish.members)
                .map { try PartnerWalletWish.read($0) }
            rates = try reader.object("rates", allowing: ["since", "perDollar"]).map { try Self.rates($0) }
        } catch let error as AlipayPlusServerError {
            throw AlipayPlusServerError(code: .configurationInvalid, reason: error.reason)
        }
        guard !acquirers.isEmpty, !wallets.isEmpty else {
            throw AlipayPlusServerError(code: .configurationInvalid, reason: "a gateway needs an acquirer and a wallet")
        }
    }

    private static func rates(_ item: PartyReader) throws -> Rates {
        guard let since = try? AlipayPlusTime(item.text("since", maximum: 64)) else {
            throw PartyReader.malformed("rates.since", "is not ISO 8601 with a zone")
        }
        var prices: [Currency: String] = [:]
        for each in try item.objects("perDollar", maximum: 200, allowing: ["currency", "price"]) {
            let currency = try PartyWish.currency("currency", in: each)
            guard prices.updateValue(try each.text("price", maximum: 32), forKey: currency) == nil else {
                throw PartyReader.malformed("rates.perDollar", "names \(currency) twice")
            }
        }
        return Rates(since: since, perDollar: prices)
    }
}
