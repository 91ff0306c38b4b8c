import BillfoldJSON

/// The names that hosts and processors give to the members of callbacks and requests (provisioning.md#member-names).
enum ProvisioningNames {
    private static let names = [
        "activation_data": "activationData", "ephemeral_public_key": "ephemeralPublicKey", "encrypted_pass_data": "encryptedPassData",
        "contents": "encryptedPassData", "wrapped_key": "wrappedKey", "public_key_hash": "publicKeyHash",
        "encryption_version": "encryptionVersion", "encryption_scheme": "encryptionScheme", "nonce_signature": "nonceSignature",
        "nonceBase64": "nonce", "nonceSignatureBase64": "nonceSignature", "certificatesBase64": "certificates", "device_type": "deviceType",
    ]
    /// Certificates that are handed over apart, the one that is said to be the leaf first.
    private static let certificates = [
        ["certificateLeaf", "certificate_leaf", "leafCertificate", "leaf_certificate"],
        ["certificateSubCA", "certificateSubCa", "certificate_sub_ca", "subCACertificate", "sub_ca_certificate"],
    ]
    /// One of these makes an object one of an attempt.
    private static let marks: Set = [
        "activation_data", "ephemeral_public_key", "encrypted_pass_data", "nonce_signature", "nonceSignatureBase64", "certificateLeaf",
        "encryptedPassData", "ephemeralPublicKey", "activationData", "nonceSignature",
    ]

    /// The object with the documented names: itself, or the one inside of it that has what belongs to an attempt.
    static func normalised(_ object: JSONObject) -> JSONObject { renamed(inner(.object(object), 4) ?? object) }

    private static func inner(_ value: JSONValue, _ depth: Int) -> JSONObject? {
        guard depth > 0, let object = value.object else { return nil }
        if object.members.contains(where: { marks.contains($0.key) }) { return object }
        return object.members.lazy.compactMap { inner($0.value, depth - 1) }.first
    }

    private static func renamed(_ object: JSONObject) -> JSONObject {
        guard object.members.contains(where: { marks.contains($0.key) }) else { return object }
        var result = object
        for (index, member) in object.members.enumerated() {
            guard let name = names[member.key], result[name] == nil else { continue }
            result.members[index].key = name
            if member.key == "nonceBase64", result["encoding"] == nil { result["encoding"] = .string("base64") }
        }
        let apart = certificates.compactMap { spellings in spellings.lazy.compactMap { object[$0] }.first }
        if result["certificates"] == nil, !apart.isEmpty { result["certificates"] = .array(apart) }
        return result
    }
}
