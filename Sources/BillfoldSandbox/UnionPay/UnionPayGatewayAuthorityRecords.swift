import BillfoldStorage

/// The rows of the gateway's own keys and certificates, made for the sandbox and worth nothing outside it.
enum UnionPayGatewayAuthorityRecords {
    struct Pair: Sendable {
        var name: String
        var key: String
        var certificate: String
    }

    /// Stores a pair unless one of that name is there: whoever comes first decides.
    static func insert(_ pair: Pair, in transaction: any Transaction) throws {
        try transaction.execute(
            "INSERT INTO unionpay_authority (name, key_pem, certificate_pem) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [.text(pair.name), .text(pair.key), .text(pair.certificate)])
    }

    static func all(in transaction: any Transaction) throws -> [Pair] {
        try transaction.query("SELECT name, key_pem, certificate_pem FROM unionpay_authority").map {
            Pair(name: try $0.text(0), key: try $0.text(1), certificate: try $0.text(2))
        }
    }
}
