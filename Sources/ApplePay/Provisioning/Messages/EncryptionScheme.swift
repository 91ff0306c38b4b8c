/// How pass data is sealed to Apple's broker, by PassKit's names (provisioning.md#request-configuration [D]).
public enum EncryptionScheme: String, Sendable, Hashable, CaseIterable {
    /// Mandatory unless Apple agrees otherwise.
    case eccV2 = "EV_ECC_v2"
    case rsaV2 = "EV_RSA_v2"

    /// Whether the bytes were recomputed from published data. Key wrapping and cipher of `RSA_V2` are in no public issuer-side
    /// material (provisioning.md#rsa_v2): what is made with it is unconfirmed, and reports say so.
    public var isConfirmed: Bool { self == .eccV2 }
}
