import BillfoldDiagnosis
import BillfoldStorage
import SwiftASN1
import UnionPay
import X509

/// The merchants that are registered with the gateway, and what their signatures are checked against.
enum UnionPayGatewayMerchantRecords {
    static func register(
        _ merchant: MerchantID, certificate: Certificate, at now: Timestamp, in transaction: any Transaction
    ) throws {
        try insert(
            merchant, id: "01:\(CertificateID(certificate))", kind: "certificate",
            material: certificate.serializeAsPEM().pemString, at: now, in: transaction)
    }

    static func register(_ merchant: MerchantID, secureKey: Secret<String>, at now: Timestamp, in transaction: any Transaction) throws {
        try insert(merchant, id: "11", kind: "secure-key", material: secureKey.reveal(), at: now, in: transaction)
    }

    static func keys(of merchant: MerchantID, in transaction: any Transaction) throws -> [MerchantSignatureVerifier.Key] {
        try transaction.query(
            "SELECT kind, material FROM unionpay_merchant WHERE mer_id = ? ORDER BY key_id", [.text(merchant.description)]
        ).map { row in
            let material = try row.text(1)
            guard try row.text(0) == "certificate" else { return .secureKeySHA256(Secret(material)) }
            return .rsa(try Certificate(pemEncoded: material))
        }
    }

    private static func insert(
        _ merchant: MerchantID, id: String, kind: String, material: String, at now: Timestamp, in transaction: any Transaction
    ) throws {
        try transaction.execute(
            "DELETE FROM unionpay_merchant WHERE mer_id = ? AND key_id = ?", [.text(merchant.description), .text(id)])
        try transaction.execute(
            "INSERT INTO unionpay_merchant (mer_id, key_id, kind, material, registered_at) VALUES (?, ?, ?, ?, ?)",
            [.text(merchant.description), .text(id), .text(kind), .text(material), .integer(now.microseconds)])
    }
}
