/// What may be wrong with a simulated wallet's certificates (apple-pay.md#simulation): each flaw trips one rule of the chain.
public enum ChainFlaw: String, Sendable, Hashable, Codable, CaseIterable {
    case leafWithoutMarker = "leaf-without-marker"
    case intermediateWithoutMarker = "intermediate-without-marker"
    case intermediateNotAuthority = "intermediate-not-authority"
    case leafIsAuthority = "leaf-is-authority"
    case leafMayNotSign = "leaf-may-not-sign"
    case intermediateMayNotSign = "intermediate-may-not-sign"
    case leafExpired = "leaf-expired"
    case leafNotYetValid = "leaf-not-yet-valid"
    case intermediateExpired = "intermediate-expired"
    case unknownCriticalExtension = "unknown-critical-extension"
    /// The leaf names the intermediate, and another key signed it.
    case leafSignedByStranger = "leaf-signed-by-stranger"
    /// The chain is complete and marked, names the pinned root, and another root's key signed the intermediate.
    case rogueRoot = "rogue-root"
    /// Leaf issued by another name than the one the intermediate has.
    case leafNamesOtherIssuer = "leaf-names-other-issuer"
}
