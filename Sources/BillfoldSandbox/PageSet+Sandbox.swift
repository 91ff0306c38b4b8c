package import BillfoldWeb

extension PageSet {
    /// The pages of the sandbox's parties.
    package static let sandbox = PageSet(.module)
}
