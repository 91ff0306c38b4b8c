/// Takes server-sent events out of the bytes of a stream (HTML Living Standard, 9.2.6).
struct EventStreamReader {
    struct Event: Equatable {
        /// What the next request says in `Last-Event-ID`; the last that the stream named.
        var id: String
        var type: String
        var data: String
    }

    /// The most of one event: whoever sends more is not waited for.
    static let mostBytes = 4 << 20

    private var line: [UInt8] = []
    private var endsWithReturn = false
    private var (id, type, data) = ("", "", [String]())
    private var size = 0

    /// The events that a piece of the stream completes, in their order. Refuses with `event-too-large`.
    mutating func read(_ bytes: some Sequence<UInt8>) throws(CommandFailure) -> [Event] {
        var events: [Event] = []
        for byte in bytes {
            switch byte {
            case 0x0A where endsWithReturn: endsWithReturn = false
            case 0x0A, 0x0D:
                endsWithReturn = byte == 0x0D
                if let event = endLine() { events.append(event) }
            default:
                endsWithReturn = false
                size += 1
                guard size <= Self.mostBytes else {
                    throw CommandFailure(.refused, code: "event-too-large", reason: "an event has more than 4 MB")
                }
                line.append(byte)
            }
        }
        return events
    }

    private mutating func endLine() -> Event? {
        let text = String(decoding: line, as: UTF8.self)
        line.removeAll(keepingCapacity: true)
        guard !text.isEmpty else {
            defer { (type, data, size) = ("", [], 0) }
            return data.isEmpty ? nil : Event(id: id, type: type.isEmpty ? "message" : type, data: data.joined(separator: "\n"))
        }
        let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        var value = halves.count == 2 ? halves[1] : ""
        if value.hasPrefix(" ") { value.removeFirst() }
        switch halves[0] {
        case "id" where !value.contains("\0"): id = String(value)
        case "event": type = String(value)
        case "data": data.append(String(value))
        // A comment keeps a silent stream alive.
        default: if data.isEmpty, type.isEmpty { size = 0 }
        }
        return nil
    }
}
