/// `respCode` and `origRespCode` (apple-pay.md#reply-codes: most meanings [O], the grouping is ours).
public struct ReplyCode: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let accepted = Self(rawValue: "00")
    /// Defective success, treated like success in the owner's query rule.
    public static let defectiveSuccess = Self(rawValue: "A6")
    public static let signatureFailed = Self(rawValue: "11")
    public static let duplicate = Self(rawValue: "12")
    public static let noSuchTransaction = Self(rawValue: "34")
    public static let originalUnusable = Self(rawValue: "35")
    public static let originalMismatch = Self(rawValue: "36")
    public static let tooManyQueries = Self(rawValue: "37")
    public static let alreadyDone = Self(rawValue: "45")
    public static let fileMissing = Self(rawValue: "98")

    /// What a code asks of the caller.
    public enum Class: String, Sendable, Hashable, Codable, CaseIterable {
        /// UnionPay has the message. For a consume this is **not** a payment.
        case accepted
        /// The outcome cannot be told from this: query. Every code that is not listed is here.
        case unknown
        /// Failed or busy for now; query before any new attempt.
        case retryLater
        /// The message is wrong; sending it again as it is cannot help.
        case ourFault
        /// The order was sent before: query it, never send it again under a new number.
        case duplicate
        /// Something in the merchant's contract or set-up forbids it.
        case setUp
        /// The original transaction does not exist or does not fit.
        case reference
        case throttled
        /// Money was taken, and there is a dispute: for a person and the reconciliation file.
        case disputed
        /// It was refunded or voided before.
        case alreadyDone
        /// The issuer says no. Final.
        case declined
        /// There is no such file, or not yet.
        case fileMissing
        case other
    }

    public var `class`: Class { Self.table[rawValue]?.class ?? .unknown }

    /// A plain sentence for people.
    public var meaning: String {
        Self.table[rawValue]?.meaning ?? "The code \(rawValue) is not listed; the outcome is unknown until a query tells."
    }

    /// Whether the code is in the table.
    public var isListed: Bool { Self.table[rawValue] != nil }

    /// Whether it says "paid" where it stands for the transaction itself, in a notification or as `origRespCode`.
    public var meansPaidWhenOriginal: Bool { self == .accepted || self == .defectiveSuccess }

    public var description: String { rawValue }

    /// Every listed code, in order.
    public static var listed: [Self] { table.keys.sorted().map(Self.init(rawValue:)) }

    private static let table: [String: (class: Class, meaning: String)] = [
        "00": (.accepted, "The request was accepted. For a consume this does not say that it is paid."),
        "A1": (.accepted, "Defective success: UnionPay has it and will complete it."),
        "A6": (.accepted, "Partial or defective success; in a query it counts as success."),
        "01": (.retryLater, "The transaction failed; query before any new attempt."),
        "02": (.retryLater, "The system is not open or closed for now; query before any new attempt."),
        "03": (.unknown, "The transaction timed out on the way; its state must be queried."),
        "04": (.unknown, "The state of the transaction is not known; query it."),
        "05": (.unknown, "The transaction was taken and is being worked on; query it."),
        "06": (.retryLater, "The system is busy; query before any new attempt."),
        "10": (.ourFault, "The message has a format error."),
        "11": (.ourFault, "The signature did not verify."),
        "12": (.duplicate, "This order was sent before; query it and never send it under a new number."),
        "13": (.ourFault, "The message lacks a field that it needs."),
        "14": (.ourFault, "The batch file has a format error."),
        "30": (.ourFault, "The transaction did not pass the checks; the message must change."),
        "31": (.setUp, "The merchant's state does not allow this."),
        "32": (.setUp, "The merchant has no permission for this transaction."),
        "33": (.setUp, "The amount is beyond the limit."),
        "34": (.reference, "No such transaction. Right after sending it can mean: not there yet."),
        "35": (.reference, "The original does not exist or is not in a state for this."),
        "36": (.reference, "This does not match the original."),
        "37": (.throttled, "Too many queries."),
        "38": (.throttled, "The risk rules of UnionPay refused this."),
        "39": (.setUp, "The transaction is outside the hours in which it is taken."),
        "40": (.setUp, "The card's binding does not allow this."),
        "42": (.disputed, "The money was taken after the allowed time. A person and the file must decide."),
        "45": (.alreadyDone, "It was refunded or voided before."),
        "60": (.declined, "The issuer declined the transaction."),
        "61": (.declined, "The card number is not valid."),
        "62": (.declined, "The issuer does not support the transaction."),
        "63": (.declined, "The card's state does not allow it."),
        "64": (.declined, "The balance is not enough."),
        "65": (.declined, "PIN, expiry or card verification number is wrong."),
        "66": (.declined, "The holder's identity did not verify."),
        "67": (.declined, "The PIN was tried too often."),
        "68": (.declined, "The issuer declined the transaction."),
        "69": (.declined, "The issuer declined the transaction."),
        "70": (.declined, "The issuer declined the transaction."),
        "71": (.declined, "The issuer declined the transaction."),
        "72": (.declined, "The issuer declined the transaction."),
        "73": (.declined, "The card has expired."),
        "74": (.disputed, "The money was taken and what follows is unknown. A person and the file must decide."),
        "77": (.declined, "The issuer declined the transaction."),
        "78": (.declined, "The issuer declined the transaction."),
        "79": (.declined, "The issuer declined the transaction."),
        "80": (.declined, "The card's token has expired."),
        "81": (.declined, "The issuer declined the transaction."),
        "82": (.declined, "The issuer declined the transaction."),
        "83": (.declined, "The issuer could not process the transaction."),
        "84": (.declined, "The issuer needs the PIN, and it is missing."),
        "90": (.declined, "The issuer declined the transaction."),
        "91": (.declined, "The issuer declined the transaction."),
        "98": (.fileMissing, "The file does not exist, or not yet."),
        "99": (.other, "A general error."),
    ]
}
