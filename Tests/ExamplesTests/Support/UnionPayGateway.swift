import BillfoldDiagnosis
import BillfoldMoney
import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import UnionPay
import X509

/// A merchant with its certificate, and a gateway that answers it and tells it of payments.
struct UnionPayGateway {
    static let now = Date(timeIntervalSince1970: 1_795_204_800)
    static let card = CardTransactionData(accountNumber: Secret("6233999999990017"), emvData: Secret("nyYIAQ=="))

    let root: Certificate
    let merchantKey: Certificate.PrivateKey
    let merchantCertificate: Certificate
    private let signer: ReplySigner

    init() throws {
        let keys = try ExampleRSAKeys.pkcs8()
        let rootKey = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let gatewayKey = Certificate.PrivateKey(try _RSA.Signing.PrivateKey(derRepresentation: keys.other))
        merchantKey = Certificate.PrivateKey(try _RSA.Signing.PrivateKey(derRepresentation: keys.own))
        root = try Self.issue("Example Root", serial: 1, key: rootKey.publicKey, issuerKey: rootKey, isAuthority: true)
        merchantCertificate = try Self.issue("Tea House", serial: 69_903_319_369, key: merchantKey.publicKey, issuerKey: rootKey)
        let certificate = try Self.issue(
            "041@Z2026@\(UnionPayTrust.organisation)@00000001", serial: 68_759_663_125, key: gatewayKey.publicKey, issuerKey: rootKey)
        signer = try ReplySigner(key: gatewayKey, certificate: certificate)
    }

    private static func issue(
        _ name: String, serial: UInt64, key: Certificate.PublicKey, issuerKey: Certificate.PrivateKey, isAuthority: Bool = false
    ) throws -> Certificate {
        try Certificate(
            version: .v3, serialNumber: .init(serial), publicKey: key, notValidBefore: now.addingTimeInterval(-86_400),
            notValidAfter: now.addingTimeInterval(86_400), issuer: DistinguishedName { CommonName("Example Root") },
            subject: DistinguishedName { CommonName(name) }, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(isAuthority ? BasicConstraints.isCertificateAuthority(maxPathLength: nil) : .notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: !isAuthority, keyCertSign: isAuthority))
            },
            issuerPrivateKey: issuerKey)
    }

    /// The consume that a body holds, checked against what the merchant registered.
    func consume(in body: String) throws -> ConsumeRequest {
        try ConsumeRequest(MerchantSignatureVerifier([.rsa(merchantCertificate)]).verified(FormBody.decode(Array(body.utf8))))
    }

    /// A consume as the merchant posts it.
    func postedConsume() throws -> String {
        let key = try TransactionKey(
            merchant: MerchantID("777290058167151"), order: OrderID("ORDER12345"), time: BeijingTime("20261120200000"))
        let consume = ConsumeRequest(
            key: key, amount: try Amount("33.00", currency: .cny), card: Self.card, backURL: "https://shop.example/unionpay/notify")
        return try FormBody.encode(consume.signed(by: UnionPaySigner(key: merchantKey, certificate: merchantCertificate)))
    }

    /// The merchant's certificate in PEM.
    func merchantFile() throws -> String { try merchantCertificate.serializeAsPEM().pemString }

    /// What comes back at once.
    func answer(to key: TransactionKey, code: String) throws -> [UInt8] {
        var fields: UnionPayFields = [
            "version": "5.1.0", "encoding": "UTF-8", "txnType": "01", "respCode": code, "respMsg": "told[0000000]",
        ]
        name(key, in: &fields)
        return try ReplyBody.encode(signer.signed(fields))
    }

    /// What is posted to the merchant once the money moved.
    func notification(of key: TransactionKey, amount: Amount) throws -> [UInt8] {
        var fields: UnionPayFields = [
            "version": "5.1.0", "encoding": "UTF-8", "txnType": "01", "respCode": "00", "respMsg": "told[0000000]",
            "queryId": "202611202000001234567", "txnAmt": amount.minorUnitText, "currencyCode": amount.currency.numericCode,
        ]
        name(key, in: &fields)
        return try FormBody.bytes(of: signer.signed(fields))
    }

    private func name(_ key: TransactionKey, in fields: inout UnionPayFields) {
        fields["merId"] = key.merchant.description
        fields["orderId"] = key.order.description
        fields["txnTime"] = key.time.description
    }
}
