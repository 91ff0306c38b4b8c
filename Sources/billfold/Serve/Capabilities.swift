import BillfoldServer

/// A server that a process can run.
struct Capability: Sendable {
    var role: ServerRole
    var make: @Sendable (ServeComposition.Shared) async throws -> ServeComposition.Part

    /// In the order in which they begin.
    static let all = [
        Capability(role: .cardPayments, make: MerchantPart.make), Capability(role: .provisioning, make: IssuerPart.make),
        Capability(role: .alipayGateway, make: AlipayGatewayPart.make), Capability(role: .alipayPlus, make: AlipayPlusPart.make),
        Capability(role: .wallet, make: WalletPart.make),
    ]
}
