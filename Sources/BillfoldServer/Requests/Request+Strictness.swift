import HTTPTypes
package import Hummingbird

extension Request {
    /// Refuses with 415 `unsupported-media-type` a body that says it is something else, or text in another encoding than UTF-8.
    ///
    /// - Parameter isOptional: Whether a request that names no type at all is taken too.
    package func requireMediaType(_ expected: String, isOptional: Bool = false) throws(ServerError) {
        let sent = headers[values: .contentType]
        if sent.isEmpty, isOptional { return }
        if sent.count == 1, sent[0] == expected { return }
        guard sent.count == 1, Self.isMediaType(sent[0], expected) else {
            throw ServerError(
                code: .unsupportedMediaType, reason: "the body has to be \(expected) in UTF-8", status: .unsupportedMediaType)
        }
    }

    private static func isMediaType(_ text: String, _ expected: String) -> Bool {
        let parts = text.lowercased().utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(trimmed)
        let charsets = parts.dropFirst().filter { $0.hasPrefix("charset=") }.map { $0.dropFirst(8) }
        return parts.first == expected[...] && charsets.allSatisfy { $0 == "utf-8" || $0 == "\"utf-8\"" || $0 == "utf8" }
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring {
        var rest = text.drop { $0 == 0x20 || $0 == 0x09 }
        while rest.last == 0x20 || rest.last == 0x09 { rest.removeLast() }
        return Substring(rest)
    }

    /// The query's parameters. Refuses with `malformed-request` one that this operation does not have, and one that comes twice.
    package func query(allowing names: Set<String>) throws(ServerError) -> [String: String] {
        func malformed(_ reason: String) -> ServerError { ServerError(code: .malformedRequest, reason: reason, status: .badRequest) }
        var result: [String: String] = [:]
        for (name, value) in uri.queryParameters {
            guard names.contains(String(name)) else {
                let known = names.isEmpty ? "it takes none" : "it takes \(names.sorted().joined(separator: ", "))"
                throw malformed("\(Self.shown(name)) is no parameter of this operation: \(known)")
            }
            guard result.updateValue(String(value), forKey: String(name)) == nil else { throw malformed("the query has \(name) twice") }
        }
        return result
    }

    /// A parameter's name as the caller wrote it, where it can be one.
    private static func shown(_ name: Substring) -> String {
        let isName = (1...64).contains(name.utf8.count) && name.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isName ? String(name) : "a part of the query"
    }
}
