import AlipayPlus
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// How a request id stands once it was refused for good: the same request is told the same, and another under its name is none.
///
/// An F is final (alipay-plus.md#results [D]), and keys stay reserved without end (alipay-plus.md#idempotency [D]). A request that is not
/// well formed takes no id.
extension ResultRefusal {
    /// What is stored under the request id; `nil` where the error is no final refusal.
    static func kept(_ error: any Error) throws -> [UInt8]? {
        guard let result = (error as? ResultRefusal)?.result, result.isFailure,
            result.resultCode != AlipayPlusResult.paramIllegal.resultCode
        else { return nil }
        return try JSONDocument.encode(result)
    }

    init(kept: [UInt8]) throws { self.init(try JSONDocument.decode(AlipayPlusResult.self, kept)) }
}

extension OnceDecided {
    /// What this call has made; `nil` where the request id stands for what an earlier call made. Throws ``ResultRefusal`` where the id was
    /// refused for good, or is another request's.
    func made() throws -> Made? {
        switch self {
        case .now(let made): return made
        case .before(.conflict): throw ResultRefusal(.repeatRequestInconsistent)
        case .before(.finished(let result)) where (try? TimeOrderedID(bytes: result)) == nil: throw try ResultRefusal(kept: result)
        case .before: return nil
        }
    }
}
