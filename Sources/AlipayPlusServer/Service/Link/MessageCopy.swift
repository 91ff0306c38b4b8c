/// Which copy of an errand a wallet answers.
enum MessageCopy: Sendable, Hashable {
    /// No other copy can have left, as far as the books know.
    case first
    /// An earlier copy may have arrived, and what is refused of this one says nothing about that.
    case repeated

    init(attempt: Int64) { self = attempt > 1 ? .repeated : .first }
}
