import AlipayPlus
import BillfoldPayments
import BillfoldStorage

/// A request whose key is forgotten, and whose payment or refund is known by its request id, which stays for ever.
///
/// Thrown out of a write that tried to make it anew, so that nothing of that stays: the key then stands for the old one again.
struct ForgottenKey: Error {
    /// What the request made the first time.
    var object: TimeOrderedID
    /// Whether the request says the same as then.
    var isSame: Bool

    /// Stores the key again. Throws ``ResultRefusal`` where the request is another under an old name.
    func takeAgain(
        _ key: IdempotencyKey, _ fingerprint: RequestFingerprint, at now: Timestamp, in database: any Database
    ) async throws {
        guard isSame else { throw ResultRefusal(.repeatRequestInconsistent) }
        let object = object
        let outcome = try await database.writeRepeatably { tx in
            try IdempotencyRecords.begin(key, fingerprint: fingerprint, subject: object, result: object.bytes, at: now, in: tx)
        }
        if outcome == .conflict { throw ResultRefusal(.repeatRequestInconsistent) }
    }
}
