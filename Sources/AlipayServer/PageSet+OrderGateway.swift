package import BillfoldWeb

extension PageSet {
    /// The order gateway's pages.
    package static let orderGateway = PageSet(.module)
}
