import BillfoldJSON

/// Which side has to sign a message.
enum MessageSide {
    /// An acquirer, a wallet, or whoever else Alipay+ knows by a client id.
    case client
    case gateway

    /// Nil where nothing tells.
    ///
    /// - Parameter path: The request's, or that of the request which an answer belongs to.
    init?(of message: AlipayPlusArtifact, path: String?) {
        guard let path else { return nil }
        switch (message.kind, Self.isGateways(path)) {
        case (.request, true): self = .client
        case (.answer, true): self = .gateway
        // To an address of the client's own. Only Alipay+ names an acquirer, a result or an authorisation's news in a request; a client's
        // request under a wrong path has none of them.
        case (.request, false):
            guard let json = message.json,
                ["acquirerId", "paymentResult", "authorizationNotifyType"].contains(where: { json[$0] != nil })
            else { return nil }
            self = .gateway
        case (.answer, false):
            guard !path.contains("/api/v1/") else { return nil }
            self = .client
        }
    }

    /// Whether requests under this path, or address, go to Alipay+.
    static func isGateways(_ target: String) -> Bool { target.contains("/aps/api/") }

    /// Whether requests under this path go to a super app's OAuth server or platform, which signs in the same way
    /// (mini-programs.md#signed-calls).
    static func isSuperApps(_ target: String) -> Bool {
        let paths = ["/v1/authorizations/", "/v2/authorizations/", "/v1/customers/user/", "/v2/users/", "/mini-programs/v1/"]
        return !target.contains("/api/v1/") && paths.contains { target.contains($0) }
    }
}
