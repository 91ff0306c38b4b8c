package import BillfoldStorage

extension Transaction {
    /// Reads, decides and writes, until the write follows what was read: the shell around every state machine.
    ///
    /// A row carries a version, and is written on condition that it still has the one that was read. Where somebody came in between, the row
    /// was not written, and the attempt is made anew: whatever it writes before the row must bear being written again. Throws `contended` when
    /// sixteen were made in vain.
    ///
    /// - Parameters:
    ///   - thing: What changes, as the error names it.
    ///   - attempt: Returns `nil` where somebody came in between. It is told whether it is the first: no other may rest on what was read before.
    package func changing<Result>(_ thing: String, _ attempt: (_ isFirst: Bool) throws -> Result?) throws -> Result {
        for number in 0..<16 {
            if let result = try attempt(number == 0) { return result }
        }
        throw PaymentsError(code: .contended, reason: "\(thing) changed 16 times meanwhile")
    }
}
