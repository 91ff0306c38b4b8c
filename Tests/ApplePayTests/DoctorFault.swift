import ApplePayForging
import BillfoldDiagnosis
import BillfoldJSON
import Foundation
import PaymentCrypto
import Testing

@testable import ApplePay

/// One known mistake, put into an otherwise good case, and the finding that must name it.
struct DoctorFault: Sendable, CustomTestStringConvertible {
    var name: String
    var version: PaymentToken.Version = .ecV1
    var chainFlaws: Set<ChainFlaw> = []
    /// The finding's code.
    var code: String
    /// A value the evidence must hold, by its name.
    var evidence: (name: String, value: String)?
    /// Faults of one part of the case cannot be put in twice.
    var part: Part
    var put: @Sendable (inout DoctorCase) throws -> Void = { _ in }

    enum Part: Sendable { case token, certificate, hints, request, session }

    var testDescription: String { name }

    private static func replace(_ bytes: [UInt8], _ old: String, _ new: String) -> [UInt8] {
        Array(String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: old, with: new).utf8)
    }

    /// Changes every base64 text of the token, leaving the outer identifier alone.
    private static func mapFields(_ bytes: [UInt8], _ change: (String) -> String) -> [UInt8] {
        guard var outer = try? JSONReader.readObject(bytes), var payment = outer["paymentData"]?.object,
            var header = payment["header"]?.object
        else {
            return bytes
        }
        for key in ["data", "signature"] { payment[key] = payment[key]?.string.map { .string(change($0)) } }
        for key in ["ephemeralPublicKey", "wrappedKey", "publicKeyHash"] where header[key] != nil {
            header[key] = header[key]?.string.map { .string(change($0)) }
        }
        payment["header"] = .object(header)
        outer["paymentData"] = .object(payment)
        return JSONWriter.write(outer)
    }

    private static func wrapped(_ text: String, _ separator: String) -> String {
        var lines: [Substring] = []
        var rest = text[...]
        while !rest.isEmpty {
            lines.append(rest.prefix(64))
            rest = rest.dropFirst(64)
        }
        return lines.joined(separator: separator)
    }

    static let all: [DoctorFault] = token + material + files + orders + requests + sessions

    static let token: [DoctorFault] = [
        DoctorFault(
            name: "trimmed secret", code: "apple-pay.trimmed-secret", evidence: ("opens with zeros dropped", "yes"), part: .token,
            put: { $0.flaws = [.trimmedSecret] }),
        DoctorFault(
            name: "OAEP and MGF1 with SHA-1", version: .rsaV1, code: "apple-pay.oaep-hash", evidence: ("OAEP hash", "SHA-1"), part: .token,
            put: { $0.flaws = [.oaepSHA1] }),
        DoctorFault(
            name: "MGF1 with SHA-1", version: .rsaV1, code: "apple-pay.oaep-hash", evidence: ("MGF1 hash", "SHA-1"), part: .token,
            put: { $0.flaws = [.oaepMaskSHA1] }),
        DoctorFault(
            name: "OAEP with SHA-1, MGF1 with SHA-256", version: .rsaV1, code: "apple-pay.oaep-hash", evidence: ("MGF1 hash", "SHA-256"),
            part: .token,
            put: { $0.flaws = [.oaepHashSHA1] }),
        DoctorFault(
            name: "applicationData as hex text", code: "apple-pay.application-data-form",
            evidence: ("applicationData", "as lower-case hex text"),
            part: .token, put: { $0.flaws = [.applicationDataAsHexText] }),
        DoctorFault(
            name: "applicationData as base64 text", code: "apple-pay.application-data-form",
            evidence: ("applicationData", "as base64 text"),
            part: .token, put: { $0.flaws = [.applicationDataAsBase64Text] }),
        DoctorFault(
            name: "applicationData left out", version: .rsaV1, code: "apple-pay.application-data-form",
            evidence: ("applicationData", "left out"),
            part: .token, put: { $0.flaws = [.applicationDataOmitted] }),
        DoctorFault(
            name: "plus became space", version: .rsaV1, code: "apple-pay.transport-damage",
            evidence: ("signature", "plus sign became a space"),
            part: .token, put: { $0.damage = { replace($0, "+", " ") } }),
        DoctorFault(
            name: "slash escaped twice", code: "apple-pay.transport-damage", evidence: ("signature", "slash carries a backslash"),
            part: .token,
            put: { $0.damage = { mapFields($0) { $0.replacingOccurrences(of: "/", with: "\\/") } } }),
        DoctorFault(
            name: "line breaks in base64", code: "apple-pay.transport-damage", evidence: ("signature", "line break inside base64"),
            part: .token,
            put: { $0.damage = { mapFields($0) { wrapped($0, "\r\n") } } }),
        DoctorFault(
            name: "raw line breaks in base64", code: "apple-pay.transport-damage", evidence: ("body", "line break inside base64"),
            part: .token,
            put: { $0.damage = { replace(mapFields($0) { wrapped($0, "\n") }, "\\n", "\n") } }),
        DoctorFault(
            name: "URL-safe base64 without padding", code: "apple-pay.transport-damage", part: .token,
            put: {
                $0.damage = {
                    mapFields($0) {
                        $0.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_").replacingOccurrences(
                            of: "=", with: "")
                    }
                }
            }),
        DoctorFault(
            name: "JSON inside a JSON string", code: "apple-pay.transport-damage", evidence: ("body", "JSON inside a JSON string"),
            part: .token,
            put: { $0.damage = { JSONWriter.write(.string(String(decoding: $0, as: UTF8.self))) } }),
        DoctorFault(
            name: "own authority", code: "apple-pay.forged-chain", part: .token, put: { $0.roots = [] }),
        DoctorFault(
            name: "borrowed root name", chainFlaws: [.rogueRoot], code: "apple-pay.forged-chain", part: .token),
        DoctorFault(
            name: "leaf without marker", chainFlaws: [.leafWithoutMarker], code: "apple-pay.marker-missing",
            evidence: ("certificate", "leaf"), part: .token),
        DoctorFault(
            name: "intermediate without marker", chainFlaws: [.intermediateWithoutMarker], code: "apple-pay.marker-missing",
            evidence: ("certificate", "intermediate"), part: .token),
        DoctorFault(
            name: "old sample judged today", code: "apple-pay.expired-today", evidence: ("today", "expired"), part: .token,
            put: { item in
                item.instant = WalletFixture.now + 5 * 365 * 86_400
                item.processing = try item.certificate(for: item.fixture.ecKey.publicKey, notAfter: WalletFixture.now + 10 * 365 * 86_400)
                item.certificates = [item.processing]
            }),
        DoctorFault(
            name: "replay in another letter case", code: "apple-pay.replayed-transaction", part: .token,
            put: { item in
                item.repeats = { token in
                    guard var outer = try? JSONReader.readObject(token.outer) else { return token.outer }
                    outer["transactionIdentifier"] = outer["transactionIdentifier"]?.string.map { .string($0.uppercased()) }
                    return JSONWriter.write(outer)
                }
            }),
        DoctorFault(
            name: "replay with another body", code: "apple-pay.replayed-transaction", part: .token,
            put: { $0.sibling = { $0.payload.cardholderName = Secret("Zhang San") } }),
        DoctorFault(
            name: "signature without its intermediate", code: "apple-pay.intermediate-missing", part: .token,
            put: { $0.flaws = [.noIntermediate] }),
        DoctorFault(
            name: "signature without its intermediate, and no root", version: .rsaV1, code: "apple-pay.intermediate-missing", part: .token,
            put: {
                $0.flaws = [.noIntermediate]
                $0.roots = []
            }),
        DoctorFault(
            name: "line breaks in base64 of paymentData", code: "apple-pay.transport-damage",
            evidence: ("paymentData", "line break inside base64"), part: .token,
            put: { $0.damage = { DoctorShape.inBase64($0) { wrapped($0, "\r\n") } } }),
        DoctorFault(
            name: "base64 of paymentData, URL-safe and without padding", version: .rsaV1, code: "apple-pay.transport-damage", part: .token,
            put: {
                $0.damage = {
                    DoctorShape.inBase64($0) {
                        $0.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_").replacingOccurrences(
                            of: "=", with: "")
                    } inner: {
                        // A length that needs padding.
                        $0.count % 3 == 0 ? $0 + [0x20] : $0
                    }
                }
            }),
        DoctorFault(
            name: "plus became space before base64", version: .rsaV1, code: "apple-pay.transport-damage",
            evidence: ("signature", "plus sign became a space"), part: .token,
            put: { $0.damage = { DoctorShape.inBase64($0, inner: { replace($0, "+", " ") }) } }),
        DoctorFault(
            name: "field of a form", code: "apple-pay.transport-damage", evidence: ("body", "field of a form"), part: .token,
            put: {
                $0.usesOuterObject = false
                $0.damage = { bytes in
                    let text = String(decoding: bytes, as: UTF8.self).addingPercentEncoding(withAllowedCharacters: .alphanumerics)
                    return Array("paymentData=\(text ?? "")&order=1".utf8)
                }
            }),
        DoctorFault(
            name: "base64 alone", code: "apple-pay.transport-damage", evidence: ("body", "base64 instead of the bytes"), part: .token,
            put: {
                $0.usesOuterObject = false
                $0.damage = { Array((StrictBase64.encode($0) + "\n").utf8) }
            }),
        DoctorFault(
            name: "empty paymentData", code: "apple-pay.payment-data-empty", evidence: ("paymentData length", "0"), part: .token,
            put: { $0.flaws = [.emptyPaymentData] }),
        DoctorFault(
            name: "altered data", code: "apple-pay.token.message-digest-mismatch", part: .token,
            put: {
                $0.flaws = [.flippedTransactionId]
                $0.usesOuterObject = false
            }),
        DoctorFault(
            name: "other embedded content", code: "apple-pay.token.embedded-content", part: .token,
            put: { $0.flaws = [.embeddedOtherContent] }),
        DoctorFault(
            name: "no signed attributes", code: "apple-pay.token.signed-attributes-missing", part: .token,
            put: { $0.flaws = [.noSignedAttributes] }),
        DoctorFault(
            name: "no signing time", code: "apple-pay.token.signing-time-missing", part: .token, put: { $0.flaws = [.noSigningTime] }),
        DoctorFault(
            name: "signed by another key", code: "apple-pay.token.signature-mismatch", part: .token, put: { $0.flaws = [.signedByStranger] }
        ),
        DoctorFault(
            name: "header names another key", code: "apple-pay.key-hash-mismatch", part: .token, put: { $0.flaws = [.otherPublicKeyHash] }),
    ]

    static let material: [DoctorFault] = [
        DoctorFault(
            name: "key of another pair", code: "apple-pay.key-mismatch", part: .certificate,
            put: { $0.keys = [.p256(try P256PrivateKey(using: &$0.fixture.generator))] }),
        DoctorFault(
            name: "RSA key of another pair", version: .rsaV1, code: "apple-pay.key-mismatch", part: .certificate,
            put: { $0.keys = [.rsa(WalletFixture.rsaPool[2])] }),
        DoctorFault(
            name: "app with another merchant identifier", code: "apple-pay.merchant-identifier-mismatch", part: .certificate,
            put: { item in
                item.derivedFor = "merchant.example.app"
                item.hints["merchantIdentifier"] = "merchant.example.app"
            }),
        DoctorFault(
            name: "old key after renewal", code: "apple-pay.unknown-public-key-hash", part: .certificate,
            put: { item in
                let old = try P256PrivateKey(using: &item.fixture.generator)
                item.keys = [.p256(old)]
                item.certificates = [try item.certificate(for: old.publicKey)]
            }),
        DoctorFault(
            name: "RSA pair for an EC token", code: "apple-pay.key-kind", evidence: ("version", "EC_v1"), part: .certificate,
            put: { item in
                item.keys = [.rsa(item.fixture.rsaKey)]
                item.certificates = [item.fixture.rsaMerchant.certificate]
            }),
        DoctorFault(
            name: "EC pair for an RSA token", version: .rsaV1, code: "apple-pay.key-kind", evidence: ("version", "RSA_v1"),
            part: .certificate,
            put: { item in
                item.keys = [.p256(item.fixture.ecKey)]
                item.certificates = [item.fixture.ecMerchant.certificate]
            }),
        DoctorFault(
            name: "identity certificate", code: "apple-pay.identity-certificate", part: .certificate,
            put: { item in
                let identity = WalletFixture.rsaPool[2]
                item.keys = [.rsa(identity)]
                item.certificates = [try item.certificate(for: identity.publicKey, kind: .identity)]
            }),
        DoctorFault(
            name: "certificate that names two merchants", version: .rsaV1, code: "apple-pay.certificate-identifier-mismatch",
            part: .certificate,
            put: { $0.certificates = [try $0.certificate(for: $0.fixture.rsaKey.publicKey, hashOf: "merchant.example.other")] }),
        DoctorFault(
            name: "expired certificate", version: .rsaV1, code: "apple-pay.certificate-expired", part: .certificate,
            put: { $0.certificates = [try $0.certificate(for: $0.fixture.rsaKey.publicKey, notAfter: WalletFixture.now - 60)] }),
        DoctorFault(
            name: "certificate near its end", code: "apple-pay.certificate-expiring", part: .certificate,
            put: { $0.certificates = [try $0.certificate(for: $0.fixture.ecKey.publicKey, notAfter: WalletFixture.now + 20 * 86_400)] }),
    ]

    static let files: [DoctorFault] = [
        DoctorFault(
            name: "damaged merchant identifier extension", code: "apple-pay.certificate-identifier-unreadable", part: .certificate,
            put: { item in
                let made = try MerchantCertificateUnderTest.damaged(
                    for: P256PrivateKey(using: &item.fixture.generator).publicKey, identifier: item.fixture.identifier)
                item.others = [Artifact(name: "damaged.pem", bytes: Array(made.pem.utf8))]
            }),
        DoctorFault(
            name: "certificate not valid yet", code: "apple-pay.certificate-not-yet-valid", part: .certificate,
            put: { $0.certificates = [try $0.certificate(for: $0.fixture.ecKey.publicKey, notBefore: WalletFixture.now + 86_400)] }),
        DoctorFault(
            name: "PEM with damaged base64", code: "apple-pay.unreadable-pem", part: .certificate,
            put: { item in
                let text = item.processing.pem.replacingOccurrences(of: "M", with: "*")
                item.others = [Artifact(name: "damaged.pem", bytes: Array(text.utf8))]
            }),
        DoctorFault(
            name: "PEM cut short", code: "apple-pay.unreadable-pem", part: .certificate,
            put: { $0.others = [Artifact(name: "cut.pem", bytes: Array($0.processing.pem.utf8.dropLast(30)))] }),
        DoctorFault(
            name: "PEM with literal line breaks", code: "apple-pay.unreadable-pem", part: .certificate,
            put: {
                $0.others = [
                    Artifact(name: "one-line.pem", bytes: Array($0.processing.pem.replacingOccurrences(of: "\n", with: "\\n").utf8))
                ]
            }),
        DoctorFault(
            name: "certificate label over other bytes", code: "apple-pay.unreadable-pem", part: .certificate,
            put: {
                $0.others = [
                    Artifact(
                        name: "label.pem",
                        bytes: Array(PEMText.Block(label: "CERTIFICATE", bytes: Array($0.processing.der.dropLast())).text.utf8))
                ]
            }),
        DoctorFault(
            name: "encrypted key", code: "apple-pay.key-encrypted", part: .certificate,
            put: {
                $0.others = [
                    Artifact(
                        name: "closed.pem", bytes: Array(PEMText.Block(label: "ENCRYPTED PRIVATE KEY", bytes: [0x30, 0x00]).text.utf8))
                ]
            }),
    ]

    static let orders: [DoctorFault] = [
        DoctorFault(
            name: "other applicationData", code: "apple-pay.application-data-mismatch", part: .hints,
            put: { $0.hints["applicationData"] = "order-2" }),
        DoctorFault(
            name: "base64 text as applicationData", code: "apple-pay.application-data-mismatch",
            evidence: ("the header is the SHA-256 of the", "base64 text of it"), part: .hints,
            put: { $0.applicationData = Array(StrictBase64.encode(Array("order-1".utf8)).utf8) }),
        DoctorFault(
            name: "applicationData of another request", code: "apple-pay.application-data-mismatch", part: .hints,
            put: { $0.request.applicationData = Array("order-2".utf8) }),
        DoctorFault(
            name: "request of another currency", code: "apple-pay.currency-mismatch", evidence: ("token currencyCode", "840"), part: .hints,
            put: { $0.request.currencyCode = "EUR" }),
        DoctorFault(
            name: "sheet with another total", code: "apple-pay.amount-mismatch", evidence: ("request.json, minor units", "4300"),
            part: .hints,
            put: {
                $0.session.events[3].answers[0].items = [
                    .init(label: "Tea", amount: "43.00"), .init(label: "Example Shop", amount: "43.00"),
                ]
            }),
        DoctorFault(
            name: "amount with a comma", code: "apple-pay.hint-unreadable", part: .hints, put: { $0.hints["amount"] = "33,00" }),
        DoctorFault(
            name: "charged in major units with a point", code: "apple-pay.hint-unreadable", part: .hints,
            put: { $0.hints["txnAmt"] = .number("33.00") }),
        DoctorFault(
            name: "charged by a number of its own", code: "apple-pay.amount-charged-mismatch", evidence: ("txnAmt", "3301"), part: .hints,
            put: { $0.hints["txnAmt"] = 3_301 }),
        DoctorFault(
            name: "the sheet showed another amount, in numbers", code: "apple-pay.amount-charged-from-token",
            evidence: ("order, minor units", "4500"), part: .hints,
            put: {
                $0.hints["amount"] = .number("45.0")
                $0.hints["txnAmt"] = 3_300
            }),
        DoctorFault(
            name: "major units charged", code: "apple-pay.amount-units", evidence: ("txnAmt", "33"), part: .hints,
            put: { $0.hints["txnAmt"] = "33" }),
        DoctorFault(
            name: "minor units multiplied", code: "apple-pay.amount-units", evidence: ("txnAmt", "330000"), part: .hints,
            put: { $0.hints["txnAmt"] = "330000" }),
        DoctorFault(
            name: "the token's amount charged", code: "apple-pay.amount-charged-from-token", evidence: ("order, minor units", "4500"),
            part: .hints,
            put: { $0.hints["amount"] = "45.00" }),
        DoctorFault(
            name: "the sheet showed another amount", code: "apple-pay.amount-mismatch", evidence: ("token transactionAmount", "3300"),
            part: .hints,
            put: {
                $0.hints["amount"] = "45.00"
                $0.hints["txnAmt"] = "4500"
            }),
        DoctorFault(
            name: "the sheet showed another currency", code: "apple-pay.currency-mismatch", evidence: ("token currencyCode", "840"),
            part: .hints,
            put: { $0.hints["currency"] = "EUR" }),
    ]

    static let requests: [DoctorFault] = [
        DoctorFault(
            name: "request of another merchant", code: "apple-pay.merchant-identifier-mismatch", part: .request,
            put: { $0.request.merchantIdentifier = "merchant.example.other" }),
        DoctorFault(
            name: "emv without UnionPay", code: "apple-pay.request.emv-unexpected", part: .request,
            put: { $0.request.merchantCapabilities.insert(.emv) }),
        DoctorFault(
            name: "UnionPay without emv", code: "apple-pay.request.emv-missing", part: .request,
            put: { $0.request.supportedNetworks.append(.chinaUnionPay) }),
        DoctorFault(
            name: "EMV payload for another processor", version: .rsaV1, code: "apple-pay.payload-type",
            evidence: ("paymentDataType", "EMV"), part: .request,
            put: { item in
                item.request.supportedNetworks = [.visa]
                item.request.merchantCapabilities = [.threeDSecure]
            }),
        DoctorFault(
            name: "total is not the sum", code: "apple-pay.request.total-sum", evidence: ("difference", "0.01"), part: .request,
            put: { $0.request.paymentSummaryItems[1].amount = "33.01" }),
    ]

    static let sessions: [DoctorFault] = [
        DoctorFault(
            name: "empty item list", code: "apple-pay.session.items-empty", part: .session,
            put: { $0.session.events[0].answers[0].items = [] }),
        DoctorFault(
            name: "private error domain", code: "apple-pay.session.error-domain", evidence: ("domain", "shop"), part: .session,
            put: { $0.session.events[1].answers[0].errors[0].domain = "shop" }),
        DoctorFault(
            name: "callback not answered", code: "apple-pay.session.unanswered", part: .session, put: { $0.session.events[2].answers = [] }),
    ]
}
