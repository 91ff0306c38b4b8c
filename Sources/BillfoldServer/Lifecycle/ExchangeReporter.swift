import BillfoldTrace
package import HTTPTypes

/// A server's reports of its exchanges, each of which one of the two parties makes and the other leaves to it.
package protocol ExchangeReporter {
    var mode: ServerMode { get }
}

extension ExchangeReporter {
    /// Whether the caller reports this exchange itself. Believed in test mode only.
    package func isReportedByCaller(_ headers: HTTPFields) -> Bool {
        guard mode == .test, let name = HTTPField.Name.exchange else { return false }
        return Exchange.isName(headers[name])
    }

    /// Tells the other party that we report the exchange; in production nobody gets a header of ours.
    package func naming(_ exchange: String) -> HTTPFields {
        guard mode == .test, let name = HTTPField.Name.exchange else { return [:] }
        return [name: exchange]
    }
}

extension HTTPField.Name {
    fileprivate static let exchange = HTTPField.Name(Exchange.headerName)
}
