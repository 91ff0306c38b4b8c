public import BillfoldStorage

/// What is stored of a request that made something: the id of what it made, and the answer that its caller was given first.
public struct KeptAnswer: Sendable, Hashable {
    /// What the request made.
    public var object: TimeOrderedID
    /// The first answer's bytes; `nil` until one was given.
    public var answer: [UInt8]?

    public init(_ object: TimeOrderedID, answer: [UInt8]? = nil) {
        self.object = object
        self.answer = answer
    }

    /// Reads what lies under a key; `nil` for anything else, such as a refusal.
    public init?(stored: [UInt8]) {
        guard stored.count == Self.idLength || stored.count > Self.idLength && stored[Self.idLength] == Self.separator,
            let object = try? TimeOrderedID(bytes: stored.prefix(Self.idLength))
        else { return nil }
        self.init(object, answer: stored.count > Self.idLength ? Array(stored.dropFirst(Self.idLength + 1)) : nil)
    }

    /// As it lies under its key: the id, and behind a line's end the answer.
    public var stored: [UInt8] { object.bytes + (answer.map { [Self.separator] + $0 } ?? []) }

    private static let idLength = 16
    private static let separator: UInt8 = 0x0A
}
