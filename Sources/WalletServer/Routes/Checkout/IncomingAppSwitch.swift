import Alipay

/// What the merchant's app sent the customer here with.
struct IncomingAppSwitch: Sendable, Hashable {
    /// The whole order string, as the merchant made it.
    var order: String
    /// The scheme of the merchant's app.
    var scheme: String

    /// Reads the query of `alipay://alipayclient/?<percent-encoded JSON>` ; `nil` for anything else.
    init?(query: String) {
        guard let url = try? AppSwitchURL("alipay://alipayclient/?" + query), let scheme = url.returnScheme, AppScheme.isScheme(scheme)
        else { return nil }
        order = url.order
        self.scheme = scheme
    }
}
