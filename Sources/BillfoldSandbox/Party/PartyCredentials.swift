import BillfoldStorage
import Crypto
import Foundation
import PaymentCrypto

/// Who may ask a party: bearer credentials that it gave out, kept as hashes.
package enum PartyCredentials {
    private struct Given: PartyDocument {
        static let kind = "credential"
        var id: String
        var holder: String
    }

    /// Notes that a credential belongs to somebody. Earlier ones stay good, so that several servers of one bank can each have one.
    static func give(_ credential: String, to holder: String, in transaction: any Transaction) throws {
        try PartyRecords.put(Given(id: hash(credential), holder: holder), in: transaction)
    }

    /// Whom the credential was given to. Refuses with `unauthorized` otherwise.
    static func holder(of request: PartyRequest, in database: any Database) async throws -> String {
        let key = hash(request.credential ?? "")
        guard request.credential != nil, let given = try await database.lookup({ try PartyRecords.find(Given.self, key, in: $0) }) else {
            throw SandboxRefusal(code: "unauthorized", reason: "the credential is missing or unknown", status: 401)
        }
        return given.holder
    }

    /// What is kept of a credential.
    package static func hash(_ credential: String) -> String { Hexadecimal.encode(Data(SHA256.hash(data: Data(credential.utf8)))) }
}
