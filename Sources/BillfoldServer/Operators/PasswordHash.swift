package import BillfoldDiagnosis
import CryptoExtras
import Foundation
import HTTPTypes
import PaymentCrypto

/// A password as it is stored: scrypt (RFC 7914) with its parameters and salt in the text.
///
/// `scrypt$<log2 N>$<r>$<p>$<salt hex>$<hash hex>`
package struct PasswordHash: Sendable, Hashable {
    /// What one guess costs. The default takes 128 MiB, as OWASP's password storage advice asks of scrypt.
    package struct Cost: Sendable, Hashable {
        package var logRounds: Int
        package var blockSize: Int
        package var parallelism: Int

        package init(logRounds: Int = 17, blockSize: Int = 8, parallelism: Int = 1) {
            self.logRounds = logRounds
            self.blockSize = blockSize
            self.parallelism = parallelism
        }
    }

    /// What an operator's password must have.
    package static let minimumLength = 12
    /// How many different characters it must have: `aaaaaaaaaaaa` is long and guessed at once.
    package static let minimumVariety = 5

    package let text: String
    private let cost: Cost
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// Hashes a new password. Refuses with `weak-password` one that is shorter than ``minimumLength`` characters or has fewer
    /// than ``minimumVariety`` different ones.
    package init(_ password: Secret<String>, cost: Cost = Cost(), salt: [UInt8]) throws(ServerError) {
        let characters = password.reveal()
        guard characters.count >= Self.minimumLength, Set(characters).count >= Self.minimumVariety else {
            throw ServerError(
                code: .weakPassword,
                reason: "a password has at least \(Self.minimumLength) characters, \(Self.minimumVariety) of them different",
                status: .unprocessableContent)
        }
        try self.init(unruled: password, cost: cost, salt: salt)
    }

    /// Hashes a password that somebody else's rules were applied to, such as a customer's.
    package init(unruled password: Secret<String>, cost: Cost = Cost(), salt: [UInt8]) throws(ServerError) {
        self.cost = cost
        self.salt = salt
        hash = try Self.derive(password, cost: cost, salt: salt)
        text = "scrypt$\(cost.logRounds)$\(cost.blockSize)$\(cost.parallelism)$\(Hexadecimal.encode(salt))$\(Hexadecimal.encode(hash))"
    }

    /// Reads a stored hash; `nil` when the text is something else or its parameters are out of bounds.
    package init?(stored text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 6, parts[0] == "scrypt", let logRounds = Int(parts[1]), (4...20).contains(logRounds),
            let blockSize = Int(parts[2]), (1...32).contains(blockSize), let parallelism = Int(parts[3]), (1...16).contains(parallelism),
            let salt = try? Hexadecimal.decode(parts[4]), salt.count >= 8, let hash = try? Hexadecimal.decode(parts[5]), hash.count == 32
        else { return nil }
        self.text = text
        cost = Cost(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism)
        self.salt = salt
        self.hash = hash
    }

    /// Compares in fixed time. Takes tens of milliseconds: never call it on an event loop.
    package func matches(_ password: Secret<String>) -> Bool {
        guard let derived = try? Self.derive(password, cost: cost, salt: salt) else { return false }
        return ConstantTime.equal(derived, hash)
    }

    private static func derive(_ password: Secret<String>, cost: Cost, salt: [UInt8]) throws(ServerError) -> [UInt8] {
        let rounds = 1 << cost.logRounds
        do {
            let key = try KDF.Scrypt.deriveKey(
                from: Data(password.reveal().precomposedStringWithCanonicalMapping.utf8), salt: salt, outputByteCount: 32, rounds: rounds,
                blockSize: cost.blockSize, parallelism: cost.parallelism,
                maxMemory: 256 * rounds * cost.blockSize + 1_048_576)
            return key.withUnsafeBytes { Array($0) }
        } catch {
            throw ServerError(code: .internalFailure, reason: "the password could not be hashed", status: .internalServerError)
        }
    }
}
