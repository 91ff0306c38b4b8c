import BillfoldJSON

/// A run as it can be repeated: what went into the logic, turn by turn, and what came out. One JSON text a line; the first says of which
/// program and with which seed.
///
/// It holds what the program and its host said to each other, secrets of either included: keep it as you keep a log.
public struct RunTrace: Sendable {
    struct Line: Sendable {
        var kind: String
        var value: JSONValue

        init(_ kind: String, _ value: JSONValue) {
            self.kind = kind
            self.value = value
        }
    }

    public let appID: String
    let customInterfaces: [String]
    let seed: UInt64
    /// Names the code; it protects nothing.
    let codeMark: String
    let lines: [Line]

    /// How many turns it has.
    public var turns: Int { lines.count { $0.kind == "in" } }

    init(settings: LogicSettings, code: MiniProgramCode, lines: [Line]) {
        appID = settings.appID
        customInterfaces = settings.customInterfaces
        seed = settings.seed
        codeMark = Self.mark(of: code)
        self.lines = lines
    }

    /// Reads what ``text`` wrote; `malformed-trace`.
    public init(_ bytes: [UInt8]) throws(AppContainerError) {
        var objects: [JSONObject] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            do throws(JSONError) {
                objects.append(try JSONReader.readObject(Array(line), maximumBytes: 16_777_216, maximumDepth: 160))
            } catch {
                throw AppContainerError(code: .malformedTrace, reason: "line \(objects.count + 1): \(error.reason)")
            }
        }
        guard let head = objects.first, head["billfold-trace"]?.integer == 1, let appID = head["appId"]?.string,
            let seed = head["seed"]?.string.flatMap({ UInt64($0) }), let mark = head["code"]?.string
        else { throw AppContainerError(code: .malformedTrace, reason: "the first line names no program") }
        self.appID = appID
        self.seed = seed
        codeMark = mark
        customInterfaces = head["custom"]?.array?.compactMap(\.string) ?? []
        var lines: [Line] = []
        for object in objects.dropFirst() {
            guard let member = object.members.first, object.members.count == 1, ["in", "now", "out", "sync"].contains(member.key) else {
                throw AppContainerError(code: .malformedTrace, reason: "line \(lines.count + 2) is none of a trace")
            }
            lines.append(Line(member.key, member.value))
        }
        self.lines = lines
    }

    public var text: String {
        let head = JSONObject([
            .init("billfold-trace", 1), .init("appId", .string(appID)), .init("seed", .string(String(seed))),
            .init("code", .string(codeMark)), .init("custom", .array(customInterfaces.map(JSONValue.string))),
        ])
        let objects = [head] + lines.map { JSONObject([.init($0.kind, $0.value)]) }
        return objects.map { JSONValue.object($0).text + "\n" }.joined()
    }

    /// FNV-1a over every module's path and text.
    static func mark(of code: MiniProgramCode) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for (path, module) in code.modules.sorted(by: { $0.key < $1.key }) {
            for byte in path.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            for byte in module.text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return String(hash, radix: 16)
    }
}
