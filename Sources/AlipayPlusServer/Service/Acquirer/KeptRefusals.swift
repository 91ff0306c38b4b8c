import AlipayPlus
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// A request id that was refused for good stays refused: the same request is told the same, and another under its name is none.
///
/// An F is final (alipay-plus.md#results [D]), and keys stay reserved without end (alipay-plus.md#idempotency [D]). A request that is not
/// well formed takes no id. The write that refuses leaves nothing behind, so the refusal is stored in a write of its own, unless the same
/// request came through in between.
struct KeptRefusals: Sendable {
    let context: AlipayPlusServerContext

    /// A refusal with the id that it is to be kept under.
    private struct Keyed: Error {
        var refusal: ResultRefusal
        var key: IdempotencyKey
        var fingerprint: RequestFingerprint
        var subject: TimeOrderedID
    }

    /// Marks what the body refuses as the end of a request id that this write has taken.
    static func keeping<Result>(
        under key: IdempotencyKey, fingerprint: RequestFingerprint, subject: TimeOrderedID, _ body: () throws -> Result
    ) throws -> Result {
        do { return try body() } catch let refusal as ResultRefusal where isFinal(refusal) {
            throw Keyed(refusal: refusal, key: key, fingerprint: fingerprint, subject: subject)
        }
    }

    private static func isFinal(_ refusal: ResultRefusal) -> Bool {
        refusal.result.isFailure && refusal.result.resultCode != AlipayPlusResult.paramIllegal.resultCode
    }

    /// Whether what is stored under a key is the id of what the request made, and not a refusal.
    static func isObject(_ stored: [UInt8]) -> Bool { stored.count == 16 }

    static func read(_ bytes: [UInt8]) throws -> ResultRefusal { ResultRefusal(try JSONDocument.decode(AlipayPlusResult.self, bytes)) }

    /// Runs a write. Throws what it refuses, as ``ResultRefusal``.
    ///
    /// - `doubt`: Says what is answered instead, before a refusal is kept, where nobody knows that nothing came of the request id.
    func run<Result: Sendable>(
        unless doubt: () async throws -> ResultRefusal? = { nil }, _ body: @escaping @Sendable (any Transaction) throws -> Result
    ) async throws -> Result {
        while true {
            do { return try await context.database.writeRepeatably(body) } catch let keyed as Keyed {
                if let instead = try await doubt() { throw instead }
                if try await keep(keyed) { throw keyed.refusal }
            }
        }
    }

    /// Returns false where the id stands for something by now.
    private func keep(_ keyed: Keyed) async throws -> Bool {
        let (now, result) = (context.clock.now(), try JSONDocument.encode(keyed.refusal.result))
        return try await context.database.writeRepeatably { tx in
            let outcome = try IdempotencyRecords.begin(
                keyed.key, fingerprint: keyed.fingerprint, subject: keyed.subject, result: result, at: now, in: tx)
            if case .unseen = outcome { return true }
            return false
        }
    }
}
