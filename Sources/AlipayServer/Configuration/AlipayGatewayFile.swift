package import BillfoldDiagnosis
import BillfoldJSON
package import BillfoldMoney
package import BillfoldServer

/// Which merchants a gateway serves, which wallets pay there, and the day's rates: one JSON object, read strictly.
///
/// `{"origin","merchants":[…],"wallets":[{"id","origin","key","credential"}],"rates"?}`. Merchants are as in ``MerchantWish``, but `md5`
/// and `refundPassword` name files; so do `key` (what the wallet shows us), `credential` (what we show it) and `rates`. Paths are relative to the file.
package struct AlipayGatewayFile: Sendable {
    package struct Wallet: Sendable, Hashable {
        package var id: String
        package var origin: String
        /// A file's name.
        package var key: String
        /// A file's name.
        package var credential: String
    }

    /// Where merchants and wallets reach the gateway.
    package var origin: String
    package var merchants: [MerchantWish]
    package var wallets: [Wallet]
    /// A file's name.
    package var rates: String?

    /// Refuses with `configuration-invalid`, naming the field.
    ///
    /// - Parameters:
    ///   - currencies: That contracts may settle in.
    ///   - mode: What a merchant that says nothing gets; see ``MerchantWish``.
    ///   - secret: Reads a file that nobody else can read.
    package init(
        _ bytes: [UInt8], currencies: Set<Currency>, mode: ServerMode, secret: (String) throws -> Secret<String>
    ) throws {
        do {
            let reader = try RequestReader(bytes, allowing: ["origin", "merchants", "wallets", "rates"])
            origin = try reader.text("origin")
            rates = try reader.optionalText("rates", maximum: 1_024)
            wallets = try reader.objects("wallets", maximum: 64, allowing: ["id", "origin", "key", "credential"]).map { item throws in
                Wallet(
                    id: try item.text("id", maximum: 32), origin: try item.text("origin"), key: try item.text("key", maximum: 1_024),
                    credential: try item.text("credential", maximum: 1_024))
            }
            merchants = try reader.objects("merchants", maximum: 10_000, allowing: MerchantWish.members).map { item throws in
                var wish = try MerchantWish(item, currencies: currencies, mode: mode)
                if let name = wish.md5 { wish.md5 = try secret(name.reveal()) }
                if let name = wish.refundPassword { wish.refundPassword = try secret(name.reveal()) }
                return wish
            }
        } catch let error as AlipayServerError {
            throw AlipayServerError(code: .configurationInvalid, reason: error.reason)
        }
        guard !merchants.isEmpty, !wallets.isEmpty else {
            throw AlipayServerError(code: .configurationInvalid, reason: "a gateway needs a merchant and a wallet")
        }
    }
}
