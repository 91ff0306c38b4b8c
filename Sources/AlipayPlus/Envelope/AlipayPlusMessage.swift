public import AlipayPlusValues

/// What one signature covers: a method and path, who the client is, when, and the body's exact bytes (alipay-plus.md#string-to-sign [D]).
///
/// A request's time is `Request-Time`, an answer's `response-time`; an answer has the path of its request, a notification that of the
/// receiver's own address.
public struct AlipayPlusMessage: Sendable, Hashable {
    /// Without scheme, host, port and query.
    public let path: String
    public let clientID: String
    /// As it stands in the header.
    public let timeText: String
    public let time: AlipayPlusTime
    public let body: [UInt8]

    /// - Parameters:
    ///   - target: A path, or an absolute URL as some clients send it [O]; only its path is taken. `malformed-target`.
    ///   - clientID: `Client-Id`. `missing-client-id` when it is empty.
    ///   - timeText: As in the header; `malformed-time` unless it is ISO 8601 with a zone, or epoch milliseconds.
    ///   - body: As sent or received: it is never printed again.
    public init(target: String, clientID: String, timeText: String, body: [UInt8]) throws(AlipayPlusError) {
        path = try Self.path(of: target)
        guard !clientID.isEmpty else { throw AlipayPlusError(code: .missingClientID, reason: "Client-Id is missing") }
        guard clientID.utf8.count <= 64, clientID.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: ".") }) else {
            // A dot would let one text be signed for two clients.
            throw AlipayPlusError(code: .missingClientID, reason: "Client-Id is not 1 to 64 printable characters without a dot")
        }
        time = try AlipayPlusTime(header: timeText)
        self.clientID = clientID
        self.timeText = timeText
        self.body = body
    }

    /// A message of our own, at a moment written as ISO 8601.
    public init(target: String, clientID: String, time: AlipayPlusTime, body: [UInt8]) throws(AlipayPlusError) {
        try self.init(target: target, clientID: clientID, timeText: time.description, body: body)
    }

    /// `POST <path>` LF `<client id>.<time>.<body>`, without a line end behind it.
    public var stringToSign: [UInt8] {
        var text = Array("POST \(path)\n\(clientID).\(timeText).".utf8)
        text += body
        return text
    }

    private static func path(of target: String) throws(AlipayPlusError) -> String {
        var rest = Substring(target)
        if !target.utf8.starts(with: "/".utf8), let scheme = ["https://", "http://"].first(where: { target.lowercased().hasPrefix($0) }) {
            rest = rest.dropFirst(scheme.count)
            rest = rest[(rest.firstIndex(of: "/") ?? rest.endIndex)...]
        }
        let path = Substring(rest.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        guard path.utf8.starts(with: "/".utf8), path.utf8.count <= 2_048, path.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            throw AlipayPlusError(code: .malformedTarget, reason: "the request target is neither a path nor an absolute URL")
        }
        return String(path)
    }
}
