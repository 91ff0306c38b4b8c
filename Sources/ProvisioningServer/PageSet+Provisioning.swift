package import BillfoldWeb

extension PageSet {
    /// The issuer's pages.
    package static let provisioning = PageSet(.module)
}
