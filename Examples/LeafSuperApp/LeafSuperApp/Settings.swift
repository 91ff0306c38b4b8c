import Foundation

/// Where the super app's server is, and who uses the app.
///
/// The values stand in `Info.plist`. A variable of the environment with the same name takes a value's place, so that a scheme of Xcode can
/// point the app at another server.
struct Settings {
    /// The wallet: its users, its cashier, its OAuth server and its platform of mini programs.
    let wallet: String
    /// Whether the wallet is a sandbox on this machine, which speaks plain HTTP. A wallet anywhere else is reached by HTTPS alone, and so are
    /// the servers of its mini programs.
    var isLocal: Bool { URL(string: wallet).map { $0.scheme == "http" && $0.host == "127.0.0.1" } ?? false }
    /// The scheme by which the cashier's pages come back, as `Info.plist` registers it.
    let scheme = "leafsuperapp"
    /// The sandbox's customer. An app of your own asks its person here.
    let name = "mei@example.test"
    let password = "two-leaves-tea"

    init(bundle: Bundle = .main, environment: [String: String] = ProcessInfo.processInfo.environment) {
        let text = environment["LeafWallet"] ?? bundle.object(forInfoDictionaryKey: "LeafWallet") as? String ?? ""
        wallet = text.isEmpty ? "http://127.0.0.1:8080" : text
    }
}
