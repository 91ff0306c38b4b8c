package import BillfoldWeb

extension PageSet {
    /// The acquiring gateway's pages, with the payment sheet.
    package static let acquiring = PageSet(.module)
}
