import BillfoldDiagnosis
import BillfoldJSON

/// Metadata of a mini program as the platform delivers it to a container (reference 5.1), as far as the doctor reads it.
struct MetadataArtifact {
    var name: String
    var appID: String
    var authClientID: String?
    var features: Set<String>?
    /// The servers that may be called, and those of the version that is running: edits apply to later builds only.
    var domains: [String]?
    var builtDomains: [String]?

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
    }
}

/// A run's transcript: `{"entries":[{"kind":"call",…},{"kind":"answer",…},…]}`, as `billfold mini-program run --json` prints it.
struct TranscriptArtifact {
    struct Entry {
        var kind: String
        var name: String
        var body: JSONObject

        var arguments: JSONObject { body["arguments"]?.object ?? JSONObject() }
        var result: JSONObject { body["result"]?.object ?? JSONObject() }
        var error: Int64? { result["error"]?.integer }
    }

    var name: String
    var entries: [Entry]

    init?(_ name: String, _ object: JSONObject) {
        guard let values = object["entries"]?.array, values.allSatisfy({ $0["kind"]?.string != nil }) else { return nil }
        self.name = name
        entries = values.compactMap { value in
            value.object.map { Entry(kind: value["kind"]?.string ?? "", name: value["name"]?.string ?? "", body: $0) }
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
