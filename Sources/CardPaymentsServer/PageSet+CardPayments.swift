package import BillfoldWeb

extension PageSet {
    /// What the console shows of card payments.
    package static let cardPayments = PageSet(.module)
}
