import BillfoldDiagnosis
import BillfoldJSON
import MiniPrograms

/// Metadata of a mini program as the platform delivers it to a container (mini-programs.md#metadata), as far as the doctor reads it.
struct MetadataArtifact {
    var name: String
    var appID: String
    var authClientID: String?
    var features: Set<String>?
    /// The servers that may be called, and those of the version that is running: edits apply to later builds only.
    var domains: [String]?
    var builtDomains: [String]?
    var version: MiniProgramVersion?

    init?(_ name: String, _ object: JSONObject) {
        guard let appID = object["appId"]?.string,
            object["authClientId"] != nil || object["releaseVersion"] != nil || object["features"] != nil,
            object["grantType"] == nil, object["files"] == nil, object["billfold-trace"] == nil
        else { return nil }
        self.name = name
        self.appID = appID
        authClientID = object["authClientId"]?.string
        features = object["features"]?.array.map { Set($0.compactMap(\.string)) }
        domains = object["serverDomains"]?.array?.compactMap(\.string)
        builtDomains = object["builtServerDomains"]?.array?.compactMap(\.string)
        version = object["releaseVersion"]?.string.flatMap(MiniProgramVersion.init(text:))
    }
}

/// What happened in a run: its transcript (`{"entries":[{"kind":"call",…},…]}`), as `billfold mini-program run --json` prints it, or its
/// trace, as `record` writes it.
struct TranscriptArtifact {
    struct Entry {
        var kind: String
        var name = ""
        var body: JSONObject

        var arguments: JSONObject { body["arguments"]?.object ?? JSONObject() }
        var result: JSONObject { body["result"]?.object ?? JSONObject() }
        var error: Int64? { result["error"]?.integer }
    }

    var name: String
    var entries: [Entry]
    /// Whether what a person did stands among the entries, as `tap`. A transcript has none of it.
    var marksTaps = false

    init?(_ name: String, _ object: JSONObject) {
        guard let values = object["entries"]?.array, values.allSatisfy({ $0["kind"]?.string != nil }) else { return nil }
        self.name = name
        entries = values.compactMap { value in
            value.object.map { Entry(kind: value["kind"]?.string ?? "", name: value["name"]?.string ?? "", body: $0) }
        }
    }

    /// Reads a trace; nil for bytes that are none. A line that cannot be read ends it.
    init?(_ name: String, trace bytes: [UInt8]) {
        guard bytes.starts(with: Array(#"{"billfold-trace":"#.utf8)) else { return nil }
        self.name = name
        marksTaps = true
        entries = []
        var calls: [Int64: String] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")).dropFirst() {
            guard let object = try? JSONReader.readObject(Array(line), maximumBytes: 16 << 20, maximumDepth: 160) else { break }
            if let input = object["in"], let body = input["body"]?.object {
                take(input: input["kind"]?.string ?? "", body, calls)
            } else if let output = object["out"], let body = output["body"]?.object {
                take(output: output["kind"]?.string ?? "", body, &calls)
            }
        }
    }

    private mutating func take(input kind: String, _ body: JSONObject, _ calls: [Int64: String]) {
        switch kind {
        case "answer": entries.append(Entry(kind: "answer", name: body["id"]?.integer.flatMap { calls[$0] } ?? "", body: body))
        case "event": entries.append(Entry(kind: "tap", body: body))
        case "pages":
            for change in body["changes"]?.array ?? [] where change["kind"]?.string == "load" {
                entries.append(Entry(kind: "opened", body: change.object ?? []))
            }
        default: break
        }
    }

    private mutating func take(output kind: String, _ body: JSONObject, _ calls: inout [Int64: String]) {
        switch kind {
        case "call":
            let name = body["name"]?.string ?? ""
            if let id = body["id"]?.integer { calls[id] = name }
            entries.append(Entry(kind: "call", name: name, body: body))
        case "update": entries.append(Entry(kind: "setData", body: body))
        case "error", "warning": entries.append(Entry(kind: kind, body: body))
        default: break
        }
    }

    /// The answers of one interface, each with the arguments of the call before it.
    func exchanges(_ name: String) -> [(arguments: JSONObject, answer: Entry)] {
        var calls: [JSONObject] = []
        var result: [(JSONObject, Entry)] = []
        for entry in entries where entry.name == name {
            if entry.kind == "call" {
                calls.append(entry.arguments)
            } else if entry.kind == "answer" {
                result.append((calls.isEmpty ? JSONObject() : calls.removeFirst(), entry))
            }
        }
        return result
    }
}

/// An answer that says that the sender of a signed call is nobody's client, or another than the call's.
struct RefusedClientArtifact {
    let name: String
    let message: String

    init?(_ name: String, _ object: JSONObject) {
        guard let result = try? OpenAPIResult(object), result.resultCode == OpenAPIResult.invalidAuthClient.resultCode else { return nil }
        self.name = name
        message = result.resultMessage
    }

    var finding: Finding {
        Finding(
            code: "mini-program.client-unknown", subject: name,
            cause: "The call's Client-Id, or its authClientId, is not the id that belongs there.",
            evidence: [.init("resultMessage", String(message.prefix(256)))],
            mend:
                "Sign tokens, users' data and contracts as the merchant's client, the mini program's authClientId; sign uploads and steps "
                + "of a release as the author. A mini program's own id is neither.")
    }
}

/// One `applyToken` request's body.
struct ApplyTokenArtifact {
    var name: String
    var appID: String?
    var authClientID: String?
    /// Never shown: only compared.
    var code: String?

    init?(_ name: String, _ object: JSONObject) {
        guard object["grantType"]?.string == "AUTHORIZATION_CODE" else { return nil }
        self.name = name
        appID = object["appId"]?.string ?? object["referenceClientId"]?.string
        authClientID = object["authClientId"]?.string
        code = object["authCode"]?.string
    }
}
