import BillfoldDiagnosis
import Crypto
import PaymentCrypto
import PaymentCryptoOpenSSL
import SwiftASN1
import Synchronization
import UnionPayDiagnosis
import X509

/// Opens a merchant's PKCS#12 file by OpenSSL, the old ones that UnionPay hands out included. Each is opened once, whoever asks: hashing a
/// password is dear.
struct OpenSSLPKCS12: PKCS12Opener {
    private struct Attempt: Hashable {
        var file: SHA256Digest
        var password: SHA256Digest
    }

    private let known = KnownOpenings()

    private final class KnownOpenings: Sendable {
        let openings = Mutex<[Attempt: PKCS12Opening]>([:])
    }

    func open(_ bytes: [UInt8], password: Secret<String>, rounds: inout Int) -> PKCS12Opening {
        let attempt = Attempt(file: SHA256.hash(data: bytes), password: SHA256.hash(data: Array(password.reveal().utf8)))
        if let opening = known.openings.withLock({ $0[attempt] }) { return opening }
        let opening = Self.opening(bytes, password: password, rounds: &rounds)
        // With more rounds left it may open another time.
        if case .tooCostly = opening { return opening }
        known.openings.withLock { $0[attempt] = opening }
        return opening
    }

    private static func opening(_ bytes: [UInt8], password: Secret<String>, rounds: inout Int) -> PKCS12Opening {
        do {
            let (key, certificate) = try read(bytes, password: password, rounds: &rounds)
            return .opened(key: key, certificate: certificate)
        } catch let error as PaymentCryptoOpenSSLError {
            if error.code == .incompleteArchive { return .incomplete(error.reason) }
            return error.rounds.map { .tooCostly(rounds: $0) } ?? .closed
        } catch { return .closed }
    }

    /// As ``open(_:password:rounds:)``, with the reason when it fails: `wrong-password`, `malformed-archive`, `unusable-key`.
    static func read(_ bytes: [UInt8], password: Secret<String>) throws -> (key: Certificate.PrivateKey, certificate: Certificate) {
        var rounds = Int.max
        return try read(bytes, password: password, rounds: &rounds)
    }

    private static func read(
        _ bytes: [UInt8], password: Secret<String>, rounds: inout Int
    ) throws -> (key: Certificate.PrivateKey, certificate: Certificate) {
        let archive = try PKCS12Archive(der: bytes, password: password.reveal(), rounds: &rounds)
        let document = PEMDocument(type: "PRIVATE KEY", derBytes: archive.privateKeyDER)
        guard let key = try? Certificate.PrivateKey(pemDocument: document),
            let certificate = try? Certificate(derEncoded: archive.certificate.der)
        else { throw CommandFailure(.refused, code: "unusable-key", reason: "the file's key is of a kind that is not for signing") }
        return (key, certificate)
    }
}
