import ApplePayForging
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto
import Testing

@testable import ApplePay

/// One way in which artifacts without a fault may look.
struct DoctorShape: Sendable, CustomTestStringConvertible {
    var name: String
    var put: @Sendable (inout DoctorCase) throws -> Void

    var testDescription: String { name }

    /// The outer object with its `paymentData` as base64.
    static func inBase64(_ outer: [UInt8], _ change: (String) -> String = { $0 }, inner: ([UInt8]) -> [UInt8] = { $0 }) -> [UInt8] {
        guard var object = try? JSONReader.readObject(outer), let payment = object["paymentData"] else { return outer }
        object["paymentData"] = .string(change(StrictBase64.encode(inner(JSONWriter.write(payment)))))
        return JSONWriter.write(object)
    }

    static let all: [DoctorShape] = [
        DoctorShape(name: "outer object") { _ in },
        DoctorShape(name: "native") { $0.usesOuterObject = false },
        DoctorShape(name: "outer identifier in upper case") { $0.flaws = [.upperCaseTransactionIdentifier] },
        DoctorShape(name: "attributes of 2014") { $0.flaws = [.noAlgorithmProtection, .digestWithoutNull] },
        DoctorShape(name: "content inside the signature") { $0.flaws = [.embeddedContent] },
        DoctorShape(name: "leading zero secret") { $0.flaws = $0.version == .ecV1 ? [.leadingZeroSecret] : [] },
        DoctorShape(name: "base64 in the outer object") { $0.damage = { inBase64($0) } },
        DoctorShape(name: "one token in both forms") { $0.repeats = { $0.paymentData } },
        DoctorShape(name: "both forms, outer identifier in upper case") {
            $0.flaws = [.upperCaseTransactionIdentifier]
            $0.repeats = { $0.paymentData }
        },
        DoctorShape(name: "two copies") { $0.repeats = { $0.outer } },
        DoctorShape(name: "type as a number") { item in
            item.damage = { bytes in
                guard var outer = try? JSONReader.readObject(bytes), var method = outer["paymentMethod"]?.object else { return bytes }
                method["type"] = 2
                outer["paymentMethod"] = .object(method)
                return JSONWriter.write(outer)
            }
        },
        DoctorShape(name: "amounts as numbers") {
            $0.hints["amount"] = .number("33.00")
            $0.hints["txnAmt"] = 3_300
        },
        DoctorShape(name: "applicationData as base64") {
            $0.hints["applicationData"] = .string(StrictBase64.encode(Array("order-1".utf8)))
        },
        DoctorShape(name: "applicationData in the request") { $0.request.applicationData = Array("order-1".utf8) },
        DoctorShape(name: "binary applicationData") { item in
            let bytes = (0..<24).map { _ in UInt8.random(in: .min ... .max, using: &item.fixture.generator) }
            item.applicationData = bytes
            item.hints["applicationData"] = .string(StrictBase64.encode(bytes))
            item.request.applicationData = bytes
        },
        DoctorShape(name: "shipping chosen on the sheet") { item in
            item.request.paymentSummaryItems = [.init(label: "Tea", amount: "30.00"), .init(label: "Example Shop", amount: "30.00")]
        },
        DoctorShape(name: "certificates as DER") { $0.usesDER = true },
        DoctorShape(name: "an RSA key of another use") { $0.keys.append(.rsa(WalletFixture.rsaPool[2])) },
        DoctorShape(name: "a P-256 key of another use") { $0.keys.append(.p256(try P256PrivateKey(using: &$0.fixture.generator))) },
        DoctorShape(name: "a key of the other kind, and no certificate") { item in
            item.keys = [item.version == .ecV1 ? .rsa(WalletFixture.rsaPool[2]) : .p256(try P256PrivateKey(using: &item.fixture.generator))]
            item.certificates = []
        },
        DoctorShape(name: "neither key nor certificate") {
            $0.keys = []
            $0.certificates = []
        },
        DoctorShape(name: "the old pair, ended") { item in
            let old: PrivateKey =
                item.version == .ecV1 ? .p256(try P256PrivateKey(using: &item.fixture.generator)) : .rsa(WalletFixture.rsaPool[2])
            item.keys.append(old)
            item.certificates.append(
                try item.certificate(for: old.publicKey, notBefore: WalletFixture.now - 800 * 86_400, notAfter: WalletFixture.now - 60))
        },
        DoctorShape(name: "the old certificate near its end, the next one made") { item in
            item.certificates.append(
                try item.certificate(for: item.processing.publicKey, notAfter: WalletFixture.now + 20 * 86_400))
        },
        DoctorShape(name: "the next certificate, not valid yet") { item in
            item.certificates.append(
                try item.certificate(for: item.processing.publicKey, notBefore: WalletFixture.now + 86_400))
        },
        DoctorShape(name: "the identity pair") { item in
            let identity = PrivateKey.rsa(WalletFixture.rsaPool[2])
            item.keys.append(identity)
            item.certificates.append(try item.certificate(for: identity.publicKey, kind: .identity))
        },
    ]
}
