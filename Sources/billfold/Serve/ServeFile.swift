import BillfoldJSON

/// What `serve --config` names: one JSON object whose members are flags without their dashes.
///
/// `{"mode": "production", "listen": "0.0.0.0:443", "console-behind-tls": true, "trusted-proxy": ["10.0.0.1", "10.1.0.0/16"]}`
struct ServeFile {
    /// What the file says, as a command line says it.
    let arguments: [String]

    /// - Throws: `configuration-invalid` for what is no such object. Whether a flag of a name is there, and takes the value, is asked of the
    ///   arguments.
    init(_ bytes: [UInt8]) throws(CommandFailure) {
        let members: [JSONObject.Member]
        do throws(JSONError) {
            members = try JSONReader.readObject(bytes).members
        } catch { throw Self.refusal("the file of --config is no JSON object: \(error.reason)") }
        var arguments: [String] = []
        for (name, value) in members.map({ ($0.key, $0.value) }) {
            guard name != "config", name.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil else {
                throw Self.refusal("'\(name)' is no flag that a file can hold")
            }
            switch value {
            case .bool(let isSet): if isSet { arguments.append("--\(name)") }
            case .array(let values): for value in values { arguments.append("--\(name)=\(try Self.text(value, name))") }
            default: arguments.append("--\(name)=\(try Self.text(value, name))")
            }
        }
        self.arguments = arguments
    }

    private static func text(_ value: JSONValue, _ name: String) throws(CommandFailure) -> String {
        guard let text = value.scalar else { throw refusal("the value of '\(name)' is no text, number, list of texts, true or false") }
        return text
    }

    private static func refusal(_ reason: String) -> CommandFailure { .invalid(reason) }
}
