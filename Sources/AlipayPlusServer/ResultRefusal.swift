import AlipayPlus

/// A refusal in the protocol's own words: it is answered as a signed result, and nothing was stored.
struct ResultRefusal: Error, Sendable, CustomStringConvertible {
    var result: AlipayPlusResult

    init(_ result: AlipayPlusResult, _ reason: String? = nil) {
        self.result = reason.map { result.saying($0) } ?? result
    }

    /// The documented result of a code; one that no document knows is a failure of the process.
    init(code: String, _ reason: String? = nil) {
        self.init(AlipayPlusResult(documented: code) ?? .processFail, reason)
    }

    var description: String { "\(result)" }
}
