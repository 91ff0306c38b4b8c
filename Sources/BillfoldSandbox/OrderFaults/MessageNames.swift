import Foundation

/// What a message names, wherever in it that stands: members of JSON and of forms, of texts within them such as `biz_content` and order
/// strings, parts of its path, and the key that its caller shows. Nothing is decided here about who may say so: these names only choose
/// which plan of a test befalls a message.
struct MessageNames: Sendable {
    /// By this name stands a hash of the key in `Authorization`.
    static let keyName = "authorization"
    private static let (mostFields, mostBytes, deepest) = (2_000, 262_144, 5)

    private(set) var fields: [(name: String, value: String)] = []

    /// - Parameters:
    ///   - path: With its query.
    ///   - headers: Of which two count, who calls and by what key.
    ///   - body: JSON, a form, or anything else, which names nothing.
    init(path: String = "", headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        let halves = path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let parts = (halves.first ?? "").split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        for (place, name) in zip(parts, parts.dropFirst()) { add(place.hasSuffix("s") ? String(place.dropLast()) : place, name) }
        if halves.count == 2 {
            read(halves[1].removingPercentEncoding.flatMap(Self.object) != nil ? halves[1].removingPercentEncoding ?? "" : halves[1])
        }
        for header in headers {
            switch header.name.lowercased() {
            case "client-id": add("client-id", header.value)
            case "authorization" where header.value.hasPrefix("Bearer "):
                add(Self.keyName, PartyCredentials.hash(String(header.value.dropFirst(7))))
            default: break
            }
        }
        if body.count <= Self.mostBytes { read(String(decoding: body, as: UTF8.self)) }
    }

    subscript(name: String) -> [String] { fields.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value) }

    /// The values under any of these names, in the order of the names.
    func values(of names: [String]) -> [String] { names.flatMap { self[$0] } }

    private mutating func add(_ name: String, _ value: String) {
        guard fields.count < Self.mostFields else { return }
        fields.append((name, value))
    }

    private mutating func read(_ text: String, depth: Int = 0) {
        guard depth < Self.deepest, fields.count < Self.mostFields else { return }
        if let json = Self.object(text) { return walk(json, named: "", depth) }
        guard text.contains("=") else { return }
        for pair in text.split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, let name = Self.decoded(halves[0]), var value = Self.decoded(halves[1]) else { continue }
            // Order strings of the older kind have their values between quotes.
            if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") { value = String(value.dropFirst().dropLast()) }
            add(name, value)
            read(value, depth: depth + 1)
        }
    }

    private mutating func walk(_ json: Any, named name: String, _ depth: Int) {
        guard depth < Self.deepest else { return }
        switch json {
        case let object as [String: Any]:
            if !name.isEmpty { add(name, "") }
            for (name, value) in object.sorted(by: { $0.key < $1.key }) { walk(value, named: name, depth + 1) }
        case let list as [Any]: for value in list { walk(value, named: name, depth + 1) }
        case let text as String:
            add(name, text)
            read(text, depth: depth + 1)
        default: break
        }
    }

    private static func object(_ text: String) -> Any? {
        guard text.first == "{" || text.first == "[" else { return nil }
        return try? JSONSerialization.jsonObject(with: Data(text.utf8))
    }

    private static func decoded(_ text: Substring) -> String? { text.replacing("+", with: " ").removingPercentEncoding }
}
