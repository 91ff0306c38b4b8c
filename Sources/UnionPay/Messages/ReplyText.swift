/// `respMsg`, with the seven-digit reason that often ends it in brackets: `11[9100004]` is a signature that did not fit.
public struct ReplyText: Sendable, Hashable, CustomStringConvertible {
    public let description: String
    /// The digits in the brackets, for support; UnionPay's staff ask for them.
    public let reason: String?

    public init(_ text: String) {
        description = text
        guard text.hasSuffix("]"), let open = text.lastIndex(of: "[") else {
            reason = nil
            return
        }
        let digits = text[text.index(after: open)...].dropLast()
        reason = digits.utf8.count == 7 && digits.utf8.allSatisfy({ (48...57).contains($0) }) ? String(digits) : nil
    }
}
