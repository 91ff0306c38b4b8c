import BillfoldJSON
package import PaymentCrypto

/// What a wallet needs to be told to take part in Alipay+: one JSON object, read strictly.
///
/// `{"clientId","pspId","origin","gateway","gatewayKeys":[{"version","publicKey"}],"keyVersion"?,"minimum"?,"maximum"?}`. Origins have no
/// path. Keys are base64 of their DER. Limits are of one payment, in whole minor units of the wallet's currency, as text. Names, limits and
/// the wallet's own key are those that the gateway has registered.
package struct AlipayPlusWalletFile: Sendable {
    /// `Client-Id`, in both directions.
    package var clientID: String
    /// What bodies call the wallet.
    package var pspID: String
    /// The wallet's own, as the gateway and its customers' browsers reach it.
    package var origin: String
    /// The gateway's.
    package var gateway: String
    /// What the gateway signs with, by version.
    package var gatewayKeys: [Int: PublicKey]
    /// Under which the gateway has registered the wallet's key.
    package var keyVersion: Int
    package var limits: ClosedRange<Int64>

    /// Refuses with `configuration-invalid`, naming the field.
    package init(_ bytes: [UInt8]) throws(WalletError) {
        do throws(WalletError) {
            let reader = try SuperAppWish.Reader(
                bytes,
                allowing: ["clientId", "pspId", "origin", "gateway", "gatewayKeys", "keyVersion", "minimum", "maximum"])
            clientID = try SuperAppWish.name("clientId", maximum: 64, in: reader)
            pspID = try reader.text("pspId", maximum: 64)
            origin = try Self.origin("origin", reader)
            gateway = try Self.origin("gateway", reader)
            gatewayKeys = [:]
            for key in try SuperAppWish.keys("gatewayKeys", reader) {
                gatewayKeys[key.version] = try? PublicKey(subjectPublicKeyInfo: key.subjectPublicKeyInfo)
            }
            keyVersion = reader.object["keyVersion"] == nil ? 1 : Int(try reader.integer("keyVersion", in: 0...9_999))
            let (least, most) = (try Self.units("minimum", reader) ?? 1, try Self.units("maximum", reader) ?? Int64.max)
            guard least <= most else { throw SuperAppWish.Reader.malformed("minimum", "is above maximum") }
            limits = least...most
        } catch {
            throw WalletError(code: .configurationInvalid, reason: error.reason)
        }
    }

    private static func origin(_ name: String, _ reader: SuperAppWish.Reader) throws(WalletError) -> String {
        let text = try reader.text(name)
        guard text.wholeMatch(of: /https?:\/\/[A-Za-z0-9.\-\[\]:]+/) != nil else {
            throw SuperAppWish.Reader.malformed(
                name, "is no origin, such as https://wallet.example: it has no path and no slash at its end")
        }
        return text
    }

    /// Whole minor units, above zero.
    private static func units(_ name: String, _ reader: SuperAppWish.Reader) throws(WalletError) -> Int64? {
        guard let text = try reader.optionalText(name, maximum: 16) else { return nil }
        guard let units = Int64(text), units > 0, String(units) == text else {
            throw SuperAppWish.Reader.malformed(name, "is no whole number above zero")
        }
        return units
    }
}
