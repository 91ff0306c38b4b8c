/// The demo bank's app as its signature and the store name it.
package enum DemoBankApp {
    package static let identifier = "TEAM123456.example.bank.app"
    /// Its Wallet extension.
    package static let extensionIdentifier = "TEAM123456.example.bank.app.wallet"
    package static let adamID = 1_234_567_890
}
