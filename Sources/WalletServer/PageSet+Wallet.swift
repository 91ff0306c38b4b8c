package import BillfoldWeb

extension PageSet {
    /// The pages of a wallet and of its platform of mini programs.
    package static let wallet = PageSet(.module)
}
