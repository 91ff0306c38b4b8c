/// The demo bank's app as its signature and the store name it.
public enum DemoBankApp {
    public static let identifier = "TEAM123456.example.bank.app"
    /// Its Wallet extension.
    public static let extensionIdentifier = "TEAM123456.example.bank.app.wallet"
    public static let adamID = 1_234_567_890
}
