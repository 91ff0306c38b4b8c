import Alipay
package import BillfoldDiagnosis
import BillfoldJSON
import BillfoldMoney
import BillfoldPayments
import BillfoldServer
import PaymentCrypto

/// What a merchant is registered with, over HTTP in test mode or from the merchants' file: one closed JSON object.
///
/// `{"partner","name","email"?,"currency"?,"charsetMode"?,"reading"?,"feePercent"?,"refundPacing"?,"notifyOrigins"?,"rsa"?,"rsa2"?,"md5"?,"refundPassword"?,"applications"?}`, an
/// application `{"appID","rsa"?,"rsa2"?,"certificateRequest"?}`. Keys and requests are base64 of their DER.
package struct MerchantWish: Sendable {
    package struct Application: Sendable {
        var appID: String
        var rsa: [UInt8]?
        var rsa2: [UInt8]?
        /// Certificate mode: the gateway's office signs it.
        var certificateRequest: CertificateRequest?
    }

    var merchant: AlipayMerchant
    /// The shared secret, or in the merchants' file the name of the file that holds it.
    package var md5: Secret<String>?
    /// What its people confirm refunds with, or in the merchants' file the name of the file that holds it.
    package var refundPassword: Secret<String>?
    var applications: [Application]

    static let members = [
        "partner", "name", "email", "currency", "charsetMode", "reading", "feePercent", "refundPacing", "notifyOrigins", "rsa", "rsa2",
        "md5", "refundPassword", "applications",
    ]

    /// - Parameters:
    ///   - currencies: That contracts may settle in.
    ///   - mode: What a merchant that says nothing gets. In test mode its orders and calls are read as real ones were seen, and what the
    ///     documents ask for besides is told as a warning; in production they are read as documented.
    init(_ reader: RequestReader, currencies: Set<Currency>, mode: ServerMode) throws(AlipayServerError) {
        let partner = try reader.text("partner", maximum: 16)
        guard partner.utf8.count == 16, partner.hasPrefix("2088"), partner.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let id = try? MerchantID(partner)
        else { throw RequestReader.malformed("partner", "is not 16 digits beginning 2088") }
        let currency = try reader.optionalText("currency", maximum: 3).map { text throws(AlipayServerError) in
            guard let currency = try? Currency(text), currencies.contains(currency) else {
                throw RequestReader.malformed("currency", "is none that contracts settle in")
            }
            return currency
        }
        let documented = mode == .production
        let charset = try reader.optionalText("charsetMode", maximum: 16)
        guard let charsetMode = charset.map(AlipayGatewayRequest.CharsetMode.init) ?? (documented ? .documented : .lenient) else {
            throw RequestReader.malformed("charsetMode", "is neither documented nor lenient")
        }
        let strictness = try reader.optionalText("reading", maximum: 16)
        guard let reading = strictness.map(AlipayReading.init) ?? (documented ? .strict : .asObserved) else {
            throw RequestReader.malformed("reading", "is neither strict nor asObserved")
        }
        let email = try reader.optionalText("email", maximum: 100)
        // It stands in signed notifications.
        if let offence = email.flatMap(PairText.offence) { throw RequestReader.malformed("email", offence) }
        let fee = try reader.optionalText("feePercent", maximum: 8) ?? "0.6"
        guard let share = try? Rational(percent: fee), !share.isNegative, share < .one else {
            throw RequestReader.malformed("feePercent", "is not a number of hundredths")
        }
        let pacing: RefundPacing?
        switch try reader.optionalText("refundPacing", maximum: 16) ?? "none" {
        case "none": pacing = nil
        case "documented": pacing = .documented
        default: throw RequestReader.malformed("refundPacing", "is neither documented nor none")
        }
        merchant = AlipayMerchant(
            partner: id, name: try reader.text("name", maximum: 64), email: email, currency: currency, charsetMode: charsetMode,
            reading: reading, feePercent: fee, refundPacing: pacing,
            notifyOrigins: try reader.texts("notifyOrigins", maximum: 16), rsa: try Self.key("rsa", in: reader),
            rsa2: try Self.key("rsa2", in: reader))
        md5 = try reader.optionalText("md5", maximum: 1_024).map { Secret($0) }
        refundPassword = try reader.optionalText("refundPassword", maximum: 1_024).map { Secret($0) }
        applications = []
        for item in try reader.objects("applications", maximum: 64, allowing: ["appID", "rsa", "rsa2", "certificateRequest"]) {
            let appID = try item.text("appID", maximum: 32)
            guard appID.utf8.allSatisfy({ (0x30...0x39).contains($0) }), (8...32).contains(appID.utf8.count) else {
                throw RequestReader.malformed("applications.appID", "is not 8 to 32 digits")
            }
            let request = try item.optionalText("certificateRequest", maximum: 16_384).map { text throws(AlipayServerError) in
                guard let der = try? StrictBase64.decode(text), let request = try? CertificateRequest(der: der) else {
                    throw AlipayServerError(code: .unusableKey, reason: "certificateRequest is no PKCS#10 request signed by its own key")
                }
                return request
            }
            applications.append(
                Application(
                    appID: appID, rsa: try Self.key("rsa", in: item), rsa2: try Self.key("rsa2", in: item), certificateRequest: request))
        }
        guard Set(applications.map(\.appID)).count == applications.count else {
            throw RequestReader.malformed("applications", "names one application twice")
        }
    }

    private static func key(_ name: String, in reader: RequestReader) throws(AlipayServerError) -> [UInt8]? {
        guard let text = try reader.optionalText(name, maximum: 4_096) else { return nil }
        guard let der = try? StrictBase64.decode(text), let key = try? LegacyRSAPublicKey(subjectPublicKeyInfo: der) else {
            throw AlipayServerError(code: .unusableKey, reason: "\(name) is no RSA public key of 1024 bits or more")
        }
        return key.subjectPublicKeyInfo
    }
}
