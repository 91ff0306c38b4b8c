public import AlipayPlusValues
public import Foundation

/// A sheet to show.
public struct SheetRequest: Sendable, Hashable {
    /// The sheet's page, with the items of `SheetQuery`.
    public let address: URL
    public let paymentID: String

    /// Nil when the data's address is none.
    public init?(_ data: PaymentData, language: AlipayPlusLanguage, installedWallets: [String]) {
        guard var parts = URLComponents(string: data.sheetURL) else { return nil }
        let items = SheetQuery(language: language, installedWallets: installedWallets).items
        parts.queryItems = (parts.queryItems ?? []) + items.map { URLQueryItem(name: $0.name, value: $0.value) }
        guard let address = parts.url else { return nil }
        self.address = address
        paymentID = data.paymentID
    }

    /// Whether an address is of the sheet's own origin: its main frame stays there, and what another says is no message of the sheet.
    public func isOfSheet(_ url: URL) -> Bool {
        isOfSheet(scheme: url.scheme ?? "", host: url.host ?? "", port: url.port)
    }

    /// - Parameters:
    ///   - scheme: Without its colon.
    ///   - host: A name or an address.
    ///   - port: Nil and 0 are the scheme's own.
    public func isOfSheet(scheme: String, host: String, port: Int?) -> Bool {
        func number(_ port: Int?, _ scheme: String) -> Int { port.flatMap { $0 == 0 ? nil : $0 } ?? (scheme == "https" ? 443 : 80) }
        let own = address.scheme?.lowercased() ?? ""
        return scheme.lowercased() == own && host.lowercased() == address.host?.lowercased()
            && number(port, own) == number(address.port, own)
    }
}
