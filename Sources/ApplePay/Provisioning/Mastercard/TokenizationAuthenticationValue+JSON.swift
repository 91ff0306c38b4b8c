import BillfoldJSON
import PaymentCrypto

extension TokenizationAuthenticationValue {
    /// The bytes of `activationData`; where an interface shows base64, that is its transport (provisioning.md#authentication-value).
    public func json() -> [UInt8] {
        var object = JSONObject([.init("version", .string(form.version))])
        switch form {
        case .version2(let withExpiration, let withReference):
            object["expirationDateIncluded"] = .bool(withExpiration)
            object["tokenUniqueReferenceIncluded"] = .bool(withReference)
        case .version3: break
        case .version4(let keyAlias, _, _): object["keyAlias"] = .string(keyAlias)
        }
        object["signatureAlgorithm"] = .string(Self.algorithmName)
        if let (fields, validUntil) = form.dated {
            object["dataValidUntilTimestamp"] = .string(validUntil.text)
            object["includedFieldsInOrder"] = .string(fields.map(\.rawValue).joined(separator: "|"))
        }
        object["signature"] = .string(StrictBase64.encode(signature))
        return JSONWriter.write(object)
    }

    /// Reads the JSON strictly; booleans may be JSON's or texts, for both were seen (provisioning.md#authentication-value). Throws
    /// `malformed-json`, `duplicate-key` or `authentication-value-form`.
    public init(json: [UInt8]) throws(ApplePayError) {
        let object = try ApplePayJSON.readObject(json, maximumBytes: 16_384, maximumDepth: 2)
        let version = try Self.text(object, "version")
        guard try Self.text(object, "signatureAlgorithm") == Self.algorithmName else {
            throw Self.refused("signatureAlgorithm is not \(Self.algorithmName)")
        }
        var known: Set<String> = ["version", "signatureAlgorithm", "signature"]
        switch version {
        case "2":
            known.formUnion(["expirationDateIncluded", "tokenUniqueReferenceIncluded"])
            form = .version2(
                includesExpiration: try Self.flag(object, "expirationDateIncluded"),
                includesTokenUniqueReference: try Self.flag(object, "tokenUniqueReferenceIncluded"))
        case "3", "4":
            known.formUnion(["dataValidUntilTimestamp", "includedFieldsInOrder"])
            let fields = try Self.fields(Self.text(object, "includedFieldsInOrder"))
            let validUntil = try AuthenticationValueTimestamp(Self.text(object, "dataValidUntilTimestamp"))
            if version == "3" {
                form = .version3(fields: fields, validUntil: validUntil)
            } else {
                known.insert("keyAlias")
                form = .version4(keyAlias: try Self.text(object, "keyAlias"), fields: fields, validUntil: validUntil)
            }
        default: throw Self.refused("the version is not 2, 3 or 4")
        }
        signature = try TokenField.base64(Self.text(object, "signature"), "signature", code: .authenticationValueForm)
        guard object.members(besides: known).isEmpty else { throw Self.refused("a member that version \(version) does not know") }
    }

    private static func text(_ object: JSONObject, _ key: String) throws(ApplePayError) -> String {
        try TokenField.text(object, key, code: .authenticationValueForm)
    }

    private static func flag(_ object: JSONObject, _ key: String) throws(ApplePayError) -> Bool {
        switch object[key] {
        case .bool(let flag): return flag
        case .string("true"): return true
        case .string("false"): return false
        default: throw refused("\(key) is neither true nor false")
        }
    }

    private static func fields(_ text: String) throws(ApplePayError) -> [Field] {
        var fields: [Field] = []
        for name in text.split(separator: "|", omittingEmptySubsequences: false) {
            guard let field = Field(rawValue: String(name)), !fields.contains(field) else {
                throw refused("includedFieldsInOrder names an unknown field, or one twice")
            }
            fields.append(field)
        }
        return fields
    }

    private static func refused(_ reason: String, line: Int = #line) -> ApplePayError {
        ApplePayError(code: .authenticationValueForm, reason: reason, line: line)
    }
}
