/// The rules in the order in which a refusal names the first of them.
public enum ChainRules {
    /// What every chain must satisfy.
    public static func standard(
        maximumIntermediates: Int = 3, leafUsage: KeyUsage = .digitalSignature, understood markers: Set<OID> = []
    ) -> [any ChainRule] {
        [
            AnchorRule(), IssuerLinkRule(), CertificateSignatureRule(), ExpiryRule(), InceptionRule(), AuthorityRule(),
            EndEntityRule(), PathLengthRule(maximumIntermediates: maximumIntermediates), KeyUsageRule(leafUsage: leafUsage),
            CriticalExtensionRule(markers: markers),
        ]
    }

    /// The standard rules and the two markers of a wallet's signers (apple-pay.md#certificate-chain): exactly one
    /// intermediate, marked, and a marked leaf.
    public static func walletToken(
        leafMarker: OID = .walletTokenSigner, intermediateMarker: OID = .walletIntermediate
    ) -> [any ChainRule] {
        standard(maximumIntermediates: 1, understood: [leafMarker, intermediateMarker]) + [
            LeafMarkerRule(marker: leafMarker), IntermediateMarkerRule(marker: intermediateMarker),
        ]
    }
}
